import type { InstitutionName } from '../../../src/modules/providers/pix-api/institutions.ts';

/** Ways in which an institution asks for more, or other, than the central bank's document says. */
export type Deviations = {
  /** Where it takes the client's credentials; by HTTP Basic without this. */
  readonly tokenAuthentication?: 'basic' | 'form' | 'none';
  readonly tokenPath?: string;
  readonly tokenStatus?: 200 | 201;
  /** The grant is part of the token's address, and of nothing else. */
  readonly grantInAddress?: boolean;
  /** Scopes that the client may ask for; null: none may be asked for, and it has all of them. */
  readonly scopes?: readonly string[] | null;
  /** The answer to a token that has ended. */
  readonly endedTokenStatus?: 401 | 403;
  /** Headers of every call, by their names in small letters. */
  readonly headers?: Readonly<Record<string, RegExp>>;
  readonly query?: Readonly<Record<string, string>>;
  /** Path of the API, and other ones of single resources or operations. */
  readonly base?: string;
  readonly bases?: Readonly<Record<string, string>>;
};

const CLIENT = /^loja-da-ana$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Single deviations, each with the settings by which an account is connected all the same. `$URL` stands for the
 * origin of the double.
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
];

/** All deviations of an institution at once, as its documentation and public drivers have them. */
export const AS_INSTITUTIONS: Readonly<Record<InstitutionName, Deviations>> = {
  efi: {
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
