import type { AuditEntry } from './audit.ts';
import { EMPTY_AUDIT_CHAIN, extendChain, linkHash, snapshotDigestOf } from './audit-chain.ts';

const entry = (id: number, changes: Partial<AuditEntry> = {}): AuditEntry => ({
  id: `aud_${id}`,
  version: 1,
  at: '2026-03-01T12:00:00.000Z',
  actor: { kind: 'operator', id: 'usr_1' },
  requestId: 'r',
  address: '192.0.2.1',
  type: 'merchant.updated',
  resource: 'merchant',
  resourceId: 'mer_1',
  livemode: null,
  details: { a: 1, b: ['x'] },
  before: '{"a":1}',
  after: '{"a":2}',
  ...changes,
});
const secret = { salt: 'salt' };
const chain = (...entries: AuditEntry[]) =>
  extendChain(
    EMPTY_AUDIT_CHAIN,
    entries.map((one) => ({ entry: one, secret })),
  );

describe('the chain of the audit log', () => {
  it('gives places without gaps, each with the hash before it', () => {
    const { links, head } = chain(entry(1), entry(2));
    expect(links.map(({ _id, seq }) => [_id, seq])).toEqual([
      ['aud_1', 1],
      ['aud_2', 2],
    ]);
    expect(links[0]?.previousHash).toBe(EMPTY_AUDIT_CHAIN.hash);
    expect(links[1]?.previousHash).toBe(links[0]?.hash);
    expect(head).toMatchObject({ seq: 2, hash: links[1]?.hash });
    const more = extendChain(head, [{ entry: entry(3), secret }]);
    expect(more.links[0]).toMatchObject({ seq: 3, previousHash: head.hash });
  });

  it.each<[string, Partial<AuditEntry>]>([
    ['who', { actor: { kind: 'operator', id: 'usr_2' } }],
    ['when', { at: '2026-03-01T12:00:00.001Z' }],
    ['from where', { address: null }],
    ['what', { type: 'merchant.created' }],
    ['about what', { resourceId: 'mer_2' }],
    ['in which environment', { livemode: true }],
    ['with which details', { details: { a: 2, b: ['x'] } }],
    ['by which request', { requestId: 's' }],
  ])('shows a change of %s', (_, changes) => {
    const [link] = chain(entry(1)).links;
    if (!link) throw new Error('no link');
    expect(linkHash(link, entry(1))).toBe(link.hash);
    expect(linkHash(link, entry(1, { details: { b: ['x'], a: 1 } }))).toBe(link.hash);
    expect(linkHash(link, entry(1, changes))).not.toBe(link.hash);
  });

  it('knows before and after by a digest that tells nothing without its salt', () => {
    expect(snapshotDigestOf(entry(1), secret)).toBe(chain(entry(1)).links[0]?.pictures);
    expect(snapshotDigestOf(entry(1, { after: null }), secret)).not.toBe(snapshotDigestOf(entry(1), secret));
    expect(snapshotDigestOf(entry(1), {})).not.toBe(snapshotDigestOf(entry(1), secret));
  });
});
