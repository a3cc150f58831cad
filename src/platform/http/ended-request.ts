import type { GatewayError } from '../../kernel/errors.ts';
import type { Principal } from '../../kernel/principal.ts';

/** A request whose caller was known, once its answer has ended. */
export type EndedRequest = {
  readonly principal: Principal;
  readonly requestId: string;
  readonly method: string;
  /** The path of the route, with the names of its parameters in braces. */
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  /** The body of the request as it was parsed; undefined where there was none. */
  readonly body: unknown;
  /** The status of the answer; null where the client was gone before it had the answer. */
  readonly status: number | null;
  /** The error that the caller was answered with; null after a success. */
  readonly error: GatewayError | null;
  readonly durationMs: number;
};

/** Takes note of ended requests. It is called after the answer and must return at once. */
export type NoteRequest = (ended: EndedRequest) => void;
