import { BlockList, isIP } from "node:net";

/** IPv4 ranges a catalog may never reach: this host, private, shared, link-local, metadata, multicast. */
const V4_RANGES: readonly (readonly [string, number])[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
];

const V6_RANGES: readonly (readonly [string, number])[] = [
  ["::", 128],
  ["::1", 128],
  ["fc00::", 7],
  ["fe80::", 10],
  ["fec0::", 10],
  ["ff00::", 8],
];

/** The two groups in which IPv6 writes an IPv4 address. */
function hexGroups(address: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = address.split(".").map(Number);
  return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
}

function buildBlockList(): BlockList {
  const list = new BlockList();
  for (const [address, prefix] of V4_RANGES) {
    const groups = hexGroups(address);
    list.addSubnet(address, prefix, "ipv4");
    // The same addresses behind a NAT64 or 6to4 gateway.
    list.addSubnet(`64:ff9b::${groups}`, 96 + prefix, "ipv6");
    list.addSubnet(`2002:${groups}::`, 16 + prefix, "ipv6");
  }
  for (const [address, prefix] of V6_RANGES) list.addSubnet(address, prefix, "ipv6");
  return list;
}

const blocked = buildBlockList();

/** Whether a host, as a URL writes it, is an IP literal; brackets of IPv6 are allowed. */
export function ipLiteral(host: string): string | null {
  const bare = host.startsWith("[") && host.endsWith("]") ? host.slice(1, -1) : host;
  return isIP(bare) === 0 ? null : bare;
}

/** Whether an IP address lies in a range that RUN-140 refuses; IPv4-mapped addresses included. */
export function isPrivateAddress(address: string): boolean {
  return blocked.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}

/** Whether a URL's host itself names a private address: a literal, or `localhost` (RUN-140). */
export function isPrivateHost(host: string): boolean {
  const literal = ipLiteral(host);
  if (literal !== null) return isPrivateAddress(literal);
  const name = host.toLowerCase().replace(/\.$/, "");
  return name === "localhost" || name.endsWith(".localhost");
}
