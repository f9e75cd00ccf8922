import { createHash } from "node:crypto";
import type { RequestDescription } from "@plasm/core";

/**
 * The key of one effect (RUN-026): the same in retries and resumed runs, since it depends on run, node
 * and row alone. It has the form of a UUID, which every API that takes such keys accepts.
 */
export function idempotencyKey(runId: string, node: string, row: number | null): string {
  const hash = createHash("sha256")
    .update(JSON.stringify([runId, node, row]))
    .digest("hex");
  const variant = ((Number.parseInt(hash.slice(16, 17), 16) & 3) | 8).toString(16);
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    variant + hash.slice(17, 20),
    hash.slice(20, 32),
  ].join("-");
}

/** A request that carries its key, and the key: the caller's own if its template has one. */
export function withIdempotencyKey(
  request: RequestDescription,
  header: string | undefined,
  key: string,
): { readonly request: RequestDescription; readonly key: string | null } {
  if (header === undefined) return { request, key: null };
  const given = request.headers.find(([name]) => name.toLowerCase() === header.toLowerCase());
  if (given !== undefined) return { request, key: given[1] };
  return { request: { ...request, headers: [...request.headers, [header, key]] }, key };
}
