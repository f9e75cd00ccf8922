import { ProtocolError, ProtocolErrorCode, type Server } from "@modelcontextprotocol/server";
import type { Subscriptions } from "./subscriptions.ts";

/** Serves `resources/subscribe` of the 2025 protocols on a connection that stands (WATCH-06). */
export function serveSubscribing(server: Server, watched: Subscriptions): void {
  server.setRequestHandler("resources/subscribe", async ({ params: { uri } }) => {
    if ((await watched.add([uri])).length === 1) return {};
    const text = `${JSON.stringify(uri)} is not told of. A watch of yours is, as plasm://watch/SCHEDULE_UUID, and up to 50 of them: see "plasm programs schedules", or GET /v1/schedules.`;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, text);
  });
  server.setRequestHandler("resources/unsubscribe", ({ params: { uri } }) => {
    watched.remove([uri]);
    return {};
  });
}
