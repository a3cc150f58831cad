import Joi from 'joi';

/** Names in a callback. Nothing else in it is believed. */
type Named = {
  /** End-to-end identifiers of Pix. */
  readonly pixes: readonly string[];
  /** Mandates. */
  readonly recs: readonly string[];
  /** Charges under mandates, by their txid. */
  readonly cobrs: readonly string[];
};

type Body = {
  readonly pix?: readonly { readonly endToEndId: string }[];
  readonly recs?: readonly { readonly idRec: string }[];
  readonly cobsr?: readonly { readonly txid: string }[];
};

/** Each is asked back by itself, and institutions tell of a few at a time. */
const MOST_NAMES = 1_000;

const list = (name: string, pattern: RegExp): Joi.ArraySchema =>
  Joi.array()
    .max(MOST_NAMES)
    .items(Joi.object({ [name]: Joi.string().pattern(pattern).required() }).unknown());
const pixes = list('endToEndId', /^[a-zA-Z0-9]{32}$/);
const recs = list('idRec', /^[a-zA-Z0-9]{29}$/);
const cobrs = list('txid', /^[a-zA-Z0-9]{26,35}$/);

/** As the API has it, or the list of Pix alone. An institution that tries the address sends an event without any Pix. */
const callbackBody = Joi.alternatives(
  Joi.object({ pix: pixes.required() }).unknown(),
  pixes,
  Joi.object({ recs: recs.required() }).unknown(),
  Joi.object({ cobsr: cobrs.required() }).unknown(),
  Joi.object({ evento: Joi.string().required(), pix: Joi.forbidden() }).unknown(),
).required();

/** Each once, in the order of the delivery; null for what is no callback. */
export const namedIn = (body: Buffer): Named | null => {
  const { error, value } = callbackBody.validate(parse(body), { convert: false });
  if (error) return null;
  const told: Body = Array.isArray(value) ? { pix: value } : value;
  return {
    pixes: once(told.pix, ({ endToEndId }) => endToEndId),
    recs: once(told.recs, ({ idRec }) => idRec),
    cobrs: once(told.cobsr, ({ txid }) => txid),
  };
};

const once = <T>(given: readonly T[] = [], name: (one: T) => string): readonly string[] => [
  ...new Set(given.map(name)),
];

const parse = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
};
