import type { Request } from 'express';
import { GatewayError, unavailable } from '../../../src/kernel/errors.ts';
import { type Principal, tenantOfCaller } from '../../../src/kernel/principal.ts';
import type { Route } from '../../../src/platform/http/route.ts';
import { validatorOf } from '../../../src/platform/http/validate.ts';
import * as platform from '../../../src/platform/platform.module.ts';
import { isReadStoreDown } from '../../../src/platform/read-store/elastic.ts';
import { isStoreAtFault } from '../../../src/platform/write-store/mongo.ts';
import type { Process, World } from './world.ts';

export type Answer = { readonly status: number; readonly body: Readonly<Record<string, unknown>> };

type Asked = {
  readonly params?: Readonly<Record<string, string>>;
  readonly body?: object | readonly object[];
  readonly headers?: Readonly<Record<string, string>>;
  /** The process that is asked; by default any of them. */
  readonly at?: Process;
};

/** Calls an operation of the API at a process; null where the connection broke before an answer came. */
export type Ask = (operationId: string, principal: Principal, asked?: Asked) => Promise<Answer | null>;

const NOBODY: Principal['actor'] = { kind: 'system', id: 'nobody' };

type Operation = { readonly route: Route; readonly validate: ReturnType<typeof validatorOf> };

/** Schemas are the same in all processes and runs, and take long to prepare. */
const validators = new Map<string, Operation['validate']>();

/** The routes of processes by their operations. */
const createRoutes = () => {
  const known = new Map<Process, ReadonlyMap<string, Route>>();
  return (process: Process, operationId: string): Operation => {
    const routes =
      known.get(process) ??
      new Map(
        process.container
          .getAll(platform.routes)
          .flat()
          .map((one) => [one.operationId, one]),
      );
    known.set(process, routes);
    const found = routes.get(operationId);
    if (!found) throw new Error(`there is no operation ${operationId}`);
    const validate = validators.get(operationId) ?? validatorOf(found);
    validators.set(operationId, validate);
    return { route: found, validate };
  };
};

/** Does what the API does once it knows the caller: it checks the input, has it handled, and words errors. */
const handle = async (
  { route, validate }: Operation,
  principal: Principal,
  requestId: string,
  { params = {}, body, headers = {} }: Asked,
): Promise<Answer> => {
  try {
    const actor = route.access === null ? NOBODY : principal.actor;
    const context = {
      actor,
      requestId,
      address: '192.0.2.1',
      tenantId: tenantOfCaller(principal),
      commits: [],
    };
    const request = { params, originalUrl: '' } as Request;
    const rawBody = Buffer.from(body === undefined ? '' : JSON.stringify(body));
    const given = body === undefined ? undefined : JSON.parse(rawBody.toString());
    const { status, body: answered } = await route.handle({
      principal,
      context,
      params,
      ...validate(request, given),
      rawBody,
      bodyStream: null as never,
      headers,
      clientAddress: '192.0.2.1',
      readsOwnWrites: false,
    });
    return { status, body: JSON.parse(JSON.stringify(answered ?? {})) };
  } catch (error) {
    const isAway = isStoreAtFault(error) || isReadStoreDown(error);
    const told = isAway ? unavailable('A store is not available') : error;
    if (told instanceof GatewayError)
      return {
        status: told.statusCode,
        body: { code: told.code, message: told.message, errors: told.errors },
      };
    return { status: 500, body: { error: told instanceof Error ? String(told.stack) : String(told) } };
  }
};

export const createAsk = (world: World): Ask => {
  const { scheduler, random, log } = world;
  const routeOf = createRoutes();
  const waiting = new Map<string, Set<() => void>>();
  let requests = 0;
  world.onCrash.push((name) => {
    for (const cut of waiting.get(name) ?? []) scheduler.plan(1, cut, 'world');
    waiting.delete(name);
  });
  return (operationId, principal, asked = {}) =>
    new Promise((resolve) => {
      requests += 1;
      const requestId = `r${requests}`;
      const process = asked.at ?? random.oneOf(world.processes);
      if (!process) return resolve(null);
      const operation = routeOf(process, operationId);
      const own = waiting.get(process.name) ?? new Set();
      waiting.set(process.name, own);
      const end = (answer: Answer | null): void => {
        own.delete(cut);
        log.note(`${requestId} ${operationId}: ${answer?.status ?? 'no answer'} ${answer?.body.code ?? ''}`);
        resolve(answer);
      };
      const cut = (): void => end(null);
      own.add(cut);
      log.note(`${requestId} ${operationId} at ${process.name}`);
      const run = (): void => {
        handle(operation, principal, requestId, asked).then((answer) =>
          // An answer may be lost on its way, too.
          scheduler.plan(
            random.next(),
            () => end(random.happens(world.weather.unanswered) ? null : answer),
            'world',
          ),
        );
      };
      scheduler.plan(random.next(), run, process.name);
    });
};
