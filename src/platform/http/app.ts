import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import accepts from 'accepts';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { GatewayError, invalidInput, notFound, unavailable } from '../../kernel/errors.ts';
import type { CommandContext } from '../../kernel/event.ts';
import { type MerchantId, newUuid } from '../../kernel/ids.ts';
import {
  callerOf,
  merchantsOnly,
  operatorsOnly,
  type Principal,
  permissionMissing,
  tenantOfCaller,
} from '../../kernel/principal.ts';
import type { EnvironmentTime } from '../environment-time.ts';
import { inTime } from '../in-time.ts';
import type { Logger } from '../logger.ts';
import type { Metrics } from '../metrics.ts';
import { isWithin } from '../networks.ts';
import type { LimitRequests } from '../rate-limit.ts';
import { consistencyToken } from '../read-store/consistency.ts';
import { isReadStoreDown } from '../read-store/elastic.ts';
import { beginServerSpan, endServerSpan, inContextOf, isTraced } from '../tracing.ts';
import type { Audited } from '../write-store/audit.ts';
import { isStoreAtFault } from '../write-store/mongo.ts';
import type { RecordAudit } from '../write-store/record-audit.ts';
import { bodyReaderOf } from './body.ts';
import { type Bulkhead, createBulkhead } from './bulkhead.ts';
import { holdsCardNumber } from './card-numbers.ts';
import { type Compression, createCompression } from './compression.ts';
import { acceptsCsv, CSV, insistsOnCsv, lacksCsv, NO_CSV, offersCsv } from './csv.ts';
import type { NoteRequest } from './ended-request.ts';
import { type BeginExport, createExportPlaces } from './exports.ts';
import { networkNotAllowed, secretKeyRequired, setupPending, tlsRequired } from './refusals.ts';
import {
  type Access,
  appliedPreference,
  CONSISTENCY_HEADER,
  type Deprecation,
  PROBLEM,
  type Reply,
  type Route,
} from './route.ts';
import { isRequestId } from './schemas.ts';
import { createUnsent, type Unsent } from './unsent.ts';
import { validatorOf } from './validate.ts';

/** Finds the caller by the request's Authorization header; 401 with its code where the header identifies nobody. */
export type Authenticate = (request: Request, schemes: readonly ('basic' | 'bearer')[]) => Promise<Principal>;

export type AppOptions = {
  readonly routes: readonly Route[];
  readonly authenticate: Authenticate;
  readonly limitRequests: LimitRequests;
  /**
   * Requests that may be in flight at a time. Further ones get 503 at once, because accepting them would make all of
   * them slow.
   */
  readonly maxConcurrentRequests: number;
  /**
   * How long a store may take to identify the caller or to answer a read: a store that hangs must not hold its callers.
   */
  readonly readWithinMs: number;
  /** Whether requests must have come over TLS. */
  readonly requireTls: boolean;
  /** Addresses of proxies whose `X-Forwarded-*` headers count. */
  readonly trustedProxies: readonly string[];
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly time: EnvironmentTime;
  /** Whether the lists of a merchant wait for everything recorded before. */
  readonly readsOwnWrites: (merchantId: MerchantId) => Promise<boolean>;
  /** Records the refusals of operators' requests. */
  readonly recordAudit: RecordAudit;
  readonly noteRequest: NoteRequest;
  /** Pages that are not part of the API: health, metrics, documentation. */
  readonly pages: express.Router;
};

const NOT_READ_IN_TIME = 'A store did not answer in time';
const ANY_SCHEME = ['basic', 'bearer'] as const;

/** The HTTP application, in which all requests take the same way in, and all errors the same way out. */
export const createApp = (options: AppOptions): Express => {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.set('trust proxy', options.trustedProxies.length > 0 ? [...options.trustedProxies] : false);
  // Each resource has one address: a list must not answer `/v1/charges/` when somebody has forgotten the id.
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.use(withRequestId, traceRequests, logRequests(options), refuseRepeatedHeaders);
  if (options.requireTls) app.use(refuseWithoutTls);
  app.use(refuseBrokenUrl, options.pages);
  const places: Places = {
    inFlight: createBulkhead(options.maxConcurrentRequests, 0, 'Too many requests are in flight'),
    uploads: createBulkhead(UPLOADS_AT_ONCE, UPLOADS_WAITING, 'Too many uploads are in flight'),
    beginExport: createExportPlaces(),
    unsent: createUnsent(),
    compression: createCompression(),
  };

  const methodsByPath = new Map<string, string[]>();
  for (const definition of options.routes) {
    const path = toExpressPath(definition.path);
    methodsByPath.set(path, [...(methodsByPath.get(path) ?? []), ...methodsOf(definition)]);
    if (definition.access?.publicKey) app.all(path, openToPages).options(path, answerPreflight(definition));
    if (definition.deprecated) app[definition.method](path, warnOf(definition.deprecated));
    app[definition.method](path, handlerOf(definition, options, places));
  }
  for (const [path, methods] of methodsByPath) app.all(path, refuseMethod(methods));
  app.use(() => {
    throw notFound('Route');
  });
  app.use(answerError(options.logger));
  return app;
};

const toExpressPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1');

/** Express answers HEAD with the handler of GET. */
const methodsOf = ({ method }: Route): readonly string[] =>
  method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()];

/** Public keys are used by pages of any origin in browsers. No cookie counts on these routes. */
const openToPages = (_request: Request, response: Response, next: NextFunction): void => {
  response.setHeader('Access-Control-Allow-Origin', '*');
  response.setHeader('Access-Control-Expose-Headers', 'X-Request-Id, Retry-After, X-Proof-Of-Work-Challenge');
  next();
};

const answerPreflight =
  ({ method, body }: Route) =>
  (_request: Request, response: Response): void => {
    const headers = ['Authorization', ...(body ? ['Content-Type'] : []), 'X-Request-Id'];
    response.setHeader('Access-Control-Allow-Methods', method.toUpperCase());
    response.setHeader('Access-Control-Allow-Headers', headers.join(', '));
    response.setHeader('Access-Control-Max-Age', '86400');
    response.status(204).end();
  };

/** Headers of a deprecated operation, on errors too: RFC 9745 and RFC 8594. */
const warnOf = ({ since, sunset }: Deprecation) => {
  const deprecation = `@${Date.parse(since) / 1_000}`;
  const end = new Date(sunset).toUTCString();
  return (_request: Request, response: Response, next: NextFunction): void => {
    response.setHeader('Deprecation', deprecation);
    response.setHeader('Sunset', end);
    next();
  };
};

/** 405 for every method that no handler before this one took. */
export const refuseMethod = (allowed: readonly string[]) => (): never => {
  throw new GatewayError(405, 'Method not allowed', { headers: { Allow: allowed.join(', ') } });
};

const requestIdOf = (response: Response): string => String(response.getHeader('X-Request-Id'));

/**
 * Takes over the caller's own request id where it has this form. It is logged, so it must not contain a card number.
 */
const requestIdFor = (given: string | undefined): string =>
  given !== undefined && isRequestId(given) && !holdsCardNumber(given) ? given : newUuid();

/**
 * Traces, logs, counts and streams each listen for the end of an answer, a fixed number that is higher than Node.js
 * expects.
 */
const MAX_LISTENERS = 20;

const withRequestId = (request: Request, response: Response, next: NextFunction): void => {
  response.setMaxListeners(MAX_LISTENERS);
  response.setHeader('X-Request-Id', requestIdFor(request.get('X-Request-Id')));
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Cache-Control', 'no-store');
  // A client that relies on idempotency keys has to see that this gateway has none.
  if (request.headers['idempotency-key'] !== undefined) response.setHeader('X-Idempotency-Key', 'not-used');
  next();
};

/** Continues the caller's trace where the request names one; without an exporter there is no trace. */
const traceRequests = (request: Request, response: Response, next: NextFunction): void => {
  const span = isProbe(request.path) ? null : beginServerSpan(request.method, request.get('traceparent'));
  if (span === null || !isTraced(span)) {
    next();
    return;
  }
  const { traceId } = span.spanContext();
  response.locals.traceId = traceId;
  response.setHeader('X-Trace-Id', traceId);
  response.on('close', () => endServerSpan(span, request.method, routeOf(request), response.statusCode));
  inContextOf(span, next);
};

/** The path of the route, with its parameters' names. */
const routeOf = (request: Request): string =>
  (request.route as { path?: string } | undefined)?.path ?? 'unknown';

/** Network address of the client, as trusted proxies report it, with IPv4 in its usual notation. */
const addressOf = (request: Request): string => (request.ip ?? '').replace(/^::ffff:(?=\d+\.)/i, '');

/** Whether this is a probe by a machine, which comes every few seconds, so that only refusals of it are logged. */
const isProbe = (path: string): boolean => path.startsWith('/health/') || path === '/metrics';

const ABORTED = 'aborted';

const logRequests =
  ({ logger, metrics }: AppOptions) =>
  (request: Request, response: Response, next: NextFunction): void => {
    const startedAt = process.hrtime.bigint();
    response.on('close', () => {
      const seconds = Number(process.hrtime.bigint() - startedAt) / 1e9;
      const path = routeOf(request);
      // A request that its client gave up got no answer, whatever status that would have had.
      const isAborted = !response.writableFinished && response.locals.brokeOff !== true;
      const status = isAborted ? ABORTED : response.statusCode;
      metrics.requests.observe({ method: request.method, path, status }, seconds);
      logger[isProbe(path) && response.statusCode < 400 ? 'debug' : 'info'](
        {
          requestId: requestIdOf(response),
          trace_id: response.locals.traceId,
          method: request.method,
          path,
          status: response.statusCode,
          ...(isAborted ? { aborted: true } : {}),
          caller: response.locals.caller,
          merchantId: response.locals.merchantId,
          address: addressOf(request),
          ms: Math.round(seconds * 1000),
        },
        'request',
      );
    });
    next();
  };

/** 400 for a fault of the request as a whole. */
const wrongRequest = (message: string): GatewayError => invalidInput([{ path: '', message }]);

const ONCE = ['host', 'authorization', 'content-type'];

/** Node.js takes the first of repeated headers, while a proxy in front of it may have taken the last. */
const refuseRepeatedHeaders = (request: Request, _response: Response, next: NextFunction): void => {
  for (const name of ONCE)
    if ((request.headersDistinct[name]?.length ?? 0) > 1)
      throw wrongRequest(`The header ${name} is given more than once`);
  if (request.headers.host?.includes(',')) throw wrongRequest('The header host names more than one host');
  next();
};

/** Without TLS no part of a request is looked at, except for health checks, which come from inside. */
const refuseWithoutTls = (request: Request, response: Response, next: NextFunction): void => {
  if (isOverTls(request)) response.setHeader('Strict-Transport-Security', 'max-age=31536000');
  else if (!request.path.startsWith('/health/')) throw tlsRequired();
  next();
};

/**
 * A proxy may append to a header of the client instead of replacing it, and the client's own word must not count then.
 */
const isOverTls = (request: Request): boolean =>
  request.secure &&
  (request.get('X-Forwarded-Proto') ?? 'https')
    .split(',')
    .every((hop) => hop.trim().toLowerCase() === 'https');

/** Express would answer 404 for a broken path where no parameter needs decoding, and would pass broken queries on. */
const refuseBrokenUrl = (request: Request, _response: Response, next: NextFunction): void => {
  try {
    decodeURIComponent(request.originalUrl);
  } catch {
    throw wrongRequest('The URL is not encoded correctly');
  }
  next();
};

/**
 * A request takes a place once its caller is known and its body has arrived. A client that is only waited for has none.
 */
type Places = {
  readonly inFlight: Bulkhead;
  readonly uploads: Bulkhead;
  readonly beginExport: BeginExport;
  readonly unsent: Unsent;
  readonly compression: Compression;
};
const UPLOADS_AT_ONCE = 4;
const UPLOADS_WAITING = 28;

const handlerOf = (definition: Route, options: AppOptions, places: Places) => {
  const inPlace = definition.streamsBody ? places.uploads : places.inFlight;
  const validate = validatorOf(definition);
  const readBody = bodyReaderOf(definition);
  const isWithoutCsv = lacksCsv(definition);
  const hasCsv = definition.method === 'get' && offersCsv(definition);
  return async (request: Request, response: Response): Promise<void> => {
    const beganAt = performance.now();
    const principal = definition.access ? await identify(request, definition.access, options) : anybody;
    if (principal !== anybody) response.locals.caller = principal.actor.id;
    if (principal.kind === 'merchant') response.locals.merchantId = principal.merchantId;
    const noted = noteAtEnd(definition, request, response, { principal, beganAt, options });
    const context: CommandContext = {
      actor: principal.actor,
      requestId: requestIdOf(response),
      address: addressOf(request),
      tenantId: tenantOfCaller(principal),
      commits: [],
    };
    const answer = async (): Promise<void> => {
      if (definition.access) admit(principal, definition.access, context.address);
      if (isWithoutCsv && insistsOnCsv(request.headers)) throw new GatewayError(406, NO_CSV);
      const applied = definition.consistent ? appliedPreference(request.headers) : null;
      if (applied !== null) response.setHeader('Preference-Applied', applied);
      const body = await readBody(request, response);
      noted.body = body.value;
      const caller = readerOf(principal, context.address);
      if (hasCsv && acceptsCsv(request.headers)) places.beginExport(caller, response);
      await inPlace(async () => {
        const answerRequest = async () =>
          definition.handle({
            principal,
            context,
            params: request.params as Record<string, string>,
            ...validate(request, body.value),
            rawBody: body.bytes,
            bodyStream: body.stream,
            headers: request.headers,
            clientAddress: addressOf(request),
            readsOwnWrites: await mayWait(definition, request, principal, options),
          });
        // A route without authentication learns from its record which environment that belongs to.
        const handle = (): Promise<Reply> =>
          principal === anybody ? answerRequest() : options.time.within(principal.livemode, answerRequest);
        // A command has a time limit of its own, and may call providers besides.
        const reply = await (definition.method === 'get'
          ? inTime(options.readWithinMs, NOT_READ_IN_TIME, handle)
          : handle()
        ).finally(() => {
          const token = consistencyToken(context.commits);
          if (token) response.setHeader('X-Consistency-Token', token);
        });
        const isCompressed = places.compression.isWanted(definition, request, response);
        await send(response, reply, { ...places, caller, isCompressed });
      });
    };
    await answer().catch(async (error: unknown) => {
      noted.error = toGatewayError(error);
      if (isRefusedOperator(error, principal))
        await options.recordAudit(context, denialOf(definition, principal, error));
      throw error;
    });
  };
};

/** Has the request noted once its answer has ended. The result takes what is known of it only later. */
const noteAtEnd = (
  { path }: Route,
  request: Request,
  response: Response,
  {
    principal,
    beganAt,
    options,
  }: { readonly principal: Principal; readonly beganAt: number; readonly options: AppOptions },
): { body: unknown; error: GatewayError | null } => {
  const noted: { body: unknown; error: GatewayError | null } = { body: undefined, error: null };
  if (principal === anybody) return noted;
  const params = request.params as Record<string, string>;
  response.on('close', () =>
    options.noteRequest({
      principal,
      requestId: requestIdOf(response),
      method: request.method,
      path,
      params,
      ...noted,
      status: response.writableFinished ? response.statusCode : null,
      durationMs: Math.round(performance.now() - beganAt),
    }),
  );
  return noted;
};

const isRefusedOperator = (error: unknown, principal: Principal): error is GatewayError =>
  error instanceof GatewayError &&
  error.statusCode === 403 &&
  principal.kind === 'operator' &&
  principal !== anybody;

/** The audit entry about an operator who was refused. */
const denialOf = (definition: Route, { livemode }: Principal, { code }: GatewayError): Audited => ({
  type: 'permission.denied',
  resource: 'route',
  resourceId: `${definition.method.toUpperCase()} ${definition.path}`,
  livemode,
  details: {
    code: code ?? null,
    needed: [definition.access?.operator ?? []].flat(),
  },
});

/** Stands in for the caller on routes without authentication, and has no permissions. */
const anybody: Principal = {
  kind: 'operator',
  actor: { kind: 'system', id: 'anonymous' },
  credential: 'user',
  userId: 'usr_anonymous',
  livemode: false,
  permissions: [],
};

const identify = async (request: Request, access: Access, options: AppOptions): Promise<Principal> => {
  const principal = await inTime(options.readWithinMs, NOT_READ_IN_TIME, () =>
    options.authenticate(request, access.schemes ?? ANY_SCHEME),
  );
  await options.limitRequests(principal.actor.id);
  return principal;
};

/** A header of the request takes precedence over the merchant's setting, which then need not be read. */
const mayWait = async (
  { consistent }: Route,
  { headers }: Request,
  principal: Principal,
  { readsOwnWrites }: AppOptions,
): Promise<boolean> =>
  consistent === true &&
  principal.kind === 'merchant' &&
  headers[CONSISTENCY_HEADER] === undefined &&
  (await readsOwnWrites(principal.merchantId));

const admit = (principal: Principal, access: Access, address: string | null): void => {
  if (!isWithin(principal.allowedNetworks ?? [], address ?? '')) throw networkNotAllowed();
  if (principal.credential === 'public_key' && !access.publicKey) throw secretKeyRequired();
  const pending = principal.session?.pending ?? null;
  if (pending !== null && pending !== access.whilePending) throw setupPending[pending]();
  const needed = principal.kind === 'merchant' ? access.merchant : access.operator;
  if (needed === undefined) throw principal.kind === 'merchant' ? operatorsOnly() : merchantsOnly();
  const held: readonly string[] = principal.permissions;
  const sufficient = [needed].flat();
  const [first] = sufficient;
  if (!sufficient.some((permission) => permission === 'any' || held.includes(permission)))
    throw permissionMissing(String(first));
};

/** The reader of an answer: the caller or, without credentials, the address. */
const readerOf = (principal: Principal, address: string | null): string =>
  principal === anybody ? `address ${address}` : callerOf(principal);

const send = async (
  response: Response,
  reply: Reply,
  {
    unsent,
    compression,
    caller,
    isCompressed,
  }: Pick<Places, 'unsent' | 'compression'> & { readonly caller: string; readonly isCompressed: boolean },
): Promise<void> => {
  const { stream, body } = reply;
  if (stream && response.req.method !== 'HEAD') {
    begin(response, reply);
    await unsent.whileRead(response, () =>
      isCompressed && isCsv(reply) ? compression.stream(response, stream) : pipeline(stream, response),
    );
    return;
  }
  if (isCompressed && body !== undefined) {
    begin(response, reply);
    response.type('json').send(await compression.whole(response, Buffer.from(JSON.stringify(body))));
  } else sendWhole(response, reply);
  unsent.watch(response, caller);
};

/** Documents are streams, too: they are compressed already, and say how long they are. */
const isCsv = ({ headers }: Reply): boolean => headers?.['Content-Type']?.startsWith(CSV) === true;

const begin = (response: Response, reply: Reply): void => {
  for (const [name, value] of Object.entries(reply.headers ?? {}))
    if (name === 'Vary') response.vary(value);
    else response.setHeader(name, value);
  response.status(reply.status);
};

const sendWhole = (response: Response, reply: Reply): void => {
  begin(response, reply);
  reply.stream?.destroy();
  if (reply.body === undefined) response.end();
  else response.json(reply.body);
};

const answerError =
  (logger: Logger) =>
  (error: unknown, request: Request, response: Response, _next: NextFunction): void => {
    const known = toGatewayError(error);
    // A wait that has timed out is no fault, because the caller will repeat the request.
    if (known.statusCode >= 500 && !isClientGone(error) && !known.isExpected)
      logger.error(
        { err: known.cause ?? error, requestId: requestIdOf(response), status: known.statusCode },
        known.message,
      );
    if (response.headersSent || response.destroyed) {
      response.locals.brokeOff = !response.destroyed && !isClientGone(error);
      response.destroy();
      return;
    }
    sendWhole(response, errorReply(known, request));
  };

/** Whether the client hung up in the middle of a stream, which is no fault of the gateway. */
const isClientGone = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException | null)?.code === 'ERR_STREAM_PREMATURE_CLOSE';

const bodyOf = (error: GatewayError) => ({
  statusCode: error.statusCode,
  message: error.message,
  ...(error.code === undefined ? {} : { code: error.code }),
  ...(error.permission === undefined ? {} : { permission: error.permission }),
  ...(error.chargeId === undefined ? {} : { chargeId: error.chargeId }),
  ...(error.errors === undefined ? {} : { errors: error.errors }),
});

/** An error as JSON, or as problem details (RFC 9457) where the request prefers them. */
const errorReply = (error: GatewayError, request: Request): Reply => {
  const { statusCode: status, headers } = error;
  if (accepts(request).type(['application/json', PROBLEM]) !== PROBLEM)
    return { status, headers, body: bodyOf(error) };
  const { statusCode: _, message: detail, ...facts } = bodyOf(error);
  return {
    status,
    headers: { ...headers, 'Content-Type': PROBLEM },
    body: { type: 'about:blank', title: STATUS_CODES[status] ?? '', status, detail, ...facts },
  };
};

const toGatewayError = (error: unknown): GatewayError => {
  if (error instanceof GatewayError) return error;
  if (isStoreAtFault(error) || isReadStoreDown(error)) return unavailable('A store is not available');
  return new GatewayError(500, 'Internal server error');
};

/** Answers a request that Node.js cannot parse (the server's `clientError`), with an error in the usual form. */
export const answerBrokenRequest = (
  error: NodeJS.ErrnoException,
  socket: Duplex & { bytesWritten?: number },
): void => {
  // Once the connection carried an answer, a second one could be taken for the answer to another request.
  if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesWritten) {
    socket.destroy();
    return;
  }
  const { status, reason } = BROKEN_REQUESTS[error.code ?? ''] ?? { status: 400, reason: 'Bad Request' };
  const body = JSON.stringify(
    bodyOf(status === 400 ? wrongRequest(reason) : new GatewayError(status, reason)),
  );
  // A client that reads has the answer by then, and one that does not close its end cannot hold the socket any longer.
  setTimeout(() => socket.destroy(), BROKEN_CLOSES_WITHIN_MS).unref();
  socket.end(
    [
      `HTTP/1.1 ${status} ${reason}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${newUuid()}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
};

const BROKEN_CLOSES_WITHIN_MS = 1_000;

const BROKEN_REQUESTS: Readonly<Record<string, { readonly status: number; readonly reason: string }>> = {
  HPE_HEADER_OVERFLOW: { status: 431, reason: 'Request Header Fields Too Large' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, reason: 'Request Timeout' },
};
