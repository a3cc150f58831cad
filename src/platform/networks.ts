import { BlockList, isIP } from 'node:net';

const PREFIX = /^(0|[1-9]\d{0,2})$/;

/** Whether a text is an IPv4 or IPv6 address, or a network in CIDR notation (RFC 4632, RFC 4291). */
export const isNetwork = (text: string): boolean => {
  const [address = '', prefix, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0 || address.includes('%')) return false;
  return prefix === undefined || (PREFIX.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128));
};

/** Whether an address is in one of the networks; true where there are none. */
export const isWithin = (networks: readonly string[], address: string): boolean => {
  if (networks.length === 0) return true;
  const version = isIP(address);
  if (version === 0) return false;
  const list = new BlockList();
  for (const network of networks) {
    const [base = '', prefix] = network.split('/');
    const family = isIP(base) === 4 ? 'ipv4' : 'ipv6';
    list.addSubnet(base, prefix === undefined ? (family === 'ipv4' ? 32 : 128) : Number(prefix), family);
  }
  return list.check(address, version === 4 ? 'ipv4' : 'ipv6');
};

const GROUPS = 8;
const GROUPS_OF_SITE = 4;

/**
 * An IPv4 address itself, or the /64 network of an IPv6 address, which a single client may have all to itself (RFC
 * 6177).
 */
export const siteOf = (address: string): string => {
  if (isIP(address) !== 6 || address.includes('.')) return address;
  const [head = [], tail = []] = address.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = Array(GROUPS - head.length - tail.length).fill('0');
  const site = [...head, ...zeros, ...tail].slice(0, GROUPS_OF_SITE);
  return `${site.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
};
