import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type MessageExtraInfo,
  type RequestId,
  type Transport,
  type TransportSendOptions,
} from "@modelcontextprotocol/server";
import type { Subscriptions } from "./subscriptions.ts";
import { listenedTo, withListenedTo } from "./listen-request.ts";

type Forward = NonNullable<Transport["onmessage"]>;

/**
 * A connection of 2026-07-28 that stands: the SDK answers `subscriptions/listen` before any server sees it, so that what is listened to is
 * seen here, and left out as far as the caller may not read it (WATCH-06).
 */
export class ListeningTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Forward;
  readonly #inner: Transport;
  readonly #watched: Subscriptions;
  readonly #listens = new Map<RequestId, readonly string[]>();
  /** messages keep their order behind a listen that is still looked at */
  #behind: Promise<void> | null = null;

  constructor(inner: Transport, watched: Subscriptions) {
    this.#inner = inner;
    this.#watched = watched;
    inner.onclose = () => {
      watched.close();
      this.onclose?.();
    };
    inner.onerror = (error) => this.onerror?.(error);
    inner.onmessage = (message, extra) => this.#take(message, extra);
  }

  start(): Promise<void> {
    return this.#inner.start();
  }

  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    return this.#inner.send(message, options);
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  #take(message: JSONRPCMessage, extra: MessageExtraInfo | undefined): void {
    const listens = isJSONRPCRequest(message) && message.method === "subscriptions/listen";
    if (this.#behind === null && !listens) {
      this.#pass(message, extra);
      return;
    }
    const before = this.#behind ?? Promise.resolve();
    const now = before.then(async () =>
      this.#pass(listens ? await this.#readable(message) : message, extra),
    );
    this.#behind = now;
    void now.finally(() => {
      if (this.#behind === now) this.#behind = null;
    });
  }

  #pass(message: JSONRPCMessage, extra: MessageExtraInfo | undefined): void {
    if (isJSONRPCNotification(message) && message.method === "notifications/cancelled") {
      const id = message.params?.["requestId"] as RequestId;
      this.#watched.remove(this.#listens.get(id) ?? []);
      this.#listens.delete(id);
    }
    this.onmessage?.(message, extra);
  }

  async #readable(request: JSONRPCRequest): Promise<JSONRPCRequest> {
    const asked = listenedTo(request);
    if (asked === null) return request;
    const added = await this.#watched.add(asked);
    this.#listens.set(request.id, added);
    return withListenedTo(request, added);
  }
}
