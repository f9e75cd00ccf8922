import ipaddr from "ipaddr.js";
import { type LookupAddress, type LookupOptions, lookup as dnsLookup } from "node:dns";
import { type LookupFunction, isIP } from "node:net";
import { AddressRefusedError } from "./address-refused-error.ts";

/** IPv4 that anybody may reach, by the library's names of ranges. */
const PUBLIC_V4: ReadonlySet<string> = new Set(["unicast", "as112", "amt"]);
const PUBLIC_V6: ReadonlySet<string> = new Set(["unicast", "as112v6"]);

/** Public by its range, but the host of a cloud's virtual machines: it answers their agents alone. */
const METADATA: ReadonlySet<string> = new Set(["168.63.129.16"]);

function isPrivateV4(address: ipaddr.IPv4): boolean {
  return !PUBLIC_V4.has(address.range()) || METADATA.has(address.toString());
}

type Bytes = readonly number[];

const v4At = (bytes: Bytes, at: number, invert = 0): ipaddr.IPv4 =>
  new ipaddr.IPv4(bytes.slice(at, at + 4).map((byte) => byte ^ invert));

const beginsWith = (bytes: Bytes, ...prefix: Bytes): boolean =>
  prefix.every((byte, at) => bytes[at] === byte);

const ZEROS = (length: number): Bytes => Array.from({ length }, () => 0);

/**
 * The IPv4 addresses that an IPv6 address leads to: mapped, translated and compatible ones, NAT64, 6to4, ISATAP, and
 * Teredo with its server and its client, which is written inverted.
 */
function embeddedV4(bytes: Bytes): readonly ipaddr.IPv4[] {
  if (beginsWith(bytes, 0x20, 0x02)) return [v4At(bytes, 2)];
  if (beginsWith(bytes, 0x20, 0x01, 0, 0)) return [v4At(bytes, 4), v4At(bytes, 12, 0xff)];
  const isLast =
    beginsWith(bytes, ...ZEROS(10), 0xff, 0xff) ||
    beginsWith(bytes, ...ZEROS(8), 0xff, 0xff, 0, 0) ||
    beginsWith(bytes, ...ZEROS(12)) ||
    beginsWith(bytes, 0, 0x64, 0xff, 0x9b, ...ZEROS(8));
  const isIsatap =
    beginsWith(bytes.slice(8), 0, 0, 0x5e, 0xfe) || beginsWith(bytes.slice(8), 2, 0, 0x5e, 0xfe);
  return isLast || isIsatap ? [v4At(bytes, 12)] : [];
}

function isPrivateV6(address: ipaddr.IPv6): boolean {
  const bytes = address.toByteArray();
  const embedded = embeddedV4(bytes);
  if (embedded.some((inner) => isPrivateV4(inner))) return true;
  // What leads to a public IPv4 address is as public as that; the addresses of a local NAT64 are not.
  return embedded.length === 0 && !PUBLIC_V6.has(address.range());
}

/** Whether a host, as a URL writes it, is an IP literal; brackets of IPv6 are allowed. */
export function ipLiteral(host: string): string | null {
  const bare = host.startsWith("[") && host.endsWith("]") ? host.slice(1, -1) : host;
  return isIP(bare) === 0 ? null : bare;
}

/** Whether an IP address lies in a range that RUN-140 refuses, in whatever form IPv6 writes it. */
export function isPrivateAddress(address: string): boolean {
  const parsed = ipaddr.parse(address);
  return parsed instanceof ipaddr.IPv4 ? isPrivateV4(parsed) : isPrivateV6(parsed);
}

/** Whether a URL's host itself names a private address: a literal, or `localhost` (RUN-140). */
export function isPrivateHost(host: string): boolean {
  const literal = ipLiteral(host);
  if (literal !== null) return isPrivateAddress(literal);
  const name = host.toLowerCase().replace(/\.$/, "");
  return name === "localhost" || name.endsWith(".localhost");
}

type Resolve = (
  hostname: string,
  options: LookupOptions & { readonly all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** A look-up that keeps only the addresses which RUN-140 allows; none left is a refusal. */
export function guardedLookup(resolve: Resolve = dnsLookup): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, "", 0);
      const allowed = addresses.filter((entry) => !isPrivateAddress(entry.address));
      const [first] = allowed;
      if (first === undefined) return callback(new AddressRefusedError(hostname), "", 0);
      if (options.all === true) return callback(null, allowed);
      callback(null, first.address, first.family);
    });
  };
}

/**
 * Returns the address to connect to for a host that may not be private: the one that was looked at, whatever its name leads to a
 * moment later. Rejects with AddressRefusedError, or what the look-up says.
 */
export function publicAddressOf(host: string): Promise<string> {
  const literal = ipLiteral(host);
  if (literal !== null) {
    const isRefused = isPrivateAddress(literal);
    return isRefused ? Promise.reject(new AddressRefusedError(host)) : Promise.resolve(literal);
  }
  return new Promise((resolve, reject) => {
    guardedLookup()(host, {}, (error, address) => {
      if (error === null && typeof address === "string") resolve(address);
      else reject(error ?? new AddressRefusedError(host));
    });
  });
}
