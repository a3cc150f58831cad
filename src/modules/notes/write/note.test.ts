import { aMerchantPrincipal, anOperatorPrincipal, later, NOW } from '../../../../test/builders.ts';
import type { Principal } from '../../../kernel/principal.ts';
import { deleteNote, mayReadNote, type Note, type Subject, writeNote } from './note.ts';

const CHARGE: Subject = {
  type: 'charge',
  id: 'chg_1',
  merchantId: 'mer_sub',
  masterId: 'mer_master',
  livemode: false,
};
const PERMISSIONS = ['charges.read'] as const;
const sub = aMerchantPrincipal({ merchantId: 'mer_sub', masterId: 'mer_master', permissions: PERMISSIONS });
const master = aMerchantPrincipal({
  merchantId: 'mer_master',
  permissions: PERMISSIONS,
  actor: { kind: 'key', id: 'key_master' },
});
const operator = anOperatorPrincipal({ permissions: ['admin.charges.read'] });

const noteBy = (principal: Principal, subject = CHARGE): Note => ({
  ...writeNote(principal, subject, { id: 'nte_1', text: 'call back', authorName: 'Paula' }, NOW).data,
  version: 1,
});

describe('a note', () => {
  it('belongs to the merchant that wrote it, and an operator’s to the merchant of the record', () => {
    expect(noteBy(master)).toMatchObject({ merchantId: 'mer_master', masterId: null, audience: 'merchant' });
    expect(noteBy(sub)).toMatchObject({ merchantId: 'mer_sub', masterId: 'mer_master' });
    expect(noteBy(operator)).toMatchObject({ merchantId: 'mer_sub', audience: 'operators' });
    expect(noteBy(sub).author).toEqual({ kind: 'key', id: 'key_1', name: 'Paula' });
  });

  it.each<[string, Principal, Principal, boolean]>([
    ['a master reads what its sub-merchant wrote', sub, master, true],
    ['a sub-merchant does not read what its master wrote', master, sub, false],
    ['no merchant reads what an operator wrote', operator, sub, false],
    ['an operator reads what a merchant wrote', master, operator, true],
    ['nobody reads it without the permission for the record', sub, { ...sub, permissions: [] }, false],
    ['nobody reads it in the other environment', sub, { ...sub, livemode: true }, false],
    ['another merchant does not read it', sub, { ...sub, merchantId: 'mer_x', masterId: null }, false],
  ])('is private: %s', (_, author, reader, expected) => {
    expect(mayReadNote(reader, noteBy(author))).toBe(expected);
  });

  it('about a merchant of both environments is read in either of them', () => {
    const people = anOperatorPrincipal({ permissions: ['admin.merchants.read'] });
    const note = noteBy(people, { ...CHARGE, type: 'merchant', livemode: null });
    expect([true, false].map((livemode) => mayReadNote({ ...people, livemode }, note))).toEqual([true, true]);
  });

  it('is deleted by its author alone, with its text', () => {
    expect(deleteNote(sub, noteBy(sub), later(60))).toMatchObject({
      type: 'note.deleted',
      data: { text: null, deletedAt: later(60).toISOString() },
    });
    expect(() => deleteNote(master, noteBy(sub), NOW)).toThrow(
      expect.objectContaining({ statusCode: 403, code: 'NOTE_AUTHOR_ONLY' }),
    );
  });
});
