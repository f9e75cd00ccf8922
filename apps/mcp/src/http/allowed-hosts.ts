import { problem, type Problem } from "@plasm/agent-core";

/** Names a loopback server answers to, whatever its port. */
export const LOOPBACK_HOSTS: readonly string[] = Object.freeze(["localhost", "127.0.0.1", "[::1]"]);

const hostnameOf = (url: string): string | null => {
  const hostname = URL.canParse(url) ? new URL(url).hostname : "";
  return hostname === "" ? null : hostname;
};

const refusal = (what: "Host" | "Origin", found: string, allowed: readonly string[]): Problem =>
  problem(
    "plasm-policy-denied",
    `${what} ${JSON.stringify(found.slice(0, 200))} may not call this server. Use one of: ${allowed.join(", ")}.`,
  );

/**
 * Refuses a request whose Host or Origin is not one of `allowed` hostnames, so that no web page
 * reaches a local server by a name of its own (SURF-1, G21). No Origin is no browser, and passes.
 */
export function foreignHost(request: Request, allowed: readonly string[]): Problem | null {
  const host = request.headers.get("host") ?? new URL(request.url).host;
  const hostname = hostnameOf(`http://${host}`);
  if (hostname === null || !allowed.includes(hostname)) return refusal("Host", host, allowed);
  const origin = request.headers.get("origin");
  if (origin === null) return null;
  const from = /^https?:/i.test(origin) ? hostnameOf(origin) : null;
  return from !== null && allowed.includes(from) ? null : refusal("Origin", origin, allowed);
}
