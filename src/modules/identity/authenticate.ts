import type { Request } from 'express';
import passport from 'passport';
import { unauthorized } from '../../kernel/errors.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { Authenticate } from '../../platform/http/app.ts';
import { kindOfKey } from '../merchants/write/api-key.ts';
import type { Principals } from './principals.ts';

/** Authentication by the schemes of RFC 7617 and RFC 6750, each a strategy of an own passport instance. */
export const createAuthenticate = (principals: Principals): Authenticate => {
  const authenticator = new passport.Passport();
  // By name, never by object: passport then gives each request a strategy of its own.
  authenticator.use('key', basicStrategy(principals.ofApiKey));
  authenticator.use('token', bearerStrategy(principals.ofToken));
  authenticator.use(
    'key or token',
    bearerStrategy((value) =>
      kindOfKey(value) === null ? principals.ofToken(value) : principals.ofApiKey(value),
    ),
  );
  return (request, schemes) =>
    new Promise((resolve, reject) => {
      const answer = (error: unknown, principal?: Principal | false): void => {
        if (principal) resolve(principal);
        else reject(error ?? unauthorized(faultOf(request)));
      };
      const strategies = schemes.includes('basic') ? ['key', 'key or token'] : ['token'];
      authenticator.authenticate(strategies, { session: false }, answer)(request, request.res, reject);
    });
};

/** The fault of a request in whose header no strategy found credentials. */
const faultOf = ({ headers }: Request) =>
  headers.authorization ? 'CREDENTIALS_MALFORMED' : 'CREDENTIALS_MISSING';

/** Of the header alone: a credential in a body or a query would come into logs. */
const strategyOf = (
  name: string,
  read: (authorization: string) => string | null,
  verify: Principals['ofToken'],
): passport.Strategy => ({
  name,
  authenticate(request: Request) {
    const credential = read(request.headers.authorization ?? '');
    if (credential === null) this.fail(401);
    else
      verify(credential).then(
        (principal) => this.success(principal),
        (error: unknown) => this.error(error),
      );
  },
});

const bearerStrategy = (verify: Principals['ofToken']): passport.Strategy =>
  strategyOf('bearer', tokenOf, verify);

/** The token of a Bearer header (RFC 6750), after one or more blanks (RFC 9110, 11.4). */
const tokenOf = (authorization: string): string | null => /^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? null;

const basicStrategy = (verify: Principals['ofApiKey']): passport.Strategy =>
  strategyOf(
    'basic',
    (authorization) => {
      const credentials = credentialsOf(authorization);
      return credentials && (credentials.password === '' ? credentials.user : '');
    },
    verify,
  );

/** User name and password of a Basic header; null where the header has another form. */
const credentialsOf = (authorization: string) => {
  const encoded = /^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization)?.[1];
  const decoded = Buffer.from(encoded ?? '', 'base64').toString('latin1');
  const colon = decoded.indexOf(':');
  return colon < 0 ? null : { user: decoded.slice(0, colon), password: decoded.slice(colon + 1) };
};
