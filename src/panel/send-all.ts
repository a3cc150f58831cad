import type { Schemas } from '../client/client.ts';
import { apiError, isPassing } from './api.ts';

/** Whether a command waits for a second operator instead of having been done. */
export const isProposal = (answer: unknown): answer is Schemas['Proposal'] =>
  typeof answer === 'object' && answer !== null && 'id' in answer && String(answer.id).startsWith('prp_');

type Refused<Row> = { readonly row: Row; readonly error: unknown };
export type Outcome<Row> = {
  readonly done: number;
  readonly proposed: number;
  readonly refused: readonly Refused<Row>[];
  /** Rows that nothing was sent for. */
  readonly left: readonly Row[];
};

const SESSION_ENDED = 401;
const TOO_MANY_REQUESTS = 429;
const MOST_WAITS = 10;

const afterASecond = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1_000));

/** Waits where somebody sends more than the gateway takes of them: such a request has done nothing. */
const inTurn = async (send: () => Promise<unknown>, pause: () => Promise<void>): Promise<unknown> => {
  for (let waits = 0; ; waits += 1) {
    try {
      return await send();
    } catch (error) {
      if (apiError(error)?.statusCode !== TOO_MANY_REQUESTS || waits === MOST_WAITS) throw error;
      await pause();
    }
  }
};

/**
 * Sends a command for each row, a few at a time; each answers by itself. Where the gateway is in trouble, the
 * session has ended or the signal comes, nothing more is sent.
 */
export const sendAll = async <Row>(
  rows: readonly Row[],
  send: (row: Row) => Promise<unknown>,
  how: {
    readonly atOnce: number;
    readonly signal: AbortSignal;
    readonly onAnswer: () => void;
    readonly pause?: () => Promise<void>;
  },
): Promise<Outcome<Row>> => {
  const left = [...rows];
  const refused: Refused<Row>[] = [];
  let proposed = 0;
  let isInTrouble = false;
  const next = (): Row | undefined => (isInTrouble || how.signal.aborted ? undefined : left.shift());
  const work = async (): Promise<void> => {
    for (let row = next(); row !== undefined; row = next()) {
      const sent = row;
      try {
        if (isProposal(await inTurn(() => send(sent), how.pause ?? afterASecond))) proposed += 1;
      } catch (error) {
        refused.push({ row, error });
        isInTrouble ||= isPassing(error) || apiError(error)?.statusCode === SESSION_ENDED;
      }
      how.onAnswer();
    }
  };
  await Promise.all(Array.from({ length: how.atOnce }, work));
  return { done: rows.length - proposed - refused.length - left.length, proposed, refused, left };
};

type Group<Row> = readonly [Refused<Row>, ...Refused<Row>[]];

/** Refusals by what was said, so that a hundred of a kind are read once. */
export const groupsOf = <Row>(refused: readonly Refused<Row>[]): readonly Group<Row>[] => {
  const groups = new Map<string, Group<Row>>();
  for (const one of refused) {
    const said = apiError(one.error)?.message ?? '';
    const [first, ...others] = groups.get(said) ?? [one];
    groups.set(said, first === one ? [one] : [first, ...others, one]);
  }
  return [...groups.values()];
};
