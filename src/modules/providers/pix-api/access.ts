import Joi from 'joi';
import { providerAddress } from '../connector.ts';
import {
  AS_DOCUMENTED,
  DUE_SCOPES,
  institutionNamed,
  MANDATE_SCOPES,
  type Manner,
  type Pairs,
  RESOURCES,
  TOKEN_AUTHENTICATIONS,
} from './institutions.ts';

/** Settings that say how an institution wants to be asked; each stands in place of what the profile says. */
export type MannerSettings = {
  readonly PIX_API_PROFILE?: string;
  readonly PIX_API_URL?: string;
  readonly PIX_API_TOKEN_URL?: string;
  readonly PIX_API_TOKEN_AUTH?: Manner['tokenAuthentication'];
  readonly PIX_API_TOKEN_QUERY?: string;
  readonly PIX_API_SCOPES?: string;
  readonly PIX_API_HEADERS?: string;
  readonly PIX_API_QUERY?: string;
  readonly PIX_API_ADDRESSES?: string;
};

/** Where and how one institution is asked. */
export type Access = Manner & {
  readonly url: string;
  readonly tokenUrl: string;
  /** Scopes of the token for charges with a due date; those of all other calls where a setting names them. */
  readonly dueScopes: string | null;
  /** Scopes of the token for mandates and charges under them, in the same way. */
  readonly mandateScopes: string | null;
};

const NO_SCOPES = 'none';

const OPERATION = new RegExp(`^((GET|POST|PUT|PATCH) )?(${RESOURCES.join('|')})$`);

/** `name=value&name=value`, percent-encoded as in an address. */
const pairsOf = (text: string | undefined): Pairs => Object.fromEntries(new URLSearchParams(text));

const pairs = (isRight: (name: string, value: string, environment: unknown) => boolean, form: string) =>
  Joi.string()
    .max(4_096)
    .custom((value: string, helpers) => {
      const { NODE_ENV } = helpers.state.ancestors[0];
      const given = [...new URLSearchParams(value)];
      return given.length > 0 && given.every(([name, one]) => isRight(name, one, NODE_ENV))
        ? value
        : helpers.message({ custom: `{{#label}} must be ${form}` });
    });

const isVisible = (value: string): boolean => /^[\x20-\x7e]{1,1024}$/.test(value);
const isParameter = (name: string, value: string): boolean =>
  /^[\w.-]{1,128}$/.test(name) && isVisible(value);

const isAddress = (address: string, NODE_ENV: unknown): boolean =>
  !Joi.object({ NODE_ENV: Joi.any(), address: providerAddress }).validate({ NODE_ENV, address }).error;

const parameters = pairs(isParameter, 'parameters such as name=value&other=value, percent-encoded');

export const mannerSettings = {
  PIX_API_TOKEN_AUTH: Joi.string().valid(...TOKEN_AUTHENTICATIONS),
  PIX_API_TOKEN_QUERY: parameters,
  PIX_API_SCOPES: Joi.string()
    .max(1_024)
    .pattern(/^[\w.:/-]+( [\w.:/-]+)*$/, { name: 'scopes with a space between them, or none' }),
  PIX_API_HEADERS: parameters,
  PIX_API_QUERY: parameters,
  PIX_API_ADDRESSES: pairs(
    (name, value, environment) => OPERATION.test(name) && isAddress(value, environment),
    'https addresses by resource or operation, such as cob=https://pix.example.com/v3&PATCH cob=https://…',
  ),
} as const;

/** Single settings stand in place of the profile's, and the profile's in place of what the document says. */
export const accessOf = (settings: MannerSettings): Access => {
  const profile = institutionNamed(settings.PIX_API_PROFILE);
  const { PIX_API_SCOPES: scopes } = settings;
  const url = settings.PIX_API_URL ?? profile?.url;
  const tokenUrl = settings.PIX_API_TOKEN_URL ?? profile?.tokenUrl;
  if (url === undefined || tokenUrl === undefined) throw new Error('the institution has no address');
  const usual: Manner = { ...AS_DOCUMENTED, ...profile };
  const chosen = scopes === undefined ? usual.scopes : scopes === NO_SCOPES ? null : scopes;
  return {
    url,
    tokenUrl,
    tokenAuthentication: settings.PIX_API_TOKEN_AUTH ?? usual.tokenAuthentication,
    tokenQuery: { ...usual.tokenQuery, ...pairsOf(settings.PIX_API_TOKEN_QUERY) },
    scopes: chosen,
    dueScopes: scopes === undefined && chosen !== null ? DUE_SCOPES : chosen,
    mandateScopes: scopes === undefined && chosen !== null ? MANDATE_SCOPES : chosen,
    headers: {
      ...AS_DOCUMENTED.headers,
      ...usual.headers,
      ...lowerCased(pairsOf(settings.PIX_API_HEADERS)),
    },
    query: { ...usual.query, ...pairsOf(settings.PIX_API_QUERY) },
    // With an address of its own an account is somewhere else than where the profile's addresses lead.
    addresses: {
      ...(settings.PIX_API_URL === undefined ? usual.addresses : {}),
      ...pairsOf(settings.PIX_API_ADDRESSES),
    },
  };
};

const lowerCased = (headers: Pairs): Pairs =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
