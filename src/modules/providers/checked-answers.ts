import { isKnownCurrency } from '../../kernel/money.ts';
import type {
  MandateState,
  PaymentProvider,
  PaymentState,
  ProviderNotification,
  RefundState,
  StoredState,
  Tokenized,
  Unconfirmed,
  UnknownUntilNotified,
} from './provider.ts';

/** Longest texts of a provider by their names; addresses and payloads are longer than references and codes. */
const LONGEST: Readonly<Record<string, number>> = {
  copyPaste: 1_024,
  authenticationUrl: 2_048,
  payUrl: 2_048,
  paymentUrl: 2_048,
};
const LONGEST_OTHER = 255;

/** Halves of surrogate pairs and NUL: no index, page or address could show them. */
const UNSTORABLE = /[\p{Surrogate}\0]/u;
const EACH_UNSTORABLE = /[\p{Surrogate}\0]/gu;

/**
 * A provider whose answers and news are checked before anything is stored of them: the length and the characters of
 * each text, and currencies. After an answer at fault nothing is decided, as after a broken connection. News at fault is
 * not taken in, and has to be sent again.
 */
export const checkedAnswers = ({
  newsSince,
  tokenize,
  vault,
  mandates,
  ...provider
}: PaymentProvider): PaymentProvider => ({
  ...provider,
  ...(tokenize && { tokenize: async (request) => checked(inWords(await tokenize(request))) }),
  ...(vault && {
    vault: {
      tokenizeCode: async (request) => checked(inWords(await vault.tokenizeCode(request))),
      store: async (request) => checked(inWords(await vault.store(request))),
      describeStored: async (order) => checked(inWords(await vault.describeStored(order))),
      revoke: async (order) => checked(inWords(await vault.revoke(order))),
    },
  }),
  ...(mandates && {
    mandates: {
      enroll: async (request) => checked(inWords(await mandates.enroll(request))),
      describeMandate: async (order) => checked(inWords(await mandates.describeMandate(order))),
      revokeMandate: async (order) => checked(inWords(await mandates.revokeMandate(order))),
    },
  }),
  authorize: async (request, asking) => checked(inWords(await provider.authorize(request, asking))),
  refund: async (request, asking) => checked(inWords(await provider.refund(request, asking))),
  describePayment: async (order) => checked(inWords(await provider.describePayment(order))),
  describeRefund: async (request) => checked(inWords(await provider.describeRefund(request))),
  cancel: async (order) => checked(inWords(await provider.cancel(order))),
  notificationsIn: async (delivery) => (await provider.notificationsIn(delivery))?.map(checkedNews) ?? null,
  // News at fault is asked for again with the next question.
  ...(newsSince && {
    newsSince: async (since) =>
      (await newsSince(since)).map(checkedNews).filter((news) => news.kind !== 'unconfirmed'),
  }),
});

type Answer =
  | PaymentState
  | RefundState
  | StoredState
  | MandateState
  | Tokenized
  | UnknownUntilNotified
  | null;

/** The reason in the provider's words decides nothing, so that one at fault is mended and the outcome counts. */
const inWords = <T extends Answer>(answer: T): T => {
  if (answer === null) return answer;
  if ('failureReason' in answer) return { ...answer, failureReason: mended(answer.failureReason) };
  return 'reason' in answer ? { ...answer, reason: mended(answer.reason) } : answer;
};

const mended = (words: string | null): string | null =>
  words?.slice(0, LONGEST_OTHER).replaceAll(EACH_UNSTORABLE, '\ufffd') ?? null;

const checked = <T>(answer: T): T => {
  const fault = faultIn('answer', answer);
  if (fault !== null) throw new Error(`the provider answers ${fault}`);
  return answer;
};

const checkedNews = (news: ProviderNotification | Unconfirmed): ProviderNotification | Unconfirmed => {
  const mendedNews =
    news.kind === 'payment'
      ? { ...news, state: inWords(news.state) }
      : news.kind === 'refund'
        ? { ...news, state: inWords(news.state) }
        : news.kind === 'stored_card'
          ? { ...news, state: inWords(news.state) }
          : news.kind === 'mandate'
            ? { ...news, state: inWords(news.state) }
            : news;
  return faultIn('notification', mendedNews) === null
    ? mendedNews
    : { kind: 'unconfirmed', id: mended(news.id) ?? '' };
};

/** The first fault in words, without the value, which may be as long as a provider likes. */
const faultIn = (name: string, value: unknown): string | null => {
  if (typeof value === 'string') {
    const longest = LONGEST[name] ?? LONGEST_OTHER;
    if (value.length > longest) return `a ${name} of more than ${longest} characters`;
    if (UNSTORABLE.test(value)) return `a ${name} with characters that cannot be stored`;
    return name === 'currency' && !isKnownCurrency(value) ? 'a currency that there is not' : null;
  }
  if (typeof value !== 'object' || value === null) return null;
  for (const [member, held] of Object.entries(value)) {
    const fault = faultIn(member, held);
    if (fault !== null) return fault;
  }
  return null;
};
