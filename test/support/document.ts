import { readFileSync } from 'node:fs';
import type { Method } from './call.ts';

export const METHODS: readonly Method[] = ['get', 'post', 'put', 'patch', 'delete'];

type Paths<Operation> = Readonly<Record<string, Readonly<Partial<Record<Method, Operation>>>>>;

/** The OpenAPI document, which exists before any gateway, so that each path can have a test of its own. */
export const openApiOf = <Document extends { readonly paths: Paths<unknown> }>(): Document =>
  JSON.parse(readFileSync(process.env.OPENAPI_FILE ?? '', 'utf8'));
