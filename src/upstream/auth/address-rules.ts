import { BlockList, isIP } from 'node:net';

/** Networks that no public server has a reason to send us to (RFC 6890 and IANA's special-purpose registries). */
const special = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  special.addSubnet(network, bits, 'ipv4');
}
for (const [network, bits] of [
  ['::', 127],
  // IPv4 in IPv6: what is behind it cannot be told by the address of the machine that is reached first.
  ['::', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const) {
  special.addSubnet(network, bits, 'ipv6');
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** True for an IP address outside of the public internet: private, link-local, loopback, multicast, reserved. */
export function isSpecialAddress(address: string): boolean {
  return special.check(address, familyOf(address));
}

export function isLoopbackAddress(address: string): boolean {
  return loopback.check(address, familyOf(address));
}

/** True for a host of a URL that is this machine by definition (RFC 6761, 6.3; RFC 8252, 7.3). */
export function isLoopbackHost(hostname: string): boolean {
  const bare = bareHost(hostname);
  if (isIP(bare) !== 0) return isLoopbackAddress(bare);
  return bare === 'localhost' || bare.endsWith('.localhost');
}

/** `hostname` of a URL without the brackets of IPv6. */
export function bareHost(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1').toLowerCase();
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}
