import { createHash } from "node:crypto";
import type { WireRequest } from "./wire-request.ts";

/**
 * The fingerprint of a request (RUN-160): SHA-256 over method, place, sorted query and body. The
 * backend is written `{backend}`, other origins stay; headers and credentials are out.
 */
export function fingerprint(request: WireRequest, backendBase: string): string {
  const url = new URL(request.url);
  const place = url.origin + url.pathname;
  const path = place.startsWith(backendBase)
    ? `{backend}${place.slice(backendBase.length)}`
    : place;
  const query = [...url.searchParams].map(([name, value]) => [name, value] as const);
  const sorted = query.toSorted(
    ([a, x], [b, y]) => (a < b ? -1 : a > b ? 1 : 0) || (x < y ? -1 : x > y ? 1 : 0),
  );
  const type = request.engineHeaders.find(([name]) => name.toLowerCase() === "content-type")?.[1];
  const hash = createHash("sha256");
  hash.update(JSON.stringify(["http", request.method, path, sorted, type ?? null]));
  if (request.body !== null) hash.update(request.body);
  return hash.digest("hex");
}
