import type { Asked } from './exchanges.ts';
import { stable } from './stable.ts';

type Body = Readonly<Record<string, unknown>>;

/** Examples of one operation in the OpenAPI document. */
export type OperationExamples = {
  readonly parameters?: Readonly<Record<string, string>>;
  readonly request?: unknown;
  /** Answers by status. */
  readonly answers: Readonly<Record<string, unknown>>;
};

/** Bodies of errors: one for each status and code that tests have seen, such as `422 FEES_NOT_CONFIGURED`. */
type ErrorExamples = Readonly<Record<string, unknown>>;

const LARGE = 2_000;
/** The longest text; the body of an event is within it as one text. */
const MAX_TEXT = 2_000;
/**
 * Texts that no reader wants to see, such as those of attacks, repetitions, control characters and other alphabets, and
 * also events of subscriptions, which no gateway sends.
 */
const UGLY = /[<>$`\\]|[^\n\x20-\x7e\u00a0-\u017f…]|(\w)\1{12,}|\.\.\//;

/** A time in a request has passed by the time that somebody sends it. */
const MOMENT = /^\d{4}-\d{2}-\d{2}T/;

const textsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [name, ...textsIn(member)]);
};

/** A body that was sent as it is may be of any type. */
const withoutBytes = ({ request, ...asked }: Asked): Asked =>
  request !== null && typeof request === 'object' ? { ...asked, request } : asked;

/** Lists that are nested four levels deep. */
const DEEP = /\[{4}/;

const isReadable = (value: unknown): boolean =>
  !DEEP.test(JSON.stringify(value)) &&
  textsIn(value).every((text) => text.length <= MAX_TEXT && !UGLY.test(text));

const isFair = ({ request, answer, parameters }: Asked): boolean =>
  isReadable([request, answer, parameters]) && !textsIn(request).some((text) => MOMENT.test(text));

/**
 * Answers with one or two records come first, then the longest that is not large; among equals the first by its text.
 */
const better = (left: Ranked, right: Ranked): number =>
  right.rank - left.rank || (left.text < right.text ? -1 : 1);

type Ranked = { readonly asked: Asked; readonly rank: number; readonly text: string };

/** Rises with the length of the text until it is large, and falls from there on. */
const fullness = (text: string): number => (text.length <= LARGE ? text.length : LARGE - text.length);

const ranked = (asked: Asked): Ranked => {
  const text = JSON.stringify(asked);
  const { data } = (asked.answer ?? {}) as { readonly data?: unknown };
  const isEmpty = Array.isArray(data) && data.length === 0;
  const isLong = Array.isArray(data) && data.length > 2;
  return { asked, rank: fullness(text) - (isEmpty ? 10_000 : 0) - (isLong ? 5_000 : 0), text };
};

const best = (candidates: readonly Asked[]): Asked | null => {
  const fair = candidates.filter(isFair);
  return (fair.length > 0 ? fair : candidates).map(stable).map(ranked).sort(better)[0]?.asked ?? null;
};

const hasRequestOf = (shown: Asked | null) => {
  const wanted = JSON.stringify(shown?.request);
  return (asked: Asked): boolean => JSON.stringify(stable(asked).request) === wanted;
};

const grouped = <T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, readonly T[]> => {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return new Map([...groups].sort(([left], [right]) => (left < right ? -1 : 1)));
};

/** The examples of each operation, from the requests and answers of tests. */
export const chooseExamples = (all: readonly Asked[]): Readonly<Record<string, OperationExamples>> => {
  const successes = all.filter(({ status }) => status < 300).map(withoutBytes);
  return Object.fromEntries(
    [...grouped(successes, ({ operationId }) => operationId)].map(([operationId, asked]) => {
      const [first = [], ...others] = grouped(asked, ({ status }) => String(status)).values();
      const shown = best(first);
      // Only one request is shown, so every answer is one to it where there is such an answer.
      const chosen = [
        shown,
        ...others.map((some) => best(some.filter(hasRequestOf(shown))) ?? best(some)),
      ].flatMap((one) => one ?? []);
      const { parameters = {}, request } = chosen[0] ?? {};
      return [
        operationId,
        {
          ...(Object.keys(parameters).length > 0 ? { parameters } : {}),
          ...(request === undefined ? {} : { request }),
          answers: Object.fromEntries(
            chosen.flatMap(({ status, answer }) => (status === 204 ? [] : [[status, answer]])),
          ),
        },
      ];
    }),
  );
};

/** One body for each status and code: the shortest, and among equals the first by its text. */
export const chooseErrors = (all: readonly Asked[]): ErrorExamples => {
  const errors = all.filter(({ status }) => status >= 400);
  const keyOf = ({ status, answer }: Asked): string => {
    const { code } = answer as Body;
    return code === undefined ? String(status) : `${status} ${code}`;
  };
  return Object.fromEntries(
    [...grouped(errors, keyOf)].map(([key, some]) => {
      const bodies = some.filter(isFair).map(({ answer }) => JSON.stringify(stable(answer)));
      const [first] = (
        bodies.length > 0 ? bodies : some.map(({ answer }) => JSON.stringify(stable(answer)))
      ).sort((left, right) => left.length - right.length || (left < right ? -1 : 1));
      return [key, JSON.parse(first ?? 'null')];
    }),
  );
};

/** The body of a webhook; a notice about the status of a sub-merchant does not name its kind. */
export type SentBody = { readonly event?: string; readonly data?: { readonly id?: string } };

/** The bodies of events in the answers of reads and lists. */
export const eventBodiesIn = (all: readonly Asked[]): readonly SentBody[] =>
  all
    .filter(
      ({ operationId, status }) => /^(get|list)Events?(AsOperator)?$/.test(operationId) && status === 200,
    )
    .flatMap(({ answer }): readonly unknown[] => {
      const { data } = answer as { readonly data?: unknown };
      return Array.isArray(data) ? data : [answer];
    })
    .flatMap((event) => {
      const { body } = event as { readonly body?: unknown };
      return typeof body === 'string' ? [JSON.parse(body)] : [];
    });

/** One body for each kind of webhook: one about something that happened if possible, otherwise a sample. */
export const chooseWebhooks = (bodies: readonly SentBody[]): Readonly<Record<string, SentBody>> => {
  const isSample = ({ data }: SentBody): boolean => /_0+$/.test(data?.id ?? '');
  const rankOf = (body: SentBody): number =>
    fullness(JSON.stringify(body)) - (isSample(body) ? 10_000 : 0) - (isReadable(body) ? 0 : 20_000);
  return Object.fromEntries(
    [...grouped(bodies, ({ event = 'account.status_changed' }) => event)].flatMap(([kind, some]) => {
      const [first] = some
        .map((body) => ({ rank: rankOf(body), body: stable(body) }))
        .map((one) => ({ ...one, text: JSON.stringify(one.body) }))
        .sort((left, right) => right.rank - left.rank || (left.text < right.text ? -1 : 1));
      return first ? [[kind, first.body]] : [];
    }),
  );
};
