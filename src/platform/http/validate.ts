import type { Request } from 'express';
import Joi from 'joi';
import { type InputFault, invalidInput } from '../../kernel/errors.ts';
import type { Route } from './route.ts';

const OPTIONS: Joi.ValidationOptions = {
  abortEarly: false,
  convert: false,
  errors: { wrap: { label: false } },
  // The built-in messages repeat the value, which may be a card number.
  messages: {
    'string.pattern.base': '{{#label}} has the wrong format',
    'string.pattern.name': '{{#label}} must be: {{#name}}',
    'string.pattern.invert.base': '{{#label}} has the wrong format',
    'object.unknown': '{{#label}} is not allowed',
  },
};

/** Validates query and body of a route's requests: 400 with one entry for each fault. */
export const validatorOf = (
  route: Route,
): ((request: Request, body: unknown) => { readonly query: unknown; readonly body: unknown }) => {
  const query = route.query ?? Joi.object({});
  const body = route.body?.required() ?? Joi.object({}).optional();
  const numbers = numericKeys(query);
  return (request, given) => ({
    query: check(query, parseQuery(request, numbers)),
    body: check(body.label('body'), given),
  });
};

const check = (schema: Joi.Schema, value: unknown): unknown => {
  const { error, value: checked } = schema.validate(value, OPTIONS);
  if (!error) return checked;
  throw invalidInput(
    error.details.map((detail): InputFault => ({ path: detail.path.join('.'), message: detail.message })),
  );
};

const numericKeys = (schema: Joi.ObjectSchema): ReadonlySet<string> => {
  const { keys = {} } = schema.describe() as { keys?: Record<string, { type: string }> };
  return new Set(Object.keys(keys).filter((name) => keys[name]?.type === 'number'));
};

/** Flat parameters as they came; a name that comes twice is refused. Numbers are converted only in plain notation. */
const parseQuery = (request: Request, numbers: ReadonlySet<string>): Record<string, string | number> => {
  const start = request.originalUrl.indexOf('?');
  const parameters = new URLSearchParams(start < 0 ? '' : request.originalUrl.slice(start + 1));
  const query: Record<string, string | number> = Object.create(null) as Record<string, string | number>;
  for (const [name, value] of parameters) {
    if (name in query) throw invalidInput([{ path: name, message: `${name} is given more than once` }]);
    query[name] = numbers.has(name) && /^-?\d{1,20}(\.\d{1,20})?$/.test(value) ? Number(value) : value;
  }
  return { ...query };
};
