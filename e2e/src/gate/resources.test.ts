import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { LOCAL, type Caller } from "@plasm/agent-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openGateWorld, type GateWorld } from "./gate-world.ts";

let world: GateWorld;
const clients: Client[] = [];
beforeAll(async () => {
  world = await openGateWorld(["quay", "yard"]);
});
afterAll(async () => {
  for (const client of clients) await client.close();
  await world.close();
});

const ERAS = ["2025", "2026"] as const;
type Era = (typeof ERAS)[number];

/** A client of SDK v2 that needs no socket. */
async function connect(era: Era, caller: Caller = LOCAL): Promise<Client> {
  const send = world.fetchAs(caller);
  const transport = new StreamableHTTPClientTransport(new URL("http://127.0.0.1/mcp"), {
    fetch: (url, init) => send(new Request(url, init)),
  });
  const mode = era === "2025" ? ("legacy" as const) : { pin: "2026-07-28" };
  const client = new Client({ name: "e2e", version: "1" }, { versionNegotiation: { mode } });
  await client.connect(transport);
  clients.push(client);
  return client;
}

interface Opened {
  readonly logical_session_ref: string;
  readonly logical_session_id: string;
  readonly execute_binding: { readonly prompt_hash: string; readonly session_id: string };
}

interface Done {
  readonly steps: readonly { readonly run_id: string }[];
}

/** A session with one result, and what its resources are called. */
async function withResult(client: Client, intent: string) {
  const seeds = [{ api: "quay", entity: "Boat" }];
  const opened = await client.callTool({ name: "plasm_context", arguments: { intent, seeds } });
  const meta = opened._meta?.["plasm"] as Opened;
  const ref = meta.logical_session_ref;
  const args = { logical_session_ref: ref, program: 'e1("b1")' };
  const run = await client.callTool({ name: "plasm_run", arguments: args });
  const done = run._meta?.["plasm"] as Done;
  const { prompt_hash: hash, session_id: id } = meta.execute_binding;
  const [step] = done.steps;
  return { meta, place: `plasm://execute/${hash}/${id}/run/`, runId: step?.run_id ?? "" };
}

async function read(client: Client, uri: string) {
  const { contents } = await client.readResource({ uri });
  const [first] = contents;
  if (contents.length !== 1 || first === undefined || !("text" in first)) throw new Error(uri);
  return { mimeType: first.mimeType, text: first.text };
}

/** The error of a read that must fail: code of the protocol, and the object of SURF-18. */
async function errorOf(client: Client, uri: string) {
  const thrown: unknown = await client.readResource({ uri }).then(
    () => new Error(`${uri} was read`),
    (error: unknown) => error,
  );
  const { code, data } = thrown as { readonly code?: number; readonly data?: object };
  return { code, data };
}

describe.each(ERAS)("MCP %s", (era) => {
  it("SURF-10 lists the registry and templates, and reads each template by ref and by uuid", async () => {
    const client = await connect(era);
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(["plasm://registry"]);
    expect(await read(client, "plasm://registry")).toMatchObject({ mimeType: "application/json" });
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(
      expect.arrayContaining([
        "plasm://session/{logical_session_ref}/r/{n}",
        "plasm://session/{logical_session_ref}/table",
        "plasm://session/{logical_session_ref}/g/{graft_id}",
        "plasm://session/{logical_session_ref}/g",
        "plasm://watch/{schedule_uuid}{?after}",
        "plasm://execute/{prompt_hash}/{session_id}/run/{run_id}",
      ]),
    );
    const { meta, place, runId } = await withResult(client, `${era}: templates`);
    const [byRef, byUuid] = [meta.logical_session_ref, meta.logical_session_id].map(
      (name) => `plasm://session/${name}`,
    );
    const snapshot = await read(client, `${byRef}/r/1`);
    expect(snapshot.mimeType).toBe("application/json");
    expect(JSON.parse(snapshot.text)).toMatchObject({ n: 1, run_id: runId });
    for (const uri of [`${byUuid}/r/1`, `${place}${runId}`]) {
      expect(await read(client, uri)).toEqual(snapshot);
    }
    const table = await read(client, `${byRef}/table`);
    expect(table.text).toContain("plasm_expr");
    expect(await read(client, `${byUuid}/table`)).toEqual(table);
  });

  it("SURF-10 SURF-18 a read that fails has its code, for a stranger the same (SESS-38)", async () => {
    const client = await connect(era);
    const { meta, place, runId } = await withResult(client, `${era}: errors`);
    const own = `plasm://session/${meta.logical_session_ref}`;
    const uuid = "00000000-0000-5000-8000-000000000000";
    const nobody = place.replace(/[0-9a-f]{32}(?=\/run)/, "0".repeat(32));
    const failing: readonly (readonly [uri: string, code: string])[] = [
      ["plasm://session/s999/table", "plasm-unknown-session"],
      ["plasm://session/s999/r/1", "plasm-unknown-session"],
      [`plasm://session/${uuid}/table`, "plasm-unknown-session"],
      [`plasm://session/${uuid}/r/1`, "plasm-unknown-session"],
      [`plasm://session/${uuid}/g`, "plasm-unknown-session"],
      [`plasm://session/${uuid}/g/g01`, "plasm-unknown-graft"],
      [`${own}/g/g01`, "plasm-unknown-graft"],
      [`${own}/r/9`, "plasm-unknown-snapshot"],
      [`${own}/r/0`, "plasm-unknown-snapshot"],
      [`${own}/r/01`, "plasm-unknown-snapshot"],
      [`${place}pr${"0".repeat(64)}`, "plasm-unknown-snapshot"],
      [`${nobody}${runId}`, "plasm-unknown-session"],
      ["plasm://registry/quay", "plasm-unknown-snapshot"],
      ["plasm://session/", "plasm-unknown-snapshot"],
    ];
    const notFound = era === "2025" ? -32_002 : -32_602;
    for (const [uri, code] of failing) {
      const problem = { type: `urn:problem:${code}`, status: 404, code, retryable: false };
      expect([uri, await errorOf(client, uri)]).toMatchObject([
        uri,
        { code: notFound, data: problem },
      ]);
    }
    const stranger = await connect(era, { ...LOCAL, scope: "elsewhere" });
    const theirs = `plasm://session/${meta.logical_session_id}/table`;
    const same = async (foreign: string, invented: string, ids: readonly [string, string]) => {
      const [one, other] = [await errorOf(stranger, foreign), await errorOf(stranger, invented)];
      expect(JSON.stringify(one).replace(ids[0], ids[1])).toBe(JSON.stringify(other));
    };
    await same(theirs, `plasm://session/${uuid}/table`, [meta.logical_session_id, uuid]);
    const { session_id: id } = meta.execute_binding;
    await same(`${place}${runId}`, `${nobody}${runId}`, [id, "0".repeat(32)]);
  });

  it("SURF-1 the tool list stays the same through sessions, errors and policies", async () => {
    const client = await connect(era);
    const { tools: first } = await client.listTools();
    const { meta } = await withResult(client, `${era}: tools`);
    const ref = { logical_session_ref: meta.logical_session_ref };
    await client.callTool({ name: "plasm", arguments: { ...ref, program: "nonsense(" } });
    world.setPolicy({ apis: { yard: {} }, force: false });
    const { tools: denied } = await client.listTools();
    world.setPolicy({});
    expect(denied).toEqual(first);
    expect((await (await connect(era)).listTools()).tools).toEqual(first);
    expect(first[0]?.name).toBe("plasm_context");
  });

  it("SURF-1 no text that hosts cut is longer than 2,000 characters", async () => {
    const client = await connect(era);
    const { tools } = await client.listTools();
    const instructions = client.getInstructions() ?? "";
    for (const text of [instructions, ...tools.map(({ description = "" }) => description)]) {
      expect(text.length).toBeGreaterThan(0);
      expect(text.length).toBeLessThanOrEqual(2_000);
    }
  });

  it("SURF-4 every tool names the nearest argument it knows, told and untold", async () => {
    const client = await connect(era);
    const { tools } = await client.listTools();
    const untold: Readonly<Record<string, readonly string[]>> = {
      plasm_context: ["principal"],
      plasm: ["mode", "wait", "force", "plan_commit_ref", "explain"],
      plasm_run: ["mode"],
    };
    let seen = 0;
    for (const { name, inputSchema } of tools) {
      const known = [...Object.keys(inputSchema.properties ?? {}), ...(untold[name] ?? [])];
      for (const argument of known) {
        const wrong = `${argument}x`;
        const answer = await client.callTool({ name, arguments: { [wrong]: "x" } });
        expect(answer.isError).toBe(true);
        const error = { code: "plasm-bad-request", status: 400 };
        expect(answer._meta).toMatchObject({ plasm: { error } });
        const [block] = answer.content;
        expect(block?.type === "text" ? block.text : "").toContain(
          `${name} takes no argument ${wrong}. Did you mean ${argument}?`,
        );
        seen += 1;
      }
    }
    expect(seen).toBeGreaterThanOrEqual(20);
  });
});
