import { aMandate, later, NOW } from '../../../../test/builders.ts';
import { createFakeProvider } from '../../../../test/fakes/provider.ts';
import { createFakeWriteStore } from '../../../../test/fakes/write-store.ts';
import { approvableUntil } from '../../providers/pix/mandate-terms.ts';
import type { MandateState } from '../../providers/provider.ts';
import { createReconcileMethod } from './reconcile-method.ts';
import { createRecordMandateState, createRecordStoredState } from './record-stored-state.ts';
import type { StoredMethod } from './stored-method.ts';
import { STORED_METHODS } from './stored-methods.store.ts';

const HOUR = 3_600;
const DAY = 24 * HOUR;

const aState = (changes: Partial<MandateState> = {}): MandateState => ({
  ...{ status: 'pending', failureReason: null, providerMethod: 'rec_1', copyPaste: '00020101' },
  ...changes,
});

/** Reconciles a mandate `seconds` after it was made, at a provider that gives these answers. */
const reconcile = async (
  due: StoredMethod,
  known: MandateState | null,
  {
    seconds = 60,
    revoked = aState({ status: 'failed', failureReason: 'cancelled', copyPaste: null }),
    keepsMandates = true,
  } = {},
) => {
  const store = createFakeWriteStore();
  store.put(STORED_METHODS, due);
  const asked: string[] = [];
  const provider = {
    ...createFakeProvider(),
    mandates: {
      enroll: async () => aState(),
      describeMandate: async () => {
        asked.push('describe');
        return known;
      },
      revokeMandate: async () => {
        asked.push('revoke');
        return revoked;
      },
    },
  };
  const changing = { transact: store.transact, clock: () => later(seconds), methodFollowers: [] };
  const run = createReconcileMethod({
    ...changing,
    providerNamed: async () => (keepsMandates ? provider : createFakeProvider()),
    recordStoredState: createRecordStoredState(changing),
    recordMandateState: createRecordMandateState(changing),
  });
  await run(due, later(seconds));
  return { asked, after: store.find(STORED_METHODS, due.id) };
};

describe('a mandate whose request had no answer', () => {
  it('gets its code where the provider has it', async () => {
    const { after } = await reconcile(aMandate(), aState());
    expect(after).toMatchObject({
      ...{ status: 'pending', providerMethod: 'rec_1', mandate: { copyPaste: '00020101' } },
      reconcileAt: later(60 + 900).toISOString(),
    });
  });

  it('has failed where the provider was never asked, and nobody can approve it any more', async () => {
    const { after, asked } = await reconcile(aMandate(), null);
    expect([after?.status, after?.failureReason]).toEqual(['failed', 'not_stored']);
    expect(asked).toEqual(['describe', 'revoke']);
  });
});

describe('a mandate that waits for its payer', () => {
  const waiting = () =>
    aMandate({ providerMethod: 'rec_1', mandate: { ...mandateOf(aMandate()), copyPaste: '00020101' } });
  const mandateOf = ({ mandate }: StoredMethod) => {
    if (!mandate) throw new Error('it is a card');
    return mandate;
  };

  it('is asked about less often the longer it waits, and in the test environment only at its end', async () => {
    const askedIn = async (seconds: number, changes: Partial<StoredMethod> = {}): Promise<number> => {
      const { after } = await reconcile({ ...waiting(), ...changes }, aState(), { seconds });
      return (Date.parse(after?.reconcileAt ?? '') - later(seconds).getTime()) / 60_000;
    };
    expect(await askedIn(HOUR)).toBe(15);
    expect(await askedIn(8 * HOUR)).toBe(60);
    expect(await askedIn(3 * DAY)).toBe(6 * 60);
    const end = approvableUntil(mandateOf(waiting()));
    expect(later(HOUR + 60 * (await askedIn(HOUR, { livemode: false }))).toISOString()).toBe(end);
  });

  it('is asked about again and again, and is active once it is approved', async () => {
    const { after: still } = await reconcile(waiting(), aState());
    expect(still).toMatchObject({ status: 'pending', reconcileAt: later(60 + 900).toISOString() });
    const { after } = await reconcile(waiting(), aState({ status: 'active', copyPaste: null }));
    expect(after).toMatchObject({
      status: 'active',
      reconcileAt: later(60 + DAY).toISOString(),
      mandate: { copyPaste: null },
    });
  });

  it('ends once its first charge could not be handed in in time, unless the payer was faster', async () => {
    const seconds = 6 * DAY;
    const { after } = await reconcile(waiting(), aState(), { seconds });
    expect([after?.status, after?.failureReason]).toEqual(['failed', 'mandate_expired']);
    const revoked = aState({ status: 'revoked', failureReason: 'mandate_cancelled', copyPaste: null });
    const faster = await reconcile(waiting(), aState(), { seconds, revoked });
    expect(faster.after?.status).toBe('revoked');
  });
});

it('a mandate that was revoked is ended at its provider', async () => {
  const due = aMandate({ status: 'revoked', reconcileAt: NOW.toISOString() });
  const { after, asked } = await reconcile(due, null);
  expect([after?.status, after?.reconcileAt, asked]).toEqual(['revoked', null, ['revoke']]);
});

it('a mandate that was revoked stays due while the settings for mandates are gone, because the bank still has it', async () => {
  const due = aMandate({ status: 'revoked', reconcileAt: NOW.toISOString() });
  await expect(reconcile(due, null, { keepsMandates: false })).rejects.toThrow('keeps no mandates');
});

describe('an approved mandate', () => {
  const approved = (endDate: string | null = null): StoredMethod => {
    const { mandate, ...method } = aMandate({ status: 'active', providerMethod: 'rec_1' });
    if (!mandate) throw new Error('it is a card');
    return { ...method, mandate: { ...mandate, endDate } };
  };

  it('is expired once its last day is over', async () => {
    const { after, asked } = await reconcile(approved('2026-06-23'), null, { seconds: 10 * DAY });
    expect([after?.status, asked]).toEqual(['expired', []]);
  });

  it('is asked about each day, because the news of a cancellation may get lost', async () => {
    const { after, asked } = await reconcile(approved(), aState({ status: 'active', copyPaste: null }));
    expect([after?.status, after?.reconcileAt, asked]).toEqual([
      'active',
      later(60 + DAY).toISOString(),
      ['describe'],
    ]);
    const revoked = aState({ status: 'revoked', failureReason: 'mandate_cancelled', copyPaste: null });
    const { after: ended } = await reconcile(approved(), revoked);
    expect([ended?.status, ended?.failureReason]).toEqual(['revoked', 'mandate_cancelled']);
  });

  it('is revoked where its provider does not say how it ended', async () => {
    const { after } = await reconcile(approved(), aState({ status: 'failed', copyPaste: null }));
    expect(after).toMatchObject({ status: 'revoked', failureReason: expect.any(String) });
  });
});
