import type { RequestId } from "@modelcontextprotocol/server";

/** The request that a message cancels, if it is such a message. */
export function cancelledId(message: unknown): RequestId | null {
  if (typeof message !== "object" || message === null) return null;
  const { method, params } = message as { method?: unknown; params?: { requestId?: unknown } };
  if (method !== "notifications/cancelled") return null;
  const id = params?.requestId;
  return typeof id === "string" || typeof id === "number" ? id : null;
}

/** What a request of a connection is called; 1 and "1" are two. */
export const callOf = (id: RequestId): string => JSON.stringify(id);
