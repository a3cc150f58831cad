import { existing, notFound } from '../../../kernel/errors.ts';
import type { Command } from '../../../kernel/event.ts';
import { type MerchantPrincipal, mayRead, tenantOfCaller } from '../../../kernel/principal.ts';
import type { FindById } from '../../../platform/write-store/read-resource.ts';
import type { Creating } from '../../../platform/write-store/transaction.ts';
import { VersionConflict } from '../../../platform/write-store/write-set.ts';
import { CHARGES } from '../../charges/write/charge.store.ts';
import type { Charge } from '../../charges/write/charge.ts';
import { sharesOf } from '../../charges/write/shares.ts';
import { postJournal } from '../../ledger/write/ledger.store.ts';
import { FEE_DEFINITIONS } from '../../merchants/write/fees.ts';
import { MERCHANTS } from '../../merchants/write/merchant.ts';
import { anticipateParts } from '../../settlement/write/settlement.ts';
import { anticipationJournal } from './anticipation.journal.ts';
import {
  ANTICIPATIONS,
  type Anticipation,
  type AnticipationRequest,
  lastPartOf,
  openAnticipation,
  quote,
  type Reserved,
} from './anticipation.ts';
import type { FindReserved } from './anticipations.store.ts';

export type AnticipationCommand = {
  readonly principal: MerchantPrincipal;
  readonly request: AnticipationRequest;
};

/**
 * Makes reserved parts of the caller available at once. Each charge is written together with the parts that are taken
 * of it, so that settlement, refunds, alerts and other anticipations cannot take the same part. Charges that are passed
 * over may change meanwhile. 404 for a charge that the caller neither sees nor has a share of; the 422 errors of
 * `quote`.
 */
export type Anticipate = Command<AnticipationCommand, Anticipation>;

export const createAnticipate =
  (deps: Creating & { readonly findReservedFor: FindReservedFor }): Anticipate =>
  async ({ principal, request }, context) => {
    const { merchantId, livemode } = principal;
    const id = deps.newId('ant');
    return deps.transact(context, async (tx) => {
      const merchant = existing(await tx.get(MERCHANTS, merchantId), 'Merchant');
      const fees = await tx.get(FEE_DEFINITIONS, merchantId);
      const reserved = await deps.findReservedFor(principal, request);
      const now = deps.clock();
      const quoted = quote(request, { merchant, fees }, reserved, now);
      const versions = new Map(reserved.charges.map((charge) => [charge.id, charge.version]));
      const whole = await tx.getAll(
        CHARGES,
        quoted.charges.map(({ chargeId }) => chargeId),
      );
      const byId = new Map(whole.map((charge) => [charge.id, charge]));
      for (const taken of quoted.charges) {
        const charge = byId.get(taken.chargeId);
        // The charge has changed since it was quoted, so it has to be quoted again.
        if (!charge || charge.version !== versions.get(charge.id)) throw new VersionConflict();
        await tx.record(CHARGES, charge, anticipateParts(charge, merchantId, lastPartOf(taken)));
        await postJournal(tx, anticipationJournal({ id, merchantId }, taken, charge, now, deps.newId));
      }
      return tx.record(ANTICIPATIONS, null, openAnticipation(id, request, merchant, livemode, quoted, now));
    });
  };

/**
 * Finds the charges that a request may take parts from, as they are now. 404 for a charge that the caller may not see.
 */
export type FindReservedFor = (
  principal: MerchantPrincipal,
  request: AnticipationRequest,
) => Promise<Reserved>;

export const createFindReservedFor =
  (deps: { readonly findCharge: FindById<Charge>; readonly findReserved: FindReserved }): FindReservedFor =>
  async (principal, request) => {
    const { livemode } = principal;
    if ('amount' in request) return deps.findReserved(principal, livemode, request.currency);
    const charge = await deps.findCharge(request.chargeId, tenantOfCaller(principal));
    if (!charge || !(mayRead(principal, charge) || takesPart(principal, charge))) throw notFound('Charge');
    return { charges: [charge], until: null };
  };

/**
 * Whether the caller has a share of the charge. A participant of a split knows the charge from its statement, though it
 * may not read it.
 */
const takesPart = ({ merchantId, livemode }: MerchantPrincipal, charge: Charge): boolean =>
  charge.livemode === livemode && sharesOf(charge).some((share) => share.merchantId === merchantId);
