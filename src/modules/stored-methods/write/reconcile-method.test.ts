import { aStoredCard, later, NOW } from '../../../../test/builders.ts';
import { aStoredState, createFakeProvider, createFakeVault } from '../../../../test/fakes/provider.ts';
import { createFakeWriteStore } from '../../../../test/fakes/write-store.ts';
import type { CardVault, StoredState } from '../../providers/provider.ts';
import { createReconcileMethod } from './reconcile-method.ts';
import { createRecordMandateState, createRecordStoredState } from './record-stored-state.ts';
import type { StoredMethod } from './stored-method.ts';
import { STORED_METHODS } from './stored-methods.store.ts';

const DAY = 86_400;

/** Reconciles a method `seconds` after it was made, at a provider that gives this answer. */
const reconcile = async (
  due: StoredMethod,
  known: StoredState | null,
  { seconds = 60, revoked = aStoredState({ status: 'failed' }) as StoredState | Error, isGone = false } = {},
) => {
  const store = createFakeWriteStore();
  store.put(STORED_METHODS, due);
  const asked: string[] = [];
  const vault: Partial<CardVault> = {
    describeStored: async ({ reference }) => {
      asked.push(`describe ${reference}`);
      return known;
    },
    revoke: async ({ reference }) => {
      asked.push(`revoke ${reference}`);
      if (revoked instanceof Error) throw revoked;
      return revoked;
    },
  };
  const provider = { ...createFakeProvider(), vault: createFakeVault(vault) };
  const clock = () => later(seconds);
  const changing = { transact: store.transact, clock };
  const run = createReconcileMethod({
    ...changing,
    providerNamed: async () => (isGone ? null : provider),
    recordStoredState: createRecordStoredState({ ...changing, methodFollowers: [] }),
    recordMandateState: createRecordMandateState({ ...changing, methodFollowers: [] }),
  });
  const failed = await run(due, clock()).then(
    () => false,
    () => true,
  );
  return { failed, asked, decisions: store.decisions(), after: store.find(STORED_METHODS, due.id) };
};

describe('a method whose storing had no answer', () => {
  it('is what the provider says that became of it', async () => {
    const { after, asked } = await reconcile(aStoredCard(), aStoredState());
    expect([after?.status, asked]).toEqual(['active', ['describe pm_1']]);
  });

  it('is failed where the provider never heard of it, which then cannot store it any more', async () => {
    const { after, asked } = await reconcile(aStoredCard(), null);
    expect(after).toMatchObject({ status: 'failed', failureReason: 'not_stored', reconcileAt: null });
    expect(asked).toEqual(['describe pm_1', 'revoke pm_1']);
  });

  it('waits for its holder a day long', async () => {
    const waits = aStoredState({ status: 'pending', authenticationUrl: 'https://bank.example' });
    expect((await reconcile(aStoredCard(), waits, { seconds: DAY })).after?.status).toBe('pending');
    const late = await reconcile(aStoredCard(), waits, { seconds: DAY + 1 });
    expect(late.after).toMatchObject({ status: 'failed', failureReason: 'authentication_expired' });
    expect(late.asked).toEqual(['describe pm_1', 'revoke pm_1']);
  });

  it('stays as it is while its provider is not configured', async () => {
    const { after, decisions } = await reconcile(aStoredCard(), null, { isGone: true });
    expect([after?.status, decisions]).toEqual(['pending', []]);
  });
});

describe('a method that was revoked', () => {
  const due = aStoredCard({ status: 'revoked', reconcileAt: NOW.toISOString() });

  it('is forgotten by the provider, and then left alone', async () => {
    const { after, asked } = await reconcile(due, null, { revoked: aStoredState({ status: 'revoked' }) });
    expect([after?.status, after?.reconcileAt, asked]).toEqual(['revoked', null, ['revoke pm_1']]);
  });

  it('is revoked again later where the provider does not answer', async () => {
    const { failed, after } = await reconcile(due, null, { revoked: new Error('connection reset') });
    expect([failed, after?.reconcileAt]).toEqual([true, NOW.toISOString()]);
  });

  it('is unknown to the provider while the charge that it is kept with is not paid', async () => {
    const waits = { ...due, chargeId: 'chg_1' } as const;
    expect((await reconcile(waits, null)).asked).toEqual([]);
    const paid = await reconcile({ ...waits, payment: 'pi_1' }, null);
    expect(paid.asked).toEqual(['revoke pm_1']);
  });

  it('needs nobody where its provider is gone', async () => {
    expect((await reconcile(due, null, { isGone: true })).after?.reconcileAt).toBeNull();
  });
});

it('a method is expired without a question once its card is', async () => {
  const due = aStoredCard({ status: 'active', reconcileAt: NOW.toISOString() });
  const { after, asked } = await reconcile(due, null);
  expect([after?.status, asked]).toEqual(['expired', []]);
});
