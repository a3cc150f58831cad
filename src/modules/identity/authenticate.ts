import type { Request } from 'express';
import passport from 'passport';
import { Strategy as BearerStrategy } from 'passport-http-bearer';
import type { Principal } from '../../kernel/principal.ts';
import type { Authenticate } from '../../platform/http/app.ts';
import type { Principals } from './principals.ts';

/** Authentication by the schemes of specification 5, each a strategy of an own passport instance. */
export const createAuthenticate = (principals: Principals): Authenticate => {
  const authenticator = new passport.Passport();
  // By name, never by object: passport then gives each request a strategy of its own.
  authenticator.use('basic', basicStrategy(principals.ofApiKey));
  authenticator.use(
    'bearer',
    new BearerStrategy((token, done) => {
      principals.ofToken(token).then(
        (principal) => done(null, principal ?? false),
        (error: unknown) => done(error),
      );
    }),
  );
  return (request, schemes) =>
    new Promise((resolve, reject) => {
      const answer = (error: unknown, principal?: Principal | false): void => {
        if (error) reject(error);
        else resolve(principal || null);
      };
      authenticator.authenticate([...schemes], { session: false }, answer)(request, request.res, reject);
    });
};

const basicStrategy = (verify: Principals['ofApiKey']): passport.Strategy => ({
  name: 'basic',
  authenticate(request: Request) {
    const key = apiKeyOf(request.headers.authorization ?? '');
    if (key === null) {
      this.fail(401);
      return;
    }
    verify(key).then(
      (principal) => (principal ? this.success(principal) : this.fail(401)),
      (error: unknown) => this.error(error),
    );
  },
});

/** The user name of a Basic header; null where the password is not empty or the header has another form. */
const apiKeyOf = (authorization: string): string | null => {
  const credentials = /^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization)?.[1];
  if (credentials === undefined) return null;
  const decoded = Buffer.from(credentials, 'base64').toString('latin1');
  return decoded.indexOf(':') === decoded.length - 1 ? decoded.slice(0, -1) : null;
};
