import { NOW } from '../../../test/builders.ts';
import {
  joinRows,
  type OutboxRow,
  outboxRow,
  piecesOf,
  SHARDS,
  type StoredRow,
  shardsFor,
} from './outbox.ts';

const rowOf = (consumer: string, key: string, changes: Partial<OutboxRow> = {}): OutboxRow => ({
  ...outboxRow(consumer, `evt_${key}`, key, `commit-${key}`, NOW),
  ...changes,
});
const keys = (count: number): readonly string[] => Array.from({ length: count }, (_, at) => `chg_${at}`);
const workOf = (rows: readonly OutboxRow[]) =>
  rows.map(({ consumer, subject, key, commit, failures }) => ({ consumer, subject, key, commit, failures }));

describe('rows of one commit', () => {
  it('name all that it left for a view, whatever the shard', () => {
    const rows = keys(40).map((key) => rowOf('view-charges', key));
    const stored = joinRows(rows);
    expect(stored).toHaveLength(1);
    expect(stored.map(({ state }) => state)).toEqual(['joined']);
    expect(workOf(stored.flatMap(piecesOf))).toEqual(workOf(rows));
  });

  it('are one for each shard where two workers must not do the work of one key', () => {
    const rows = keys(200).map((key) => rowOf('ledger', key));
    const stored = joinRows(rows);
    expect(stored).toHaveLength(SHARDS);
    for (const row of stored)
      for (const { key, shard } of piecesOf(row)) expect(shard).toBe(rowOf('ledger', key).shard);
    const sorted = (work: readonly OutboxRow[]) => workOf(work).sort((a, b) => (a.key < b.key ? -1 : 1));
    expect(sorted(stored.flatMap(piecesOf))).toEqual(sorted(rows));
  });

  it('keep consumers apart, and leave a piece alone that nothing joins', () => {
    const rows = [rowOf('view-charges', 'a'), rowOf('view-refunds', 'a'), rowOf('ledger', 'a')];
    expect(joinRows(rows)).toEqual(rows);
  });

  it('keep tenants apart where these are told, and name the one of all', () => {
    const rows = ['mer_1', 'mer_2', 'mer_1'].map((tenantId, at) =>
      rowOf('view-charges', `chg_${at}`, { tenantId }),
    );
    const tenantsOf = (stored: readonly StoredRow[]) => stored.map(({ tenantId }) => tenantId);
    expect(tenantsOf(joinRows(rows))).toEqual([undefined]);
    expect(tenantsOf(joinRows(rows, ({ tenantId = null }) => tenantId))).toEqual(['mer_1', 'mer_2']);
  });

  it('leave alone what waits for its retry or is held by a process', () => {
    const rows = ['a', 'b'].map((key) => rowOf('view-charges', key, { state: 'waiting', heldBy: 'seed' }));
    expect(joinRows(rows)).toEqual(rows);
  });

  it('name fifty pieces at most, and are as old as the oldest of them', () => {
    const rows = keys(120).map((key, at) =>
      rowOf('view-charges', key, { createdAt: new Date(NOW.getTime() - at) }),
    );
    const stored = joinRows(rows);
    expect(stored.map((row) => piecesOf(row).length)).toEqual([50, 50, 20]);
    expect(stored.map(({ createdAt }) => NOW.getTime() - createdAt.getTime())).toEqual([49, 99, 119]);
    expect(workOf(stored.flatMap(piecesOf))).toEqual(workOf(rows));
  });

  it('keep the order of each key', () => {
    const rows = [1, 2, 3].map((version) => rowOf('webhooks', 'chg_1', { subject: `evt_${version}` }));
    expect(
      joinRows(rows)
        .flatMap(piecesOf)
        .map(({ subject }) => subject),
    ).toEqual(['evt_1', 'evt_2', 'evt_3']);
  });

  it('carry the trace of each piece, also where some are not traced', () => {
    const [one, other, third] = keys(3).map((key) => rowOf('view-charges', key));
    const traced = [{ ...one, traceparent: '00-a' }, other, third] as readonly OutboxRow[];
    const pieces = joinRows(traced).flatMap(piecesOf);
    expect(pieces.map(({ traceparent }) => traceparent)).toEqual(['00-a', null, null]);
    // The rest replaces the former row, including its list of traces.
    const [left] = joinRows(pieces.slice(1));
    expect(left).toMatchObject({ traceparent: [null, null] });
    expect(joinRows(keys(2).map((key) => rowOf('view-charges', key)))[0]).not.toHaveProperty('traceparent');
  });
});

describe('shards of the outbox', () => {
  it.each([
    [1, 1],
    [2, 2],
    [3, 4],
    [16, 16],
    [33, 64],
    [64, 64],
  ])('are for %i workers %i', (workers, shards) => {
    expect(shardsFor(workers)).toBe(shards);
  });
});
