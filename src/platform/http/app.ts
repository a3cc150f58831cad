import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { v7 } from 'uuid';
import { forbidden, GatewayError, notFound, unauthorized, unavailable } from '../../kernel/errors.ts';
import type { CommandContext } from '../../kernel/event.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { Logger } from '../logger.ts';
import type { Metrics } from '../metrics.ts';
import { consistencyToken } from '../read-store/consistency.ts';
import { isReadStoreDown } from '../read-store/elastic.ts';
import { isStoreDown } from '../write-store/mongo.ts';
import { parseBody } from './body.ts';
import type { Access, Reply, Route } from './route.ts';
import { validatorOf } from './validate.ts';

/** Who sent the request, by its Authorization header; null for nobody that is known. */
export type Authenticate = (
  request: Request,
  schemes: readonly ('basic' | 'bearer')[],
) => Promise<Principal | null>;

/** Called once a request is authenticated; throws 429 (or anything else) to refuse it. */
export type AppOptions = {
  readonly routes: readonly Route[];
  readonly authenticate: Authenticate;
  /** Whether requests must have come over TLS (decisions 2, HTTPS). */
  readonly requireTls: boolean;
  /** Addresses of proxies whose `X-Forwarded-*` headers count. */
  readonly trustedProxies: readonly string[];
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Pages that are not part of the API: health, metrics, documentation. */
  readonly pages: express.Router;
};

const ANY_SCHEME = ['basic', 'bearer'] as const;

/** The HTTP application: every route the same way in, every error the same way out. */
export const createApp = (options: AppOptions): Express => {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.set('trust proxy', options.trustedProxies.length > 0 ? [...options.trustedProxies] : false);
  app.use(withRequestId, logRequests(options));
  app.use(options.pages);
  if (options.requireTls) app.use(refuseWithoutTls);

  const methodsByPath = new Map<string, string[]>();
  for (const definition of options.routes) {
    const path = toExpressPath(definition.path);
    methodsByPath.set(path, [...(methodsByPath.get(path) ?? []), definition.method.toUpperCase()]);
    app[definition.method](path, handlerOf(definition, options));
  }
  for (const [path, methods] of methodsByPath) {
    app.all(path, () => {
      throw new GatewayError(405, 'Method not allowed', { headers: { Allow: methods.join(', ') } });
    });
  }
  app.use(() => {
    throw notFound('Route');
  });
  app.use(answerError(options.logger));
  return app;
};

const toExpressPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1');

const requestIdOf = (response: Response): string => String(response.getHeader('X-Request-Id'));

const withRequestId = (_request: Request, response: Response, next: NextFunction): void => {
  response.setHeader('X-Request-Id', v7());
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Cache-Control', 'no-store');
  next();
};

const logRequests =
  ({ logger, metrics }: AppOptions) =>
  (request: Request, response: Response, next: NextFunction): void => {
    const startedAt = process.hrtime.bigint();
    response.on('close', () => {
      const seconds = Number(process.hrtime.bigint() - startedAt) / 1e9;
      const path = (request.route as { path?: string } | undefined)?.path ?? 'unknown';
      metrics.requests.observe({ method: request.method, path, status: response.statusCode }, seconds);
      logger.info(
        {
          requestId: requestIdOf(response),
          method: request.method,
          path,
          status: response.statusCode,
          merchantId: response.locals.merchantId,
          ms: Math.round(seconds * 1000),
        },
        'request',
      );
    });
    next();
  };

const refuseWithoutTls = (request: Request, _response: Response, next: NextFunction): void => {
  if (!request.secure) throw forbidden('TLS_REQUIRED');
  next();
};

const handlerOf = (definition: Route, options: AppOptions) => {
  const validate = validatorOf(definition);
  return async (request: Request, response: Response): Promise<void> => {
    const principal = definition.access ? await admit(request, definition.access, options) : anybody;
    if (principal.kind === 'merchant') response.locals.merchantId = principal.merchantId;
    const body = await parseBody(request, response, definition);
    const context: CommandContext = {
      actor: principal.actor,
      requestId: requestIdOf(response),
      commits: [],
    };
    const reply = await definition
      .handle({
        principal,
        context,
        params: request.params as Record<string, string>,
        ...validate(request, body),
        headers: request.headers,
        clientAddress: request.ip ?? '',
      })
      .finally(() => {
        const token = consistencyToken(context.commits);
        if (token) response.setHeader('X-Consistency-Token', token);
      });
    send(response, reply);
  };
};

/** Stands in for the caller on routes that anybody may call; it has no permission for anything. */
const anybody: Principal = {
  kind: 'operator',
  actor: { kind: 'system', id: 'anonymous' },
  credential: 'user',
  userId: 'usr_anonymous',
  livemode: false,
  permissions: [],
};

const admit = async (request: Request, access: Access, options: AppOptions): Promise<Principal> => {
  const principal = await options.authenticate(request, access.schemes ?? ANY_SCHEME);
  if (!principal) throw unauthorized();
  if (principal.credential === 'public_key' && !access.publicKey) throw forbidden();
  const needed = principal.kind === 'merchant' ? access.merchant : access.operator;
  const held: readonly string[] = principal.permissions;
  if (needed === undefined || (needed !== 'any' && !held.includes(needed))) throw forbidden();
  return principal;
};

const send = (response: Response, reply: Reply): void => {
  for (const [name, value] of Object.entries(reply.headers ?? {})) response.setHeader(name, value);
  response.status(reply.status);
  if (reply.body === undefined) response.end();
  else response.json(reply.body);
};

const answerError =
  (logger: Logger) =>
  (error: unknown, _request: Request, response: Response, _next: NextFunction): void => {
    const known = toGatewayError(error);
    if (known.statusCode >= 500)
      logger.error({ err: error, requestId: requestIdOf(response), status: known.statusCode }, known.message);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    send(response, {
      status: known.statusCode,
      headers: known.headers,
      body: {
        statusCode: known.statusCode,
        message: known.message,
        ...(known.code === undefined ? {} : { code: known.code }),
        ...(known.errors === undefined ? {} : { errors: known.errors }),
      },
    });
  };

const toGatewayError = (error: unknown): GatewayError => {
  if (error instanceof GatewayError) return error;
  if (isStoreDown(error) || isReadStoreDown(error)) return unavailable('A store is not available');
  // Express answers a path that cannot be decoded with a URIError.
  if (error instanceof URIError) return new GatewayError(400, 'The path is not a valid URL path');
  return new GatewayError(500, 'Internal server error');
};
