import { readFileSync } from 'node:fs';
import supertest, { type Test } from 'supertest';
import { memoized } from '../../src/kernel/memoized.ts';
import { createResponseCheck, type OpenApiDocument } from './openapi-check.ts';
import { recordExchange } from './recorder.ts';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** Holds answers against the OpenAPI document of this version, which start-engines.ts has written. */
const check = memoized(() => {
  const document = JSON.parse(readFileSync(process.env.OPENAPI_FILE ?? '', 'utf8'));
  return createResponseCheck(document as OpenApiDocument);
});

/** Calls a gateway at its address. Each answer is held against the OpenAPI document. */
export const callAt = (url: string, method: Method | 'head', path: string): Test => {
  const request = supertest(url)[method](path);
  request.expect((response) => {
    check()(method, path, response);
    recordExchange(method, path, response);
  });
  return request;
};
