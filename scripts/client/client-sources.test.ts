import { readFileSync } from 'node:fs';
import { openApiDocument } from '../openapi-document.ts';
import { operationsModule, shapeOf } from './client-sources.ts';

describe('the generated part of the client', () => {
  const document = openApiDocument();

  it('has the types of the present document; `make client-types` writes them anew', () => {
    const [, shape] = /^\/\/ Shape: (\w+)$/m.exec(readFileSync('src/client/schema.ts', 'utf8')) ?? [];
    expect(shape).toBe(shapeOf(document));
  });

  it('has the operations of the present document', () => {
    expect(readFileSync('src/client/operations.ts', 'utf8')).toBe(operationsModule(document));
  });

  it('has another shape with another field, and the same with other words', () => {
    const of = (properties: object) => shapeOf({ components: { schemas: { Thing: { properties } } } });
    const one = of({ description: { type: 'string', description: 'Said so.' } });
    expect(of({ description: { type: 'string', description: 'Said otherwise.' } })).toBe(one);
    expect(of({ description: { type: 'number', description: 'Said so.' } })).not.toBe(one);
    expect(of({})).not.toBe(one);
  });
});
