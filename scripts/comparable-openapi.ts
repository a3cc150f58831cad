import { json } from 'node:stream/consumers';
import { comparable } from './openapi/comparable.ts';

/** Reads an OpenAPI document from standard input, and prints it in the form in which two versions are compared. */
process.stdout.write(`${JSON.stringify(comparable((await json(process.stdin)) as object))}\n`);
