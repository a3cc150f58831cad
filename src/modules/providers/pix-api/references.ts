/**
 * References that the institution sees, each derived from one of the gateway's and leading back to it. A `txid` has 26
 * to 35 letters and digits, the id of a `devolucao` 1 to 35 (API Pix 2.9.0).
 */
const ID = /^([a-z]{3})_([0-9a-f]{32})$/;

/** The `txid` of a charge. Throws for what is no charge's id. */
export const txidOf = (chargeId: string): string => {
  const [, prefix, body] = ID.exec(chargeId) ?? [];
  if (prefix !== 'chg' || !body) throw new RangeError(`${chargeId} cannot be a txid`);
  return body;
};

export const isChargeId = (reference: string): boolean => ID.exec(reference)?.[1] === 'chg';

/** The charge behind a `txid`, which some institutions write in capitals; null for one that this gateway never gave. */
export const chargeIdOf = (txid: string): string | null =>
  /^[0-9a-f]{32}$/i.test(txid) ? `chg_${txid.toLowerCase()}` : null;

/** The id of a `devolucao` for a refund or the return of stray money. Throws for what is neither's id. */
export const devolucaoIdOf = (reference: string): string => {
  const [, prefix, body] = ID.exec(reference) ?? [];
  if (!prefix || !body) throw new RangeError(`${reference} cannot be the id of a devolucao`);
  return `${prefix}${body}`;
};

/** The refund or return behind the id of a `devolucao`; null for one that this gateway never gave. */
export const referenceOf = (devolucaoId: string): string | null => {
  const [, prefix, body] = /^(ref|sus)([0-9a-f]{32})$/.exec(devolucaoId.toLowerCase()) ?? [];
  return prefix && body ? `${prefix}_${body}` : null;
};

/** Whether this is the end-to-end identifier of a Pix, as a charge has it once it is paid. */
export const isEndToEndId = (text: string | null): text is string =>
  text !== null && /^E[a-zA-Z0-9]{31}$/.test(text);
