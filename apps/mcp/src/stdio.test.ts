import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { afterEach, expect, it } from "vitest";
import { cleanUp, realHost, temporaryDirectory } from "./testing/real-host.ts";
import { textOf } from "./testing/text-of.ts";
import { connectTransport } from "./stdio.ts";

afterEach(cleanUp);

it("serves a client of the same process, as one connection, until it is closed (SURF-1, SESS-4)", async () => {
  const host = await realHost(await temporaryDirectory());
  const [near, far] = InMemoryTransport.createLinkedPair();
  const server = connectTransport(far, host);
  const client = new Client({ name: "same process", version: "1" });
  await client.connect(near);
  const seeds = [{ api: "quay", entity: "Boat" }];
  const open = { name: "plasm_context", arguments: { intent: "spring", seeds } };
  expect(textOf(await client.callTool(open))).toMatch(/^logical_session_ref s0\n/);
  // Its tables have been sent on this connection, so that nothing is said of sending them again (SESS-19).
  expect(textOf(await client.callTool(open))).toMatch(/Names stand\.$/);
  const closed = new Promise<void>((resolve) => (client.onclose = resolve));
  await server.close();
  await closed;
});
