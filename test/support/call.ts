import { readFileSync } from 'node:fs';
import supertest, { type Response, type Test } from 'supertest';
import { memoized } from '../../src/kernel/memoized.ts';
import { createResponseCheck, type OpenApiDocument } from './openapi-check.ts';
import { recordExchange } from './recorder.ts';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** Checks answers against the OpenAPI document of this version, which start-engines.ts has written. */
const check = memoized(() => {
  const document = JSON.parse(readFileSync(process.env.OPENAPI_FILE ?? '', 'utf8'));
  return createResponseCheck(document as OpenApiDocument);
});

/** Messages have to name a fault by the same path as the fault does, so that people and programs read the same name. */
const expectOneNotation = ({ body, text }: Response): void => {
  const { errors = [] } = (body ?? {}) as {
    readonly errors?: readonly { readonly path: string; readonly message: string }[];
  };
  for (const { path, message } of errors)
    if (!message.startsWith(path)) throw new Error(`a message does not begin with its path: ${text}`);
};

/** Calls a gateway at its address. Each answer is checked against the OpenAPI document. */
export const callAt = (url: string, method: Method | 'head', path: string): Test => {
  const request = supertest(url)[method](path);
  request.expect((response) => {
    check()(method, path, response);
    recordExchange(method, path, response);
    expectOneNotation(response);
  });
  return request;
};
