import 'reflect-metadata';
import { openApiDocument } from './openapi-document.ts';

/** Prints the OpenAPI document. */
process.stdout.write(`${JSON.stringify(openApiDocument())}\n`, () => process.exit(0));
