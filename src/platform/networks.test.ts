import { isNetwork, isWithin, siteOf } from './networks.ts';

describe('a network', () => {
  it.each(['192.0.2.7', '192.0.2.0/24', '0.0.0.0/0', '2001:db8::/32', '::1', '2001:db8::7/128'])(
    'is %s',
    (text) => {
      expect(isNetwork(text)).toBe(true);
    },
  );

  it.each(['', '192.0.2', '192.0.2.0/33', '192.0.2.0/', '192.0.2.0/8/8', '192.0.2.0/08', '2001:db8::/129'])(
    'is not %j',
    (text) => {
      expect(isNetwork(text)).toBe(false);
    },
  );

  it.each(['example.com', '192.0.2.0/a', '192.0.2.0/-1', 'fe80::1%eth0', ' 192.0.2.1', '300.0.2.1'])(
    'is not %j either',
    (text) => {
      expect(isNetwork(text)).toBe(false);
    },
  );
});

describe('an address', () => {
  it.each<[string, readonly string[], boolean]>([
    ['192.0.2.7', [], true],
    ['192.0.2.7', ['192.0.2.0/24'], true],
    ['192.0.3.7', ['192.0.2.0/24'], false],
    ['192.0.3.7', ['192.0.2.0/24', '192.0.3.7'], true],
    ['192.0.3.8', ['192.0.3.7'], false],
    ['::ffff:192.0.2.7', ['192.0.2.0/24'], true],
    ['2001:db8::1', ['2001:db8::/32'], true],
    ['2001:db9::1', ['2001:db8::/32'], false],
    ['2001:db8::1', ['192.0.2.0/24'], false],
    ['192.0.2.7', ['2001:db8::/32'], false],
    ['unknown', ['0.0.0.0/0'], false],
    ['', ['0.0.0.0/0', '::/0'], false],
  ])('%s in %j: %s', (address, networks, expected) => {
    expect(isWithin(networks, address)).toBe(expected);
  });
});

describe('the site of an address', () => {
  it.each([
    ['2001:db8:0:1::1', '2001:db8:0:1::/64'],
    ['2001:0DB8:0000:0001:ffff:ffff:ffff:ffff', '2001:db8:0:1::/64'],
    ['2001:db8::1:2:3:4', '2001:db8:0:0::/64'],
    ['2001:db8:0:2::1', '2001:db8:0:2::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '::ffff:192.0.2.7'],
    ['unknown', 'unknown'],
  ])('%s is %s', (address, site) => {
    expect(siteOf(address)).toBe(site);
  });
});
