import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** IPv4 networks in which no receiver on the public internet can be (IANA special-purpose registry). */
const FORBIDDEN_IPV4 = [
  ['0.0.0.0', 8], // "this network"; Linux connects it to itself
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // carrier-grade NAT; Alibaba's metadata
  ['127.0.0.0', 8], // loopback
  ['168.63.129.16', 32], // Azure's metadata, the one that has a public address
  ['169.254.0.0', 16], // link-local, with the metadata of most clouds
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocol assignments; Oracle's metadata
  ['192.0.2.0', 24], // documentation
  ['192.31.196.0', 24], // AS112
  ['192.52.193.0', 24], // AMT
  ['192.88.99.0', 24], // 6to4 relays
  ['192.168.0.0', 16], // private
  ['192.175.48.0', 24], // AS112
  ['198.18.0.0', 15], // benchmarking
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, broadcast
] as const;

/**
 * Only 2000::/3 is assigned as global unicast. The rest contains unspecified, loopback, IPv4-mapped and -compatible,
 * NAT64, unique local, link-local and multicast addresses.
 */
const FORBIDDEN_IPV6 = [
  ['::', 3],
  ['4000::', 2],
  ['8000::', 1],
  ['2001::', 23], // protocol assignments: Teredo, benchmarking, ORCHID
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4, which contains an IPv4 address
  ['2620:4f:8000::', 48], // AS112
  ['3fff::', 20], // documentation
] as const;

const LOOPBACK_IPV6 = '::1';

const listOf = (networks: readonly (readonly [string, number])[], family: 'ipv4' | 'ipv6'): BlockList => {
  const list = new BlockList();
  for (const [network, prefix] of networks) list.addSubnet(network, prefix, family);
  return list;
};
// There are two lists, because in a common one the network ::/3 would contain every IPv4 address as an IPv4-mapped one.
const forbiddenIpv4 = listOf(FORBIDDEN_IPV4, 'ipv4');
const forbiddenIpv6 = listOf(FORBIDDEN_IPV6, 'ipv6');
const loopbackIpv4 = listOf([['127.0.0.0', 8]], 'ipv4');
const loopbackIpv6 = listOf([[LOOPBACK_IPV6, 128]], 'ipv6');

/** Whether nothing may be sent to this IP address; a text that is no address is forbidden, too. */
export const isForbiddenAddress = (
  address: string,
  { allowLoopback }: { allowLoopback: boolean },
): boolean => {
  if (isIPv4(address)) return forbiddenIpv4.check(address) && !(allowLoopback && loopbackIpv4.check(address));
  if (isIPv6(address))
    return forbiddenIpv6.check(address, 'ipv6') && !(allowLoopback && loopbackIpv6.check(address, 'ipv6'));
  return true;
};
