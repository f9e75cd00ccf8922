import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ClientCapabilities } from "@modelcontextprotocol/client";
import { afterEach, describe, expect, it } from "vitest";
import { connectTo } from "./testing/http-client.ts";
import { cleanUp, realHost, temporaryDirectory } from "./testing/real-host.ts";

afterEach(cleanUp);

const PAGE = "<!doctype html><title>A card</title>";
const CARDS: ClientCapabilities = {
  extensions: { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } },
};
const OTHER: ClientCapabilities = {
  extensions: { "io.modelcontextprotocol/ui": { mimeTypes: ["text/x-other"] } },
};

async function handlerWith(page: string | null) {
  const files = await temporaryDirectory();
  if (page !== null) await writeFile(join(files, "card.html"), page);
  const { handler } = await realHost(await temporaryDirectory(), {}, files);
  return handler;
}

describe.each(["legacy", "modern"] as const)("SURF-45 the card, %s era", (era) => {
  it("is offered to a client that shows cards, with its page, and to no other", async () => {
    const handler = await handlerWith(PAGE);
    const { client } = await connectTo(handler, era, CARDS);
    const { tools } = await client.listTools();
    const show = tools.find(({ name }) => name === "plasm_show");
    expect(show?._meta).toEqual({ ui: { resourceUri: "ui://plasm/plan.html" } });
    expect(show?.annotations).toEqual({ readOnlyHint: true });
    // What one client is offered another one is not.
    const hint: unknown = (await client.listTools())["cacheScope"];
    expect(hint).toBe(era === "modern" ? "private" : undefined);
    const read = await client.readResource({ uri: "ui://plasm/plan.html" });
    expect(read.contents).toEqual([
      {
        uri: "ui://plasm/plan.html",
        mimeType: "text/html;profile=mcp-app",
        text: PAGE,
        _meta: { ui: { prefersBorder: true } },
      },
    ]);
    for (const capabilities of [{}, OTHER]) {
      const { client: plain } = await connectTo(handler, era, capabilities);
      const names = (await plain.listTools()).tools.map(({ name }) => name);
      expect(names).not.toContain("plasm_show");
      expect(names).toHaveLength(5);
      await expect(plain.callTool({ name: "plasm_show", arguments: {} })).rejects.toThrow(
        "No tool plasm_show",
      );
      await plain.close();
    }
    await client.close();
  });

  it("a server without the page offers none", async () => {
    const { client } = await connectTo(await handlerWith(null), era, CARDS);
    expect((await client.listTools()).tools).toHaveLength(5);
    await expect(client.readResource({ uri: "ui://plasm/plan.html" })).rejects.toThrow();
    await expect(client.callTool({ name: "plasm_show", arguments: {} })).rejects.toThrow(
      "No tool plasm_show",
    );
    await client.close();
  });

  it("a wrong argument is told with what is allowed", async () => {
    const { client } = await connectTo(await handlerWith(PAGE), era, CARDS);
    const args = { logical_session_ref: "s0", ref: "pc0" };
    const told = await client.callTool({ name: "plasm_show", arguments: args });
    expect(told.isError).toBe(true);
    expect(JSON.stringify(told.content)).toContain("plan_commit_ref");
    await client.close();
  });
});
