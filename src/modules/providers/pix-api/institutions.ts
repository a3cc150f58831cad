/**
 * How an institution wants to be asked where the central bank's document leaves it open, or where it deviates from it.
 */
export type Manner = {
  /** Where the client's credentials go when a token is asked for; `none`: its id in the form, without a secret. */
  readonly tokenAuthentication: (typeof TOKEN_AUTHENTICATIONS)[number];
  /** Parameters of the token's address. One of them stands in place of the form's. */
  readonly tokenQuery: Pairs;
  /** Scopes that are asked for, by spaces; null: none, and the institution grants all that the client has. */
  readonly scopes: string | null;
  /** With every call; `{clientId}` and `{uuid}` stand for the client's id and for a new UUID. */
  readonly headers: Pairs;
  /** Parameters of every address of the API. */
  readonly query: Pairs;
  /** Other base addresses, by a resource (`cob`) or by one operation (`PATCH cob`). */
  readonly addresses: Pairs;
};

export type Pairs = Readonly<Record<string, string>>;

export const TOKEN_AUTHENTICATIONS = ['basic', 'form', 'none'] as const;

/** Resources of the API that this connector uses. */
export const RESOURCES = [
  'cob',
  'cobv',
  'pix',
  'webhook',
  'locrec',
  'rec',
  'cobr',
  'webhookrec',
  'webhookcobr',
] as const;

/**
 * Scopes of charges with a due date. They are asked for with a token of their own: an institution that has not granted
 * them to a client would refuse it all others, too.
 */
export const DUE_SCOPES = 'cobv.write cobv.read';

/** Scopes of mandates and of charges under them, for the same reason with a token of their own. */
export const MANDATE_SCOPES =
  'rec.write rec.read cobr.write cobr.read payloadlocationrec.write payloadlocationrec.read ' +
  'webhookrec.write webhookcobr.write';

const ALL_SCOPES = 'cob.write cob.read pix.write pix.read webhook.write webhook.read';

/** The document leaves open how a token is asked for. Most institutions take the credentials by HTTP Basic. */
export const AS_DOCUMENTED: Manner = {
  tokenAuthentication: 'basic',
  tokenQuery: {},
  scopes: ALL_SCOPES,
  // Some institutions refuse a request that does not say who makes it.
  headers: { 'user-agent': 'Portico' },
  query: {},
  addresses: {},
};

/** An institution by its own address. Settings that the merchant cannot do without are in `needs`. */
export type Institution = Partial<Manner> & {
  readonly url: string;
  readonly tokenUrl: string;
  readonly needs?: readonly string[];
};

/**
 * Institutions by the names of `PIX_API_PROFILE`. Each row was read on 2026-11-26 in what its comment names, and has
 * been tried against a double only: nobody had a sandbox of one. Each of them asks for a client certificate.
 */
export const INSTITUTIONS = {
  /**
   * dev.efipay.com.br, its SDKs. It tests the callback's address when it is registered, by mutual TLS unless the header
   * says that it need not. Its address of tokens takes form and JSON alike, according to public drivers.
   */
  efi: {
    url: 'https://pix.api.efipay.com.br/v2',
    tokenUrl: 'https://pix.api.efipay.com.br/oauth/token',
    scopes: null,
    headers: { 'x-skip-mtls-checking': 'true' },
  },
  /** developers.bb.com.br, driver of Projeto ACBr. The application's key is `gw-dev-app-key` in every address. */
  bb: {
    url: 'https://api-pix.bb.com.br/pix/v2',
    tokenUrl: 'https://oauth.bb.com.br/oauth/token',
    needs: ['PIX_API_QUERY'],
  },
  /**
   * devportal.itau.com.br, drivers. Whether the correlation has to be there could not be verified: drivers send it.
   * Clients with a token by private key (`/as/token.oauth2`) set another PIX_API_TOKEN_URL.
   */
  itau: {
    url: 'https://secure.api.itau/pix_recebimentos/v2',
    tokenUrl: 'https://sts.itau.com.br/api/oauth/token',
    tokenAuthentication: 'form',
    scopes: null,
    headers: { 'x-itau-apikey': '{clientId}', 'x-correlationid': '{uuid}' },
  },
  /** developers.inter.co. A client with several accounts adds `x-conta-corrente` to PIX_API_HEADERS. */
  inter: {
    url: 'https://cdpj.partners.bancointer.com.br/pix/v2',
    tokenUrl: 'https://cdpj.partners.bancointer.com.br/oauth/v2/token',
    tokenAuthentication: 'form',
  },
  /**
   * Drivers (ACBr, pix-ruby). Older clients have their tokens at `/oauth/token`; which one a client has could not be
   * verified.
   */
  bradesco: {
    url: 'https://qrpix.bradesco.com.br/v2',
    tokenUrl: 'https://qrpix.bradesco.com.br/auth/server/oauth/token',
    scopes: null,
  },
  /** developer.santander.com.br, driver of Projeto ACBr: a charge is changed at v2, all else is at v1. */
  santander: {
    url: 'https://trust-pix.santander.com.br/api/v1',
    tokenUrl: 'https://trust-pix.santander.com.br/oauth/token',
    tokenAuthentication: 'form',
    tokenQuery: { grant_type: 'client_credentials' },
    scopes: null,
    addresses: { 'PATCH cob': 'https://trust-pix.santander.com.br/api/v2' },
  },
  /** developers.sicoob.com.br: the certificate stands in place of a secret. */
  sicoob: {
    url: 'https://api.sicoob.com.br/pix/api/v2',
    tokenUrl: 'https://auth.sicoob.com.br/auth/realms/cooperado/protocol/openid-connect/token',
    tokenAuthentication: 'none',
    headers: { client_id: '{clientId}' },
  },
  /** developers.sicredi.com.br, driver pypix-api: a single charge is at v3, all else is at v2. */
  sicredi: {
    url: 'https://api-pix.sicredi.com.br/api/v2',
    tokenUrl: 'https://api-pix.sicredi.com.br/oauth/token',
    addresses: { cob: 'https://api-pix.sicredi.com.br/api/v3' },
  },
  /** developers.c6bank.com.br, drivers. */
  c6: {
    url: 'https://baas-api.c6bank.info/v2/pix',
    tokenUrl: 'https://baas-api.c6bank.info/v1/auth/',
    tokenAuthentication: 'form',
    scopes: null,
  },
  /**
   * developer.ailos.coop.br, driver of Projeto ACBr. That driver leaves `grant_type` out and adds its authority as
   * `cacert`; that a usual request works could not be verified.
   */
  ailos: {
    url: 'https://apiendpoint.ailos.coop.br/ailos/pix-cobranca/api/v1',
    tokenUrl: 'https://apiendpoint.ailos.coop.br/ailos/pix-cobranca/api/v1/client/connect/token',
    tokenAuthentication: 'form',
  },
} as const satisfies Readonly<Record<string, Institution>>;

export type InstitutionName = keyof typeof INSTITUTIONS;

const isInstitution = (name: unknown): name is InstitutionName =>
  typeof name === 'string' && Object.hasOwn(INSTITUTIONS, name);

/** Null for no profile, and for a name that has none. */
export const institutionNamed = (name: unknown): Institution | null =>
  isInstitution(name) ? INSTITUTIONS[name] : null;
