import { json } from 'node:stream/consumers';
import { comparable } from './openapi/comparable.ts';

/** Prints the OpenAPI document on standard input in the form in which two versions are compared. */
process.stdout.write(`${JSON.stringify(comparable((await json(process.stdin)) as object))}\n`);
