/** Parameters, body and answers of one operation, as tests recorded them. */
type OperationExamples = {
  readonly parameters?: Readonly<Record<string, string>>;
  readonly request?: unknown;
  /** Answers by status. */
  readonly answers: Readonly<Record<string, unknown>>;
};

/** Real requests and answers that the document shows. */
export type Examples = {
  /** Examples by the id of the operation. */
  readonly operations: Readonly<Record<string, OperationExamples>>;
  /** Bodies of errors by status and code (`422 FEES_NOT_CONFIGURED`), or by status alone. */
  readonly errors: Readonly<Record<string, unknown>>;
  /** Bodies of webhooks by kind of event. */
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

/** The example of a path parameter: `{ example }`. */
export const parameterExample = ({ operations }: Examples, operationId: string, name: string) => {
  const example = operations[operationId]?.parameters?.[name];
  return example === undefined ? {} : { example };
};

/** An example for each code, and one for the status alone where an error may have no code. */
export const errorExamples = (
  { errors }: Examples,
  status: number,
  codes: readonly { readonly code: string }[],
  message: string | undefined,
): Shown => {
  const ofCodes = codes.flatMap(({ code }) => {
    const value = errors[`${status} ${code}`];
    return value === undefined ? [] : [[code, { value }]];
  });
  if (codes.length > 0) return examplesOf(ofCodes);
  const general = errors[status] ?? (message === undefined ? undefined : { statusCode: status, message });
  return examplesOf([...(general === undefined ? [] : [[SHOWN_AS, { value: general }]]), ...ofCodes]);
};

const examplesOf = (named: readonly (readonly unknown[])[]): Shown =>
  named.length === 0 ? {} : { examples: Object.fromEntries(named) };
