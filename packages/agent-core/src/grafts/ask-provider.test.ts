import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createHttpTransport } from "@plasm/runtime";
import { afterEach, describe, expect, it } from "vitest";
import { boatsApi } from "../../test/boats-api.ts";
import { engineOn } from "../../test/engine-on.ts";
import { graftSet, HEADER_LINE, openTelling, U42 } from "../../test/graft-agent.ts";
import { testStore } from "../../test/test-store.ts";
import { httpGraftProvider, type HttpProviderOptions } from "./provider.ts";

interface Got {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString("utf8");
  return text === "" ? null : JSON.parse(text);
}

/** A server on loopback, and what it got. */
async function serve(answer: (response: ServerResponse) => void) {
  const got: Got[] = [];
  const note = async (request: IncomingMessage): Promise<void> => {
    const { method = "", url: path = "" } = request;
    got.push({ method, path, body: await bodyOf(request) });
  };
  const server = createServer((request, response) => {
    note(request).then(
      () => answer(response),
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, got };
}

const json = (value: unknown) => (response: ServerResponse) => {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify(value));
};

function providerAt(url: string, more: Partial<HttpProviderOptions> = {}) {
  const provider = httpGraftProvider({ url, transport: createHttpTransport(), ...more });
  closing.push(() => provider.close());
  return provider;
}

const QUESTION = { userId: "u42", tenant: "acme", profile: "field", intent: "spring pruning" };

describe("a provider over HTTP (GRAFT-2, GRAFT-14)", () => {
  it("D21 gets the user, the tenant, the profile and the intent; an empty user is never sent", async () => {
    const { url, got } = await serve(json({ grafts: graftSet() }));
    const provider = providerAt(`${url}/sets?key=k`);
    expect(await provider.ask(QUESTION)).toEqual({ grafts: graftSet() });
    const { userId, ...rest } = QUESTION;
    expect(got).toEqual([
      { method: "POST", path: "/sets?key=k", body: { user_id: userId, ...rest } },
    ]);
    await expect(provider.ask({ ...QUESTION, userId: "" })).rejects.toThrow("No user to ask for.");
    expect(got).toHaveLength(1);
  });

  it.each<[string, (response: ServerResponse) => void, string]>([
    [
      "an error",
      (r) => r.writeHead(500).end("secret words"),
      "The provider of grafts answered 500.",
    ],
    ["HTML", (r) => r.end("<html>"), "The provider's answer is no JSON in UTF-8."],
    [
      "half an answer",
      (r) => r.writeHead(200, { "content-length": "9" }).end("{}", () => r.destroy()),
      "cannot be reached (lost)",
    ],
    [
      "more than there may be",
      (r) => r.end(`"${"x".repeat(2_000)}"`),
      "The provider's answer is too large",
    ],
  ])("D19 tells of %s without a word of the provider's", async (_, answer, said) => {
    const { url } = await serve(answer);
    // Whatever a busy machine takes for an answer.
    const provider = providerAt(url, { timeoutMs: 60_000, maxBytes: 1_000 });
    await expect(provider.ask(QUESTION)).rejects.toThrow(said);
  });

  it("D19 tells of silence", async () => {
    const { url } = await serve(() => undefined);
    const said = "The provider of grafts did not answer within 1 s.";
    await expect(providerAt(url, { timeoutMs: 1_000 }).ask(QUESTION)).rejects.toThrow(said);
  });

  it("no body is no set", async () => {
    const { url } = await serve((response) => response.writeHead(204).end());
    expect(await providerAt(url).ask(QUESTION)).toBeNull();
  });

  it("D22 no redirect is followed", async () => {
    const inner = await serve(json(graftSet()));
    const { url } = await serve((r) =>
      r.writeHead(307, { location: `${inner.url}/metadata` }).end(),
    );
    await expect(providerAt(url).ask(QUESTION)).rejects.toThrow("answered 307");
    expect(inner.got).toEqual([]);
  });
});

describe("an engine with a provider over HTTP", () => {
  it("D22 opens nothing that a set names, and asks no address but the configured one", async () => {
    const trap = await serve(json(graftSet()));
    const names = {
      manifest_path: `${trap.url}/manifest.yaml`,
      user_id: "root",
      url: trap.url,
      profile: trap.url,
    };
    const hostile = {
      source: `${trap.url}/source`,
      path: `${trap.url}/../etc/passwd`,
      url: trap.url,
    };
    const { url, got } = await serve(json(graftSet([hostile], names)));
    const grafts = { profile: "field", provider: providerAt(url) };
    const engine = engineOn({ store: testStore(), api: boatsApi(), grafts });
    closing.push(() => engine.close());
    const own = graftSet([{ graft_id: "g02", source: trap.url, path: trap.url }], {
      manifest_path: `${trap.url}/own.yaml`,
    });
    const { section, ref } = await openTelling(engine, U42, { grafts: own });
    expect(section).toContain(`- \`g01\` · ${trap.url}/source · `);
    for (const graftId of ["g01", "g02", "*"]) await engine.fetchGraft(U42, { graftId, ref });
    expect([trap.got, got.length]).toEqual([[], 1]);
  });

  it("shows the provider's grafts to the user they are of", async () => {
    const { url } = await serve(json(graftSet()));
    const grafts = { profile: "field", provider: providerAt(url) };
    const engine = engineOn({ store: testStore(), api: boatsApi(), grafts });
    closing.push(() => engine.close());
    expect((await openTelling(engine, U42)).section).toContain(HEADER_LINE);
  });
});
