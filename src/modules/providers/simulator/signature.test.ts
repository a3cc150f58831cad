import { createHmac } from 'node:crypto';
import { later, NOW } from '../../../../test/builders.ts';
import { isSigned, signatureOf } from './signature.ts';

const SECRET = 'a secret';
const body = Buffer.from('{"id":"1"}');
const seconds = NOW.getTime() / 1_000;
const signed = (at = seconds, secret = SECRET): string => signatureOf(secret, at, body);
const isTaken = (header: string | undefined, secrets = [SECRET], now = NOW): boolean =>
  isSigned(header, body, secrets, now);

describe('the signature of a notification', () => {
  it('is the HMAC-SHA256 of time, dot and body', () => {
    const hmac = createHmac('sha256', SECRET).update(`${seconds}.${body}`).digest('hex');
    expect(signed()).toBe(`t=${seconds},v1=${hmac}`);
    expect(isTaken(`t=${seconds},v1=${hmac.toUpperCase()}`)).toBe(true);
  });

  it('counts for five minutes, on either side of our clock', () => {
    expect(isTaken(signed(), [SECRET], later(300))).toBe(true);
    expect(isTaken(signed(), [SECRET], later(-300))).toBe(true);
    expect(isTaken(signed(), [SECRET], later(301))).toBe(false);
    expect(isTaken(signed(), [SECRET], later(-301))).toBe(false);
  });

  it('may be made with any of our secrets, and be one of several', () => {
    expect(isTaken(signed(), ['a new secret', SECRET])).toBe(true);
    const [, wrong] = signed(seconds, 'another').split(',');
    expect(isTaken(`${signed()},${wrong}`)).toBe(true);
    expect(isTaken(`t=${seconds}, ${wrong}, ${signed().split(',')[1]}`)).toBe(true);
  });

  it.each([
    ['nothing', undefined],
    ['an empty header', ''],
    ['no time', signed().split(',')[1]],
    ['no signature', `t=${seconds}`],
    ['another time', signed().replace(String(seconds), String(seconds + 1))],
    ['a time that is none', `t=x,${signed().split(',')[1]}`],
    ['half a signature', signed().slice(0, -2)],
    ['another secret', signed(seconds, 'another')],
  ])('is wrong with %s', (_, header) => {
    expect(isTaken(header)).toBe(false);
  });

  it('is wrong of another body, and where there is no secret', () => {
    expect(isSigned(signed(), Buffer.from('{"id":"2"}'), [SECRET], NOW)).toBe(false);
    expect(isTaken(signed(), [])).toBe(false);
  });
});
