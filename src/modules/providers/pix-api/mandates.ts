import {
  type EnrollRequest,
  type MandateKeeper,
  type MandateState,
  NotShownYet,
  type ProviderNotification,
  type Unconfirmed,
} from '../provider.ts';
import { findAgain, type PixDeps } from './lookups.ts';
import { mandateStateOf, readLocation, readRec, recOf } from './mandate-answers.ts';
import type { MandateName, PixNames } from './names.store.ts';
import { txidOf } from './references.ts';

/** Mandates (`rec`) of the API Pix, which the payer approves by the code of a location of their own. */

export type MandateDeps = PixDeps & { readonly names: PixNames };

const REFUSED_BY_US: MandateState = {
  status: 'failed',
  failureReason: 'cancelled',
  providerMethod: null,
  copyPaste: null,
};

export const createMandates = (deps: MandateDeps): MandateKeeper => ({
  async enroll(request) {
    const known = await deps.names.findMandate(request.reference);
    const name = known ?? (await locate(deps, request));
    if (name.isEnded) return endMandate(deps, name);
    if (name.idRec !== null) return stateOf(deps, name, name.idRec);
    return make(deps, request, name, known === null);
  },

  async describeMandate({ reference }) {
    const name = await deps.names.findMandate(reference);
    if (name?.isEnded) return endMandate(deps, name);
    const idRec = name && (await idRecOf(deps, name));
    return name && idRec ? stateOf(deps, name, idRec) : null;
  },

  revokeMandate: async ({ reference }) => endMandate(deps, await deps.names.endMandate(reference)),
});

/** Makes the mandate's location. A second one, made because another request was faster, is not kept and serves nobody. */
const locate = async (
  { call, names }: MandateDeps,
  { reference, firstCharge }: EnrollRequest,
): Promise<MandateName> => {
  const answer = await call('POST', ['locrec']);
  if (answer.status !== 'done') throw new Error(`the institution makes no location: ${answer.status}`);
  return names.openMandate(reference, readLocation(answer.body).id, firstCharge);
};

const make = async (
  deps: MandateDeps,
  request: EnrollRequest,
  { reference, location }: MandateName,
  isFirst: boolean,
): Promise<MandateState> => {
  if (location === null) throw new Error(`the mandate ${reference} has no location`);
  const answer = await deps.call('POST', ['rec'], recOf(request, location));
  // The institution refuses a location that is taken, which is by this mandate asked for before.
  const idRec =
    answer.status === 'done'
      ? readRec(answer.body).idRec
      : await findAgain(deps, () => recAt(deps, location), isFirst);
  if (idRec === null) {
    // It may have been taken the first time, and is not shown yet.
    if (!isFirst) throw new NotShownYet('a mandate');
    await deps.names.endMandate(reference);
    return { ...REFUSED_BY_US, failureReason: answer.status === 'refused' ? answer.problem : 'not_found' };
  }
  const after = await deps.names.settleMandate(reference, idRec);
  return after.isEnded ? endMandate(deps, after) : stateOf(deps, after, idRec);
};

/** The mandate behind a location, null where there is none. */
const recAt = async ({ call }: MandateDeps, location: number): Promise<string | null> => {
  const answer = await call('GET', ['locrec', String(location)]);
  if (answer.status === 'refused')
    throw new Error(`the institution does not read a location: ${answer.problem}`);
  return answer.status === 'not_found' ? null : (readLocation(answer.body).idRec ?? null);
};

const idRecOf = async (
  deps: MandateDeps,
  { reference, idRec, location }: MandateName,
): Promise<string | null> => {
  if (idRec !== null || location === null) return idRec;
  const found = await recAt(deps, location);
  if (found !== null) await deps.names.settleMandate(reference, found);
  return found;
};

/** With its first charge the institution answers the code that holds both. */
const findRec = async (
  { call }: MandateDeps,
  { firstCharge }: MandateName,
  idRec: string,
): Promise<MandateState | null> => {
  const path = ['rec', idRec];
  const both = firstCharge && (await call('GET', path, undefined, { txid: txidOf(firstCharge) }));
  // Once the charge cannot be paid any more, an institution may refuse the code of both.
  const answer = both && both.status === 'done' ? both : await call('GET', path);
  if (answer.status === 'refused')
    throw new Error(`the institution does not read a mandate: ${answer.problem}`);
  if (answer.status === 'not_found') return null;
  const rec = readRec(answer.body);
  if (rec.idRec !== idRec) throw new Error('the institution answers with another mandate');
  return mandateStateOf(rec);
};

const stateOf = async (deps: MandateDeps, name: MandateName, idRec: string): Promise<MandateState> => {
  const state = await findAgain(deps, () => findRec(deps, name, idRec), false);
  if (!state) throw new Error('the institution does not show a mandate that it has');
  return state;
};

/** Ends a mandate at the institution; one that it does not have was never shown to a payer. */
const endMandate = async (deps: MandateDeps, name: MandateName): Promise<MandateState> => {
  const idRec = await idRecOf(deps, name);
  if (idRec === null) return REFUSED_BY_US;
  const before = await stateOf(deps, name, idRec);
  if (before.status !== 'pending' && before.status !== 'active') return before;
  await deps.call('PATCH', ['rec', idRec], { status: 'CANCELADA' });
  const after = await stateOf(deps, name, idRec);
  if (after.status === 'pending' || after.status === 'active')
    throw new Error('the institution does not cancel a mandate');
  return after;
};

/** The news of a mandate that a callback names: it is asked back, and nothing else in the callback is believed. */
export const newsOfRec = async (
  deps: MandateDeps,
  idRec: string,
): Promise<readonly (ProviderNotification | Unconfirmed)[]> => {
  const names = await deps.names.mandatesOf(idRec);
  const told: (ProviderNotification | Unconfirmed)[] = [];
  for (const name of names) {
    const state = await findRec(deps, name, idRec);
    if (!state) return [{ kind: 'unconfirmed', id: idRec }];
    const id = `rec/${name.reference}/${state.status}`;
    told.push({ kind: 'mandate', id, livemode: true, reference: name.reference, state });
  }
  return names.length > 0 ? told : [{ kind: 'other', id: `rec/${idRec}`, livemode: true, type: 'rec' }];
};
