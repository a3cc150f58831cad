import { readWebAddress } from './web-address.ts';

describe('a web address', () => {
  it.each([
    ['https://example.com', 'https://example.com'],
    ['https://example.com/', 'https://example.com/'],
    ['HTTPS://Shop.Example/Hooks?A=1#B', 'https://shop.example/Hooks?A=1#B'],
    ['https://münchen.example/ä', 'https://xn--mnchen-3ya.example/%C3%A4'],
    ['https://例え.テスト', 'https://xn--r8jz45g.xn--zckzah'],
    ['http://127.0.0.1:8080/a', 'http://127.0.0.1:8080/a'],
    ['https://example.com:443/a', 'https://example.com/a'],
    ['http://[::1]:80/', 'http://[::1]/'],
    ['https://my_service.example/', 'https://my_service.example/'],
  ])('is written as the URL standard writes it: %s', (given, href) => {
    expect(readWebAddress(given)).toEqual({ href });
  });

  it.each([
    ['ftp://example.com/', 'begin with http'],
    ['example.com', 'begin with http'],
    ['https:example.com', 'begin with http'],
    ['javascript:alert(1)', 'begin with http'],
    ['https://exam ple.com/', 'blanks'],
    ['https://example.com/a b', 'blanks'],
    ['https://example.com\\a', 'blanks or backslashes'],
    ['https://user:secret@example.com/', 'user name'],
    ['https://user@example.com/', 'user name'],
    ['https:///path', 'have a host'],
    ['https://:443/', 'have a host'],
    ['https://example.com:99999/', 'port from 1 to 65535'],
    ['https://example.com:0/', 'port from 1 to 65535'],
    ['https://example.com:http/', 'port from 1 to 65535'],
    ['https://exa..mple.com/', 'host whose parts'],
    ['https://.example.com/', 'host whose parts'],
    ['https://-example.com/', 'host whose parts'],
    [`https://${'a'.repeat(64)}.com/`, 'host whose parts'],
    [`https://${'a.'.repeat(127)}com/`, 'host whose parts'],
    ['https://example.com./', 'ends with a dot'],
    ['https://999.1.1.1/', 'name or an address'],
    ['https://[::1/', 'name or an address'],
    ['https://exa<mple.com/', 'name or an address'],
  ])('is refused with the part at fault: %s', (given, words) => {
    expect(readWebAddress(given)).toEqual({ fault: expect.stringContaining(words) });
  });
});
