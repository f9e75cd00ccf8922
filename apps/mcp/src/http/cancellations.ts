import type { RequestId } from "@modelcontextprotocol/server";

/** A request that can be cancelled until it has ended. */
export interface Cancellable {
  readonly signal: AbortSignal;
  end(): void;
}

/** Requests of the 2025 protocols that a `notifications/cancelled` of their connection can reach. */
export interface Cancellations {
  /** Makes a request cancellable until `end` is called. */
  begin(connection: string, id: RequestId): Cancellable;
  /** Cancels it; a request that has ended, or was never there, is none (MCP cancellation). */
  cancel(connection: string, id: RequestId): void;
}

const nameOf = (connection: string, id: RequestId): string => JSON.stringify([connection, id]);

/**
 * Keeps what is under way by connection and request id. Every POST is served by itself, so that the
 * SDK cannot tell which run a notification speaks of (OPS-11). It reaches runs of this process.
 */
export function cancellations(): Cancellations {
  const underWay = new Map<string, AbortController>();
  return {
    begin: (connection, id) => {
      const name = nameOf(connection, id);
      const controller = new AbortController();
      underWay.set(name, controller);
      return {
        signal: controller.signal,
        end: () => {
          if (underWay.get(name) === controller) underWay.delete(name);
        },
      };
    },
    cancel: (connection, id) => underWay.get(nameOf(connection, id))?.abort(),
  };
}

/** The request that a message cancels, if it is such a message. */
export function cancelledId(message: unknown): RequestId | null {
  if (typeof message !== "object" || message === null) return null;
  const { method, params } = message as { method?: unknown; params?: { requestId?: unknown } };
  if (method !== "notifications/cancelled") return null;
  const id = params?.requestId;
  return typeof id === "string" || typeof id === "number" ? id : null;
}
