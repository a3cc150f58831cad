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
import type { ValueOf } from './typed.ts';

/**
 * The callers of a route. A merchant (its keys and users) needs one permission; an operator needs one as well, or one
 * of several in a list. Any other caller gets 403. `any` stands for no particular permission.
 */
export type Access = {
  readonly merchant?: MerchantPermission | 'any';
  readonly operator?: OperatorPermission | readonly OperatorPermission[] | 'any';
  /** Whether a public key (`pk_`) is enough. */
  readonly publicKey?: true;
  /** `['bearer']` for routes that accept only a user's token; both schemes by default. */
  readonly schemes?: readonly ('basic' | 'bearer')[];
  /** The pending step of a user that this route completes. */
  readonly whilePending?: PendingSetup;
};

/** The end of an operation: it should not be used from `since` on, and may be gone from `sunset` on. */
export type Deprecation = {
  /** ISO 8601 dates, in UTC. */
  readonly since: string;
  readonly sunset: string;
  /** Id of the operation to use instead. */
  readonly insteadUse: string;
};

type ParamsIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamsIn<Rest>
  : never;

/** The parameters in a path, by name. */
type ParamsOf<Path extends string> = { readonly [Name in ParamsIn<Path>]: string };

/** A request after authentication and validation. */
export type RouteRequest<Body = unknown, Query = unknown, Params = Readonly<Record<string, string>>> = {
  readonly principal: Principal;
  readonly context: CommandContext;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** The body as it was sent, uncompressed; empty where there was none. */
  readonly rawBody: Buffer;
  /** The bytes of the body as they arrive, for a route that streams it. */
  readonly bodyStream: Readable;
  readonly headers: IncomingHttpHeaders;
  readonly clientAddress: string;
  /** Whether the caller's queries wait as with the token `latest` even without one. */
  readonly readsOwnWrites: boolean;
};

export type Reply = {
  readonly status: number;
  /** Sent as JSON; absent for an answer without a body. */
  readonly body?: unknown;
  /** Sent instead of `body`, with the Content-Type in `headers`. An error in it cuts the connection. */
  readonly stream?: Readable;
  readonly headers?: Readonly<Record<string, string>>;
};

/** The routes of a module, made from their dependencies. */
export type Routes<Deps> = (deps: Readonly<Deps>) => readonly Route[];

export type Route = {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** Name of the operation in the OpenAPI document and its clients, such as `createCharge`. Unique. */
  readonly operationId: string;
  /** Path in OpenAPI's notation: `/v1/charges/{id}`. */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  readonly tag: string;
  /** Set for a deprecated operation, which every answer and the OpenAPI document mark as such. */
  readonly deprecated?: Deprecation;
  /** Set for a page that people visit, which is no part of the API and so not in the OpenAPI document. */
  readonly page?: true;
  /** `null` for a route without authentication. */
  readonly access: Access | null;
  /** Descriptions of the path parameters, by name. */
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Joi.ObjectSchema;
  /** The body is required unless this schema says `.optional()`; then a missing body counts as `{}`. */
  readonly body?: Joi.Schema;
  /**
   * Content types that the route accepts besides JSON, each with its schema for the document. Such bodies are not
   * parsed or validated, and handlers read `rawBody` or `bodyStream`.
   */
  readonly otherBodyTypes?: Readonly<Record<string, Joi.ObjectSchema>>;
  /** Set where the route reads `bodyStream` itself with limits of its own, for bodies of more than 256 KiB. */
  readonly streamsBody?: true;
  /**
   * Paths of members of the body or the query in which a card number is not refused: the card's own number, passwords,
   * encoded bytes. The empty path stands for the body as a whole.
   */
  readonly notSearched?: readonly string[];
  /** Path below which a created resource is found, where it is not the path of this route. */
  readonly createdBelow?: string;
  /**
   * Set where the answer holds something that gives rights to anybody who knows it, such as the address of a page, so
   * that it is never compressed together with text of others.
   */
  readonly holdsSecret?: boolean;
  /** Set where the answer comes from a view, so that the request's `X-Consistency-Token` counts. */
  readonly consistent?: true;
  /** Successful answers by status. */
  readonly responses: Readonly<
    Record<
      number,
      {
        readonly description: string;
        readonly schema?: Joi.Schema;
        /** Content types that the answer can have besides JSON, depending on what the request accepts. */
        readonly otherTypes?: readonly string[];
        /** Descriptions of headers besides those of every answer. */
        readonly headers?: Readonly<Record<string, string>>;
      }
    >
  >;
  /** Refusals that the route can answer besides the common ones, in the order in which they are checked. */
  readonly refusals?: readonly Refusal[];
  /** Statuses of errors that no rule causes and that do not follow from the rest of the declaration. */
  readonly errors?: readonly (401 | 404 | 429)[];
  handle(request: RouteRequest): Promise<Reply>;
};

/** Content types besides JSON. A handler gets no `body` where the request has one of them. */
type OtherBodies = NonNullable<Route['otherBodyTypes']>;

/** A route as it is declared, whose handler gets the types of the path and of the schemas. */
export type Declared<Path extends string, Query, Body, Others extends OtherBodies = never> = Omit<
  Route,
  keyof Handled<Path, Query, Body, Others>
> &
  Handled<Path, Query, Body, Others>;

/** Members of a declaration whose types depend on each other. */
export type Handled<Path extends string, Query, Body, Others extends OtherBodies = never> = {
  readonly path: Path;
  readonly params?: Readonly<Record<ParamsIn<Path>, string>>;
  readonly query?: Query & Joi.ObjectSchema;
  readonly body?: Body & Joi.Schema;
  readonly otherBodyTypes?: Others;
  handle(
    request: RouteRequest<
      ValueOf<Body> | ([Others] extends [never] ? never : undefined),
      ValueOf<Query>,
      ParamsOf<Path>
    >,
  ): Promise<Reply>;
};

/** Declares a route. Its schemas are the only source of validation, types and OpenAPI document. */
export const route = <
  const Path extends string,
  Query = unknown,
  Body = unknown,
  Others extends OtherBodies = never,
>(
  definition: Declared<Path, Query, Body, Others>,
): Route => definition;

/** The header that makes a query wait for a command. */
export const CONSISTENCY_HEADER = 'x-consistency-token';

/** The request's consistency token; null where the request has none and the caller's setting does not ask for one. */
export const consistencyTokenOf = ({ headers, readsOwnWrites }: RouteRequest): string | null => {
  const value = headers[CONSISTENCY_HEADER];
  if (typeof value === 'string') return value;
  return readsOwnWrites || appliedPreference(headers) !== null ? 'latest' : null;
};

const LATEST = 'consistency=latest';

/** The preference (RFC 7240) to wait as for the token `latest`; null where the request does not state it. */
export const appliedPreference = (headers: IncomingHttpHeaders): string | null => {
  const preferences = [headers.prefer ?? []].flat().flatMap((header) => header.split(','));
  const names = preferences.map((one) => one.split(';')[0]?.trim().toLowerCase().replaceAll('"', ''));
  return headers[CONSISTENCY_HEADER] === undefined && names.includes(LATEST) ? LATEST : null;
};

/** The content type of errors as problem details (RFC 9457). */
export const PROBLEM = 'application/problem+json';
