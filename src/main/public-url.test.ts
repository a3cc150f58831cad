import type { Config } from './config.ts';
import { createPublicUrl } from './public-url.ts';

const urlWith = (changes: Partial<Config>, port = 4711): readonly string[] => {
  const config = { publicUrl: null, host: '127.0.0.1', port: 3000, tls: null, ...changes } as Config;
  const url = createPublicUrl(config);
  const before = url.current();
  url.listensOn(port);
  return [before, url.current()];
};

describe('the address of the gateway', () => {
  it('is where it listens, on whatever port that turns out to be', () => {
    expect(urlWith({})).toEqual(['http://127.0.0.1:3000', 'http://127.0.0.1:4711']);
    expect(urlWith({ tls: { certFile: 'c', keyFile: 'k' }, host: '::1' }, 3000)[1]).toBe(
      'https://[::1]:3000',
    );
  });

  it('is what is configured, whatever the port', () => {
    const publicUrl = 'https://pay.example.test/portico';
    expect(urlWith({ publicUrl })).toEqual([publicUrl, publicUrl]);
  });
});
