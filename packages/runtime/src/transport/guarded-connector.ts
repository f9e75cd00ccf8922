import { lookup as dnsLookup, type LookupAddress, type LookupOptions } from "node:dns";
import type { LookupFunction } from "node:net";
import { buildConnector } from "undici";
import { AddressRefusedError } from "./address-refused-error.ts";
import { ipLiteral, isPrivateAddress } from "./private-address.ts";

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
 * A connector that refuses private addresses after name resolution, at connect time: literals
 * before connecting (a `lookup` never sees them), names inside the lookup (RUN-140).
 */
export function guardedConnector(connectTimeoutMs: number): buildConnector.connector {
  const connect = buildConnector({
    timeout: connectTimeoutMs,
    allowH2: false,
    lookup: guardedLookup(),
  });
  return (options, callback) => {
    const literal = ipLiteral(options.hostname);
    if (literal !== null && isPrivateAddress(literal)) {
      callback(new AddressRefusedError(options.hostname), null);
      return;
    }
    connect(options, callback);
  };
}

/** A connector for the one origin that may be private: an effective backend that is so itself. */
export function openConnector(connectTimeoutMs: number): buildConnector.connector {
  return buildConnector({ timeout: connectTimeoutMs, allowH2: false });
}
