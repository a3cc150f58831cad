import type { Request } from 'express';
import passport from 'passport';
import { Strategy as BearerStrategy } from 'passport-http-bearer';
import { unauthorized } from '../../kernel/errors.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { Authenticate } from '../../platform/http/app.ts';
import { kindOfKey } from '../merchants/write/api-key.ts';
import type { Principals } from './principals.ts';

/**
 * Authentication by the schemes of RFC 7617 (Basic) and RFC 6750 (Bearer), each a strategy of a passport instance of
 * its own.
 */
export const createAuthenticate = (principals: Principals): Authenticate => {
  const authenticator = new passport.Passport();
  // Strategies are used by name, never by object: passport then gives each request a strategy of its own.
  authenticator.use('key', basicStrategy(principals.ofApiKey));
  authenticator.use(
    'key or token',
    bearerStrategy((value) =>
      kindOfKey(value) === null ? principals.ofToken(value) : principals.ofApiKey(value),
    ),
  );
  return (request, schemes) =>
    new Promise((resolve, reject) => {
      const { headers } = request;
      // Any number of blanks may follow the scheme (RFC 9110, section 11.4), but the Bearer strategy expects exactly
      // one.
      if (headers.authorization) headers.authorization = headers.authorization.replace(/^(\S+) +/, '$1 ');
      const answer = (error: unknown, principal?: Principal | false): void => {
        if (principal && !schemes.includes('basic') && principal.credential !== 'user')
          reject(unauthorized('USER_TOKEN_REQUIRED'));
        else if (principal) resolve(principal);
        else reject(error ?? unauthorized(faultOf(request)));
      };
      authenticator.authenticate(['key', 'key or token'], { session: false }, answer)(
        request,
        request.res,
        reject,
      );
    });
};

/** The error code of a request in whose header no strategy found credentials. */
const faultOf = ({ headers }: Request) =>
  headers.authorization ? 'CREDENTIALS_MALFORMED' : 'CREDENTIALS_MISSING';

const bearerStrategy = (verify: Principals['ofToken']): passport.Strategy =>
  new BearerStrategy((value, done) => {
    verify(value).then((principal) => done(null, principal), done);
  });

const basicStrategy = (verify: Principals['ofApiKey']): passport.Strategy => ({
  name: 'basic',
  authenticate(request: Request) {
    const credentials = credentialsOf(request.headers.authorization ?? '');
    if (credentials === null) this.fail(401);
    else if (credentials.password !== '') this.error(unauthorized('CREDENTIALS_INVALID'));
    else
      verify(credentials.user).then(
        (principal) => this.success(principal),
        (error: unknown) => this.error(error),
      );
  },
});

/** User name and password of a Basic header; null where the header is not well-formed. */
const credentialsOf = (authorization: string) => {
  const encoded = /^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization)?.[1];
  const decoded = Buffer.from(encoded ?? '', 'base64').toString('latin1');
  const colon = decoded.indexOf(':');
  return colon < 0 ? null : { user: decoded.slice(0, colon), password: decoded.slice(colon + 1) };
};
