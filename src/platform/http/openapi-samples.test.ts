import { execFileSync } from 'node:child_process';
import { samplesOf } from './openapi-samples.ts';

const BODY = { amount: 10.5, reason: "it's late", tags: ['a', null], urgent: true, none: {} };
const CALL = {
  operationId: 'createRefund',
  method: 'post',
  path: '/v1/charges/{id}/refunds',
  parameters: { id: 'chg_1' },
  query: {},
  body: BODY,
  isPublic: false,
};
const sourceOf = (label: string, call: Parameters<typeof samplesOf>[0] = CALL): string =>
  samplesOf(call).find((sample) => sample.label === label)?.source ?? '';

describe('samples of code', () => {
  it('send in a shell the body as it is, with the key of the environment', () => {
    const script = `curl() { printf '%s\\n' "$@"; }\n${sourceOf('curl')}`;
    const env = { ...process.env, BASE: 'https://pay.example', KEY: 'sk_test_a' };
    const sent = execFileSync('bash', ['-c', script], { encoding: 'utf8', env });
    expect(sent.startsWith('-X\nPOST\nhttps://pay.example/v1/charges/chg_1/refunds\n')).toBe(true);
    expect(sent).toContain('Authorization: Bearer sk_test_a\n');
    expect(JSON.parse(sent.slice(sent.indexOf('-d\n') + 3))).toEqual(BODY);
  });

  it('call the operation of the client by its name, with the path and the body', () => {
    const source = sourceOf('TypeScript');
    const [, given = ''] = /portico\.createRefund\(([\s\S]*)\)\)\);$/.exec(source) ?? [];
    expect(JSON.parse(given)).toEqual({ path: { id: 'chg_1' }, body: BODY });
  });

  it('write values as Python does', () => {
    const source = sourceOf('Python');
    expect(source).toContain('"urgent": True');
    expect(source).toContain('"reason": "it\'s late"');
    expect(source).toContain('"none": {}');
    expect(source).toMatch(/"tags": \[\s+"a",\s+None,\s+\]/);
    expect(source).not.toMatch(/\b(true|false|null)\b/);
  });

  it('name what the query has to have', () => {
    const { body: _, ...rest } = CALL;
    const call = { ...rest, method: 'get', path: '/v1/search', parameters: {}, query: { q: 'Ana Souza' } };
    expect(sourceOf('curl', call)).toContain('"$BASE/v1/search?q=Ana%20Souza"');
    expect(sourceOf('Python', call)).toContain('"/v1/search?q=Ana%20Souza"');
    expect(sourceOf('TypeScript', call)).toMatch(/\{\s+"query": \{\s+"q": "Ana Souza"\s+\}\s+\}/);
  });

  it('send no key where none is needed, and no body where there is none', () => {
    const { body: _, ...rest } = CALL;
    const call = { ...rest, method: 'get', isPublic: true };
    expect(sourceOf('curl', call)).toBe('curl "$BASE/v1/charges/chg_1/refunds"');
    expect(sourceOf('Python', call)).not.toMatch(/json=|KEY/);
  });
});
