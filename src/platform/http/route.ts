import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type Joi from 'joi';
import type { Refusal } from '../../kernel/errors.ts';
import type { CommandContext } from '../../kernel/event.ts';
import type {
  MerchantPermission,
  OperatorPermission,
  PendingSetup,
  Principal,
} from '../../kernel/principal.ts';

/**
 * Callers of a route. A merchant (its keys and users) has one permission, an operator has one (of several, where there is
 * a list). Any other kind of caller is refused with 403. `any` stands for no particular permission.
 */
export type Access = {
  readonly merchant?: MerchantPermission | 'any';
  readonly operator?: OperatorPermission | readonly OperatorPermission[] | 'any';
  /** Whether a public key (`pk_`) is enough. */
  readonly publicKey?: true;
  /** `['bearer']` for routes that take a user's token only; both by default. */
  readonly schemes?: readonly ('basic' | 'bearer')[];
  /** Pending step of a user that this route completes. */
  readonly whilePending?: PendingSetup;
};

/** The end of an operation. From `since` on it is not to be used, and from `sunset` on it may be gone. */
export type Deprecation = {
  /** ISO 8601 dates, in UTC. */
  readonly since: string;
  readonly sunset: string;
  /** Id of the operation to use instead. */
  readonly insteadUse: string;
};

/** A request after authentication and validation. */
export type RouteRequest<Body = unknown, Query = unknown> = {
  readonly principal: Principal;
  readonly context: CommandContext;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
  /** The body as it was sent (uncompressed), empty where there was none. */
  readonly rawBody: Buffer;
  /** The bytes as they arrive, for a route that streams its body. */
  readonly bodyStream: Readable;
  readonly headers: IncomingHttpHeaders;
  readonly clientAddress: string;
  /** Whether the caller's queries wait as for the token `latest` without saying so. */
  readonly readsOwnWrites: boolean;
};

export type Reply = {
  readonly status: number;
  /** Sent as JSON; absent for an answer without a body. */
  readonly body?: unknown;
  /** Sent instead of `body`; `headers` has its Content-Type. An error in it cuts the connection. */
  readonly stream?: Readable;
  readonly headers?: Readonly<Record<string, string>>;
};

/** The routes of a module, made of what they need. */
export type Routes<Deps> = (deps: Readonly<Deps>) => readonly Route[];

export type Route<Body = unknown, Query = unknown> = {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** Name of the operation in the OpenAPI document and its clients, as people say it: `createCharge`. Unique. */
  readonly operationId: string;
  /** In the form of OpenAPI: `/v1/charges/{id}`. */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  readonly tag: string;
  /** Every answer of a deprecated operation and the OpenAPI document mark it as deprecated. */
  readonly deprecated?: Deprecation;
  /** Whether this is a page for people: no part of the interface, so not in the OpenAPI document. */
  readonly page?: true;
  /** `null` for a route that anybody may call. */
  readonly access: Access | null;
  /** Descriptions of the path's parameters, by name. */
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Joi.ObjectSchema;
  /** Required, unless it says `.optional()`: then no body counts as `{}`. */
  readonly body?: Joi.Schema;
  /**
   * Types of bodies that the route takes besides JSON, with a description of each. They are not parsed or validated;
   * handlers read `rawBody` or `bodyStream`.
   */
  readonly otherBodyTypes?: Readonly<Record<string, Joi.ObjectSchema>>;
  /** Whether the route reads `bodyStream` itself, with limits of its own: bodies of more than 256 KiB. */
  readonly streamsBody?: true;
  /**
   * Paths of members of the body that may look like a card number: the card's own, passwords, encoded bytes; the empty
   * path stands for the whole body. In all others it is refused.
   */
  readonly notSearched?: readonly string[];
  /** Path below which a created resource is found, where that is not the path of this route. */
  readonly createdBelow?: string;
  /** Whether the answer is read from a view, so that `X-Consistency-Token` of the request counts. */
  readonly consistent?: true;
  /** Success answers by status. */
  readonly responses: Readonly<
    Record<
      number,
      {
        readonly description: string;
        readonly schema?: Joi.Schema;
        /** Types that the answer can have besides JSON, by what the request accepts. */
        readonly otherTypes?: readonly string[];
        /** Headers besides those of every answer, with what they say. */
        readonly headers?: Readonly<Record<string, string>>;
      }
    >
  >;
  /** Refusals that the route can answer besides those of every route, in the order of their checks. */
  readonly refusals?: readonly Refusal[];
  /** Statuses of errors without a rule that the route has besides those that follow from its description. */
  readonly errors?: readonly (401 | 404 | 429)[];
  handle(request: RouteRequest<Body, Query>): Promise<Reply>;
};

/** Describes a route; the schemas are the only source of validation and of the OpenAPI document. */
export const route = <Body = unknown, Query = unknown>(definition: Route<Body, Query>): Route =>
  definition as Route;

/** The header that makes a query wait for a command. */
export const CONSISTENCY_HEADER = 'x-consistency-token';

/** The request's consistency token, null where it sent none and its caller's setting asks for none. */
export const consistencyTokenOf = ({ headers, readsOwnWrites }: RouteRequest): string | null => {
  const value = headers[CONSISTENCY_HEADER];
  if (typeof value === 'string') return value;
  return readsOwnWrites || appliedPreference(headers) !== null ? 'latest' : null;
};

const LATEST = 'consistency=latest';

/** The preference (RFC 7240) that counts for a query: to wait as for the token `latest`. Null without it. */
export const appliedPreference = (headers: IncomingHttpHeaders): string | null => {
  const preferences = [headers.prefer ?? []].flat().flatMap((header) => header.split(','));
  const names = preferences.map((one) => one.split(';')[0]?.trim().toLowerCase().replaceAll('"', ''));
  return headers[CONSISTENCY_HEADER] === undefined && names.includes(LATEST) ? LATEST : null;
};

/** The content type of errors as problem details (RFC 9457). */
export const PROBLEM = 'application/problem+json';
