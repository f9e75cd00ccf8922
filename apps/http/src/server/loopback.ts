import { isIPv4, isIPv6 } from "node:net";

/** Whether an address to listen on is this machine's own: localhost, 127.0.0.0/8 or ::1. */
export const isLoopback = (host: string): boolean =>
  host.toLowerCase() === "localhost" ||
  (isIPv4(host) && host.startsWith("127.")) ||
  (isIPv6(host) && host === "::1");

/** An address as it stands in a URL. */
export const urlHost = (host: string): string => (isIPv6(host) ? `[${host}]` : host);
