/** Parameters, body and answers of one operation, as the tests saw them. */
type OperationExamples = {
  readonly parameters?: Readonly<Record<string, string>>;
  readonly request?: unknown;
  /** By status. */
  readonly answers: Readonly<Record<string, unknown>>;
};

/** Real requests and answers, to be shown by the document. */
export type Examples = {
  /** By the id of the operation. */
  readonly operations: Readonly<Record<string, OperationExamples>>;
  /** Bodies by status and code, `422 FEES_NOT_CONFIGURED`, or by status alone. */
  readonly errors: Readonly<Record<string, unknown>>;
  /** Bodies of webhooks by kind. */
  readonly webhooks: Readonly<Record<string, unknown>>;
};

export const NO_EXAMPLES: Examples = { operations: {}, errors: {}, webhooks: {} };

type Shown = { readonly examples?: Readonly<Record<string, { readonly value: unknown }>> };

const SHOWN_AS = 'recorded';

const shown = (value: unknown): Shown => (value === undefined ? {} : { examples: { [SHOWN_AS]: { value } } });

export const requestExample = ({ operations }: Examples, operationId: string): Shown =>
  shown(operations[operationId]?.request);

export const answerExample = ({ operations }: Examples, operationId: string, status: string): Shown =>
  shown(operations[operationId]?.answers[status]);

export const webhookExample = ({ webhooks }: Examples, name: string): Shown => shown(webhooks[name]);

/** Value of a parameter in the path: `{ example }`. */
export const parameterExample = ({ operations }: Examples, operationId: string, name: string) => {
  const example = operations[operationId]?.parameters?.[name];
  return example === undefined ? {} : { example };
};

type Coded = { readonly code: string; readonly sentence: string };

/** An example for each code, and for the status alone where an error may have no code. */
export const errorExamples = (
  { errors }: Examples,
  status: number,
  codes: readonly Coded[],
  message: string | undefined,
): Shown => {
  const ofCodes = codes.map(({ code, sentence }) => [
    code,
    { value: errors[`${status} ${code}`] ?? refusedBy(status, code, sentence) },
  ]);
  if (codes.length > 0 && status !== 400) return { examples: Object.fromEntries(ofCodes) };
  const general = errors[status] ?? (message === undefined ? undefined : { statusCode: status, message });
  const alone = general === undefined ? [] : [[SHOWN_AS, { value: general }]];
  const found = [...alone, ...ofCodes];
  return found.length === 0 ? {} : { examples: Object.fromEntries(found) };
};

/** The answer of a refusal that no test has seen: no refusal says more without facts of a case. */
const refusedBy = (statusCode: number, code: string, sentence: string) => ({
  statusCode,
  message: statusCode === 403 ? 'Forbidden' : sentence,
  code,
});
