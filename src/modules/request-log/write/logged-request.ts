import { type Timestamp, timestamp } from '../../../kernel/clock.ts';
import type { Resource } from '../../../kernel/event.ts';
import type { Id, MerchantId } from '../../../kernel/ids.ts';
import type { MerchantPrincipal, Principal } from '../../../kernel/principal.ts';
import { store } from '../../../kernel/store.ts';
import type { EndedRequest } from '../../../platform/http/ended-request.ts';
import { maskedBody, maskedError, maskedText, shownPathOf } from './masked.ts';

/** One request that a key made: stored for people, and needed by no rule. */
export type LoggedRequest = Resource & {
  readonly id: Id<'rql'>;
  readonly createdAt: Timestamp;
  readonly merchantId: MerchantId;
  readonly masterId: MerchantId | null;
  readonly livemode: boolean;
  readonly keyId: string;
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  /** Null where the client was gone before it had the answer. */
  readonly status: number | null;
  readonly failed: boolean;
  readonly code: string | null;
  readonly message: string | null;
  readonly errors: readonly { readonly path: string; readonly message: string }[];
  readonly durationMs: number;
  /** The masked body of a request that failed, as JSON. */
  readonly body: string | null;
};

export const REQUEST_LOG = store<LoggedRequest>('request_log', 'logged_request');

const MESSAGE_LENGTH = 500;
const ERRORS = 10;
const FIRST_ERROR = 400;

/** The log has requests of keys, and leaves out those of operators and of people in the panel. */
export const isLogged = (principal: Principal): principal is MerchantPrincipal =>
  principal.kind === 'merchant' && principal.credential !== 'user';

export const hasFailed = ({ status }: Pick<EndedRequest, 'status'>): boolean =>
  status === null || status >= FIRST_ERROR;

/** The entry about a request of a key. */
export const loggedRequest = (
  ended: EndedRequest,
  principal: MerchantPrincipal,
  id: Id<'rql'>,
  now: Date,
): LoggedRequest => {
  const { status, error } = ended;
  const failed = hasFailed(ended);
  const errors = (error?.errors ?? []).slice(0, ERRORS).map((fault) => maskedError(fault, MESSAGE_LENGTH));
  return {
    id,
    version: 1,
    createdAt: timestamp(new Date(now.getTime() - ended.durationMs)),
    merchantId: principal.merchantId,
    masterId: principal.masterId,
    livemode: principal.livemode,
    keyId: principal.actor.id,
    requestId: ended.requestId,
    method: ended.method,
    path: shownPathOf(ended.path, ended.params),
    status,
    failed,
    code: error?.code ?? null,
    message: error && (messageOf(errors) ?? maskedText(error.message, MESSAGE_LENGTH)),
    errors,
    durationMs: ended.durationMs,
    body: failed ? maskedBody(ended.body) : null,
  };
};

/** The message of a request with faults, which is made of theirs; null without any. */
const messageOf = (errors: LoggedRequest['errors']): string | null =>
  errors.length === 0
    ? null
    : errors
        .map(({ message }) => message)
        .join('; ')
        .slice(0, MESSAGE_LENGTH);
