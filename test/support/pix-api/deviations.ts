import type { InstitutionName } from '../../../src/modules/providers/pix-api/institutions.ts';
import {
  addressAlone,
  amountsAsNumbers,
  emptyTxidOfPix,
  expiredByName,
  paidWithoutPix,
  returnAsObject,
  returnsWithoutId,
  returnsWithoutIdOfBank,
  returnsWithoutReason,
  timesWithoutZone,
  txidInCapitals,
  type Words,
} from './words.ts';

/** The ways in which an institution requires more than the central bank's document says, or answers in another way. */
export type Deviations = {
  /** Where it expects the client's credentials; HTTP Basic by default. */
  readonly tokenAuthentication?: 'basic' | 'form' | 'none';
  readonly tokenPath?: string;
  readonly tokenStatus?: 200 | 201;
  /** Whether the grant type is in the token's address instead of the body. */
  readonly grantInAddress?: boolean;
  /** Scopes that the client may request; null where it must request none and has all of them. */
  readonly scopes?: readonly string[] | null;
  /** The answer to an expired token. */
  readonly endedTokenStatus?: 401 | 403;
  /** Headers that every call needs, by their names in lower case. */
  readonly headers?: Readonly<Record<string, RegExp>>;
  readonly query?: Readonly<Record<string, string>>;
  /** Path of the API, and other paths of single resources or operations. */
  readonly base?: string;
  readonly bases?: Readonly<Record<string, string>>;
  /** Rewrites answers and callbacks where the institution deviates from the document in them. */
  readonly words?: Words;
  /** Set where callbacks contain only the list of Pix, without the object around it. */
  readonly callsBackWithList?: true;
  /** Set where charges that were removed are no longer found. */
  readonly hidesRemoved?: true;
  /** Set where what was taken is shown late, so that a repetition is refused for what cannot be read yet. */
  readonly showsLate?: true;
  /** Set where what stands before the API does not find the way to a refund at first. */
  readonly losesTheWay?: true;
  /** Set where it asks for a rest when more comes than it takes, as its limits are lower than others'. */
  readonly asksForRest?: true;
  /** Callbacks by which the institution tries the address, about no Pix. */
  readonly triesWith?: readonly unknown[];
};

const CLIENT = /^loja-da-ana$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Single deviations, each with the settings by which an account is connected all the same. `$URL` stands for the origin
 * of the double.
 */
export const DEVIATIONS: readonly {
  readonly name: string;
  readonly is: Deviations;
  readonly settings: Readonly<Record<string, string>>;
}[] = [
  {
    name: 'takes credentials in the form',
    is: { tokenAuthentication: 'form' },
    settings: { PIX_API_TOKEN_AUTH: 'form' },
  },
  {
    name: 'knows the client by its certificate alone',
    is: { tokenAuthentication: 'none' },
    settings: { PIX_API_TOKEN_AUTH: 'none' },
  },
  {
    name: 'takes the grant in the address of tokens',
    is: { grantInAddress: true },
    settings: { PIX_API_TOKEN_QUERY: 'grant_type=client_credentials' },
  },
  { name: 'answers 201 with a token', is: { tokenStatus: 201 }, settings: {} },
  {
    name: 'grants fewer scopes',
    is: { scopes: ['cob.write', 'cob.read', 'pix.write', 'pix.read', 'webhook.write'] },
    settings: { PIX_API_SCOPES: 'cob.write cob.read pix.write pix.read webhook.write' },
  },
  { name: 'takes no scopes', is: { scopes: null }, settings: { PIX_API_SCOPES: 'none' } },
  { name: 'answers 403 to a token that has ended', is: { endedTokenStatus: 403 }, settings: {} },
  { name: 'demands to know who asks', is: { headers: { 'user-agent': /^Portico$/ } }, settings: {} },
  {
    name: 'demands headers of its own',
    is: { headers: { client_id: CLIENT, 'x-conta-corrente': /^123456$/, 'x-correlation': UUID } },
    settings: {
      PIX_API_HEADERS: 'client_id={clientId}&X-Conta-Corrente=123456&X-Correlation={uuid}',
    },
  },
  {
    name: 'demands a key in every address',
    is: { query: { 'gw-dev-app-key': 'a key+1' } },
    settings: { PIX_API_QUERY: 'gw-dev-app-key=a%20key%2B1' },
  },
  {
    name: 'has a resource and an operation elsewhere',
    is: { base: '/api/v2', bases: { cob: '/api/v3', 'PATCH cob': '/other/v4' } },
    settings: { PIX_API_ADDRESSES: 'cob=$URL/api/v3&PATCH cob=$URL/other/v4' },
  },
  { name: 'says amounts as numbers', is: { words: amountsAsNumbers }, settings: {} },
  { name: 'says the txid in capitals', is: { words: txidInCapitals }, settings: {} },
  { name: 'says times without their zone', is: { words: timesWithoutZone }, settings: {} },
  { name: 'says an address in place of a code to copy', is: { words: addressAlone }, settings: {} },
  { name: 'says that a charge is paid, and not by which Pix', is: { words: paidWithoutPix }, settings: {} },
  { name: 'says a single return as an object', is: { words: returnAsObject }, settings: {} },
  { name: 'says no reason of a return', is: { words: returnsWithoutReason }, settings: {} },
  { name: 'calls back with a list alone', is: { callsBackWithList: true }, settings: {} },
  { name: 'does not find what was removed', is: { hidesRemoved: true }, settings: {} },
  { name: 'says no id for a return', is: { words: returnsWithoutId }, settings: {} },
  { name: 'says a charge that is over as expired', is: { words: expiredByName }, settings: {} },
  { name: 'says an empty txid of the Pix in a charge', is: { words: emptyTxidOfPix }, settings: {} },
  { name: 'shows late what it has taken, and refuses it again', is: { showsLate: true }, settings: {} },
  { name: 'does not find the way to a refund at first', is: { losesTheWay: true }, settings: {} },
  { name: 'asks for a rest when more comes than it takes', is: { asksForRest: true }, settings: {} },
  {
    name: 'tries the callback with an event',
    is: { triesWith: [{ evento: 'teste_webhook' }] },
    settings: {},
  },
  { name: 'tries the callback with an empty list', is: { triesWith: [{ pix: [] }, []] }, settings: {} },
  { name: 'says no id of the bank for a return', is: { words: returnsWithoutIdOfBank }, settings: {} },
];

/** Deviations that may happen at every institution. */
const EVERYWHERE = {
  showsLate: true,
  losesTheWay: true,
  asksForRest: true,
  triesWith: [{ pix: [] }],
} as const;

/** Deviations of each institution according to its documentation and public drivers. */
const OF_INSTITUTIONS: Readonly<Record<InstitutionName, Deviations>> = {
  efi: {
    triesWith: [{ evento: 'teste_webhook' }, { pix: [] }],
    base: '/v2',
    scopes: null,
    headers: { 'x-skip-mtls-checking': /^true$/ },
  },
  bb: { base: '/pix/v2', query: { 'gw-dev-app-key': 'the-key-of-the-application' } },
  itau: {
    base: '/pix_recebimentos/v2',
    tokenPath: '/api/oauth/token',
    tokenAuthentication: 'form',
    scopes: null,
    headers: { 'x-itau-apikey': CLIENT, 'x-correlationid': UUID },
  },
  inter: {
    base: '/pix/v2',
    tokenPath: '/oauth/v2/token',
    tokenAuthentication: 'form',
  },
  bradesco: { base: '/v2', tokenPath: '/auth/server/oauth/token', scopes: null },
  santander: {
    base: '/api/v1',
    bases: { 'PATCH cob': '/api/v2' },
    tokenAuthentication: 'form',
    grantInAddress: true,
    scopes: null,
  },
  sicoob: {
    base: '/pix/api/v2',
    tokenPath: '/auth/realms/cooperado/protocol/openid-connect/token',
    tokenAuthentication: 'none',
    headers: { client_id: CLIENT },
  },
  sicredi: { base: '/api/v2', bases: { cob: '/api/v3' } },
  c6: { base: '/v2/pix', tokenPath: '/v1/auth/', tokenAuthentication: 'form', scopes: null },
  ailos: {
    base: '/ailos/pix-cobranca/api/v1',
    tokenPath: '/ailos/pix-cobranca/api/v1/client/connect/token',
    tokenAuthentication: 'form',
    tokenStatus: 201,
  },
};

/** All deviations of an institution together. */
export const asInstitution = (name: InstitutionName): Deviations => ({
  ...EVERYWHERE,
  ...OF_INSTITUTIONS[name],
});
