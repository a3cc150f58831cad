import { chargeIdOf, devolucaoIdOf, isEndToEndId, referenceOf, txidOf } from './references.ts';

const BODY = '0123456789abcdef0123456789abcdef';

describe('a reference that an institution sees', () => {
  it('leads from a charge to a txid and back', () => {
    expect(txidOf(`chg_${BODY}`)).toBe(BODY);
    expect(txidOf(`chg_${BODY}`)).toMatch(/^[a-zA-Z0-9]{26,35}$/);
    expect(chargeIdOf(BODY)).toBe(`chg_${BODY}`);
  });

  it.each(['ref', 'sus'])('leads from %s to a devolucao and back', (prefix) => {
    const id = devolucaoIdOf(`${prefix}_${BODY}`);
    expect(id).toMatch(/^[a-zA-Z0-9]{1,35}$/);
    expect(referenceOf(id)).toBe(`${prefix}_${BODY}`);
  });

  it.each([
    '',
    BODY,
    `ref_${BODY}`,
    `chg_${BODY}0`,
    `chg_${BODY.slice(1)}`,
    `chg_${BODY.toUpperCase()}`,
    `chg_${BODY}/`,
  ])('is none for the charge %j', (id) => {
    expect(() => txidOf(id)).toThrow(RangeError);
  });

  it.each(['', BODY, `ref${BODY}`, `ref_${BODY}0`, `refs_${BODY}`, `ref_${BODY}/..`])(
    'is none for the refund %j',
    (id) => {
      expect(() => devolucaoIdOf(id)).toThrow(RangeError);
    },
  );

  it('of somebody else leads to nothing here', () => {
    for (const txid of ['', `${BODY}0`, 'somebodyelses1234567890123'])
      expect([txid, chargeIdOf(txid)]).toEqual([txid, null]);
    for (const id of ['', BODY, `chg${BODY}`, `ref${BODY}0`, 'byhand1'])
      expect([id, referenceOf(id)]).toEqual([id, null]);
  });

  it('is told from the identifier of a Pix', () => {
    expect(isEndToEndId(`E${'1a'.repeat(15)}Z`)).toBe(true);
    for (const text of [
      null,
      '',
      BODY,
      `E${'1'.repeat(30)}`,
      `E${'1'.repeat(32)}`,
      `D${'1'.repeat(31)}`,
      `E${'-'.repeat(31)}`,
    ])
      expect([text, isEndToEndId(text)]).toEqual([text, false]);
  });
});
