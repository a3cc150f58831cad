import { execFileSync } from 'node:child_process';
import { asCurl, asTypeScript, call, nameOf } from './api.ts';

/** Words of a line as a shell takes them. */
const wordsOf = (line: string): readonly string[] =>
  execFileSync('sh', ['-c', `for word in ${line}; do printf '%s\\0' "$word"; done`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1);

describe('a call for a terminal', () => {
  it('asks for what was typed, whatever signs it has', () => {
    const q = `it's 100% "a+b@example.test" & $(c) #1`;
    const [curl, , address = ''] = wordsOf(asCurl(call('search', { query: { q } })));
    expect(curl).toBe('curl');
    expect(new URL(address, 'http://127.0.0.1').searchParams.get('q')).toBe(q);
  });

  it('is easy to read', () => {
    const listed = call('listCharges', { query: { 'createdAt[gte]': '2026-11-25T00:00:00Z' } });
    expect(asCurl(listed)).toContain('/v1/charges?createdAt[gte]=2026-11-25T00:00:00Z');
  });

  it('has the body of a command, and no token', () => {
    const reason = "it's wrong";
    const words = wordsOf(asCurl(call('createRefund', { body: { chargeId: 'chg_1', reason } })));
    expect(words.slice(1, 4)).toEqual(['-g', '-X', 'POST']);
    expect(words).toContain('Authorization: Bearer ');
    expect(JSON.parse(words.at(-1) ?? '')).toEqual({ chargeId: 'chg_1', reason });
  });
});

describe('a call for a program', () => {
  it('is what the client takes, with what was typed as it was typed', () => {
    const reason = `it's "a": b`;
    const text = asTypeScript(call('createRefund', { body: { chargeId: 'chg_1', reason } }));
    expect(text).toContain("import { createPortico, unwrap } from 'portico-client';");
    expect(text).toContain('await portico.createRefund({\n  body: {\n    chargeId: "chg_1",');
    expect(text).toContain(`reason: ${JSON.stringify(reason)}`);
  });

  it('has names that are no words in quotes, and nothing where nothing is asked', () => {
    const listed = call('listCharges', { query: { 'createdAt[gte]': '2026-11-25', page: undefined } });
    expect(asTypeScript(listed)).toContain('query: {\n    "createdAt[gte]": "2026-11-25"\n  }');
    expect(asTypeScript(call('getBalance'))).toContain('portico.getBalance()');
    expect(nameOf(listed)).toBe('GET /v1/charges');
  });
});
