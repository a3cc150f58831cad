type Members = Readonly<Record<string, unknown>>;

/** An answer, or a part of it, in the words of a certain institution, at a time of its clock. */
export type Words = (members: Members, now: Date) => Members;

/** Says a body, and everything within it, in other words. */
export const inWords = (body: unknown, words: Words, now: Date): unknown => {
  if (Array.isArray(body)) return body.map((one) => inWords(one, words, now));
  if (typeof body !== 'object' || body === null) return body;
  const said = Object.entries(body).map(([name, value]) => [name, inWords(value, words, now)]);
  return words(Object.fromEntries(said), now);
};

/** Replaces members where they are there. */
const saying =
  (others: Readonly<Record<string, (value: unknown) => unknown>>): Words =>
  (members) =>
    Object.fromEntries(
      Object.entries(members).map(([name, value]) => [name, others[name] ? others[name](value) : value]),
    );

const asNumber = (value: unknown): unknown => (typeof value === 'string' ? Number(value) : value);
/** The clock of Brasília, which is three hours behind UTC, without saying so. */
const withoutZone = (value: unknown): unknown =>
  typeof value === 'string' ? new Date(Date.parse(value) - 3 * 3_600_000).toISOString().slice(0, -1) : value;

export const amountsAsNumbers = saying({ valor: asNumber, original: asNumber });
export const txidInCapitals = saying({ txid: (value) => String(value).toUpperCase() });
export const timesWithoutZone = saying({
  horario: withoutZone,
  criacao: withoutZone,
  solicitacao: withoutZone,
  liquidacao: withoutZone,
});
export const returnAsObject = saying({ devolucoes: (value) => (Array.isArray(value) ? value[0] : value) });
export const returnsWithoutReason = saying({ natureza: () => null });

export const returnsWithoutIdOfBank: Words = ({ rtrId: _, ...members }) => members;
/** A charge that is paid without the Pix that paid it. */
export const paidWithoutPix: Words = ({ pix, ...members }) =>
  'txid' in members && 'calendario' in members ? members : { ...members, ...(pix ? { pix } : {}) };
/** The address in place of the code that payers copy, with the scheme that does not belong to it. */
export const addressAlone: Words = ({ pixCopiaECola, location, ...members }) =>
  pixCopiaECola ? { ...members, loc: { id: 1, location: `https://${location}` } } : members;

export const returnsWithoutId: Words = ({ id, ...members }) =>
  'natureza' in members && 'rtrId' in members ? members : { ...members, ...(id === undefined ? {} : { id }) };
/** A status that the document does not have, of a charge whose time is over. */
export const expiredByName: Words = (members, now) => {
  const { criacao, expiracao } = (members.calendario ?? {}) as Members;
  const isOver = Date.parse(String(criacao)) + Number(expiracao) * 1_000 <= now.getTime();
  return members.status === 'ATIVA' && isOver ? { ...members, status: 'EXPIRADA' } : members;
};
/** A charge that names no charge in the Pix that paid it. */
export const emptyTxidOfPix: Words = (members) =>
  'calendario' in members && Array.isArray(members.pix)
    ? { ...members, pix: members.pix.map((pix) => ({ ...pix, txid: '' })) }
    : members;
