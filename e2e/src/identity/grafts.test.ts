import type { JsonObject } from "@plasm/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { callTool, GATE_SURFACES, mcpCall, type GateSurface } from "../gate/gate-agent.ts";
import {
  jsonOf,
  openIdentityWorld,
  textIn,
  type Credential,
  type IdentityWorld,
} from "./identity-world.ts";

let world: IdentityWorld;
let ann: Credential;
let ben: Credential;
beforeAll(async () => {
  world = await openIdentityWorld({ auth: "optional" });
  ann = await world.key({ subject: "ann" });
  ben = await world.key({ subject: "ben" });
});
afterAll(() => world.close());

const SEEDS = [{ api: "quay", entity: "Boat" }];
const MARKER = "MARKER-OF-A-BODY";
const BODY = `${"Prune quince in late winter, and pear in spring. ".repeat(150)}${MARKER}\n\`\`\`\`\n`;

const graft = (n: number, content: string): JsonObject => ({
  graft_id: `g${String(n).padStart(2, "0")}`,
  source: "git",
  path: `notes/${String(n).padStart(2, "0")}.md`,
  mime: "text/markdown",
  content,
});
const set = (items: readonly JsonObject[]): JsonObject => ({
  name: "pruning",
  manifest_path: "sets/pruning.yaml",
  created_ts: "2026-01-05T09:00:00Z",
  guardrails: "Cite the graft id for each claim.",
  items,
});
const seventy = (): readonly JsonObject[] =>
  Array.from({ length: 70 }, (_, n) => graft(n, `${n} ${BODY}`));

/** A session with grafts, and what there is to be fetched of it. */
interface Opened {
  readonly text: string;
  readonly meta: JsonObject;
  readonly ref: string;
  readonly path: string;
}

const metaOf = (answer: JsonObject): JsonObject =>
  ((answer["_meta"] ?? {}) as JsonObject)["plasm"] as JsonObject;

function openedBy(text: string, meta: JsonObject): Opened {
  const { prompt_hash: hash, session_id: id } = meta["execute_binding"] as Record<string, string>;
  const ref = textIn(meta, "logical_session_ref");
  return { text, meta: meta["grafts"] as JsonObject, ref, path: `/execute/${hash}/${id}` };
}

/** The first context answer that has this set. */
async function open(
  surface: GateSurface,
  who: Credential,
  intent: string,
  grafts: JsonObject,
): Promise<Opened> {
  if (surface === "MCP") {
    const args = { intent, seeds: SEEDS, grafts };
    const { text, meta } = await callTool(world.fetchAs(who), "plasm_context", args);
    return openedBy(text, meta);
  }
  const body = { intent, seeds: SEEDS };
  const { headers } = await world.call(who, "POST", "/execute", body);
  const at = `${headers.get("location")}/context`;
  const answer = jsonOf(await world.call(who, "POST", at, { seeds: SEEDS, grafts }));
  return openedBy(textIn(answer, "text"), metaOf(answer));
}

/** A body as the surface gives it. */
async function bodyBy(surface: GateSurface, who: Credential, { ref, path }: Opened, id: string) {
  if (surface === "HTTP") return (await world.call(who, "GET", `${path}/grafts/${id}`)).text;
  const uri = `plasm://session/${ref}/g/${id}`;
  const { result } = (await mcpCall(world.fetchAs(who), "resources/read", { uri })) as {
    readonly result: { readonly contents: readonly [{ readonly text: string }] };
  };
  return result.contents[0].text;
}

const linesOf = (text: string): readonly string[] =>
  text.split("\n").filter((line) => line.startsWith("- `g"));

describe.each(GATE_SURFACES)("grafts over %s", (surface) => {
  test("D1 D15 a body of 7 KB stands in the answer as its abstract only", async () => {
    expect(BODY.length).toBeGreaterThan(7_168);
    const { text, meta } = await open(surface, ann, `${surface} one`, set([graft(1, BODY)]));
    expect(text).not.toContain(MARKER);
    expect(linesOf(text)).toEqual([`- \`g01\` · git · \`notes/01.md\` — ${BODY.slice(0, 120)}`]);
    expect(text).toContain(
      "Grafts · pruning · user ann · 2026-01-05T09:00:00Z · sets/pruning.yaml · 1 source\nCite the graft id for each claim.\n",
    );
    expect(meta).toMatchObject({ count: 1, indexed: 1, hidden: 0, revision: 1 });
  });

  test("D6 D16 of 70 grafts there are 70 lines", async () => {
    const { text, meta } = await open(surface, ann, `${surface} many`, set(seventy()));
    expect(linesOf(text)).toHaveLength(70);
    expect(meta).toMatchObject({ count: 70, indexed: 70, hidden: 0 });
  });

  test("D4 grafted_context_fetch, resource and route give the body", async () => {
    const opened = await open(surface, ann, `${surface} fetch`, set([graft(1, BODY)]));
    expect(await bodyBy(surface, ann, opened, "g01")).toBe(BODY);
    const args = { graft_id: "g01", logical_session_ref: opened.ref };
    const { text, meta } = await callTool(world.fetchAs(ann), "grafted_context_fetch", args);
    const size = Buffer.byteLength(BODY);
    expect(text).toBe(
      `g01 · git · notes/01.md · ${size} bytes · revision 1\n\`\`\`\`\`markdown\n${BODY}\n\`\`\`\`\``,
    );
    expect(meta["graft"]).toMatchObject({ graft_id: "g01", bytes: size, next_offset: null });
  });

  test("D14 an empty set has no section", async () => {
    const { text, meta } = await open(surface, ann, `${surface} none`, set([]));
    expect([text.includes("Grafts ·"), meta]).toEqual([false, { count: 0 }]);
  });

  test("D23 two subjects of one tenant and intent see only their own", async () => {
    const intent = `${surface} two`;
    const anns = await open(surface, ann, intent, set([graft(1, "Ann's words")]));
    const bens = await open(surface, ben, intent, set([graft(2, "Ben's words")]));
    expect(linesOf(anns.text)).toEqual(["- `g01` · git · `notes/01.md` — Ann's words"]);
    expect(linesOf(bens.text)).toEqual(["- `g02` · git · `notes/02.md` — Ben's words"]);
    const index = await world.call(ben, "GET", `${anns.path}/grafts`);
    expect(linesOf(textIn(jsonOf(index), "text"))).toEqual(linesOf(bens.text));
    const foreign = await world.call(ben, "GET", `${anns.path}/grafts/g01`);
    expect([foreign.status, textIn(jsonOf(foreign), "code")]).toEqual([404, "plasm-unknown-graft"]);
    const args = { graft_id: "g01", logical_session_ref: bens.ref };
    const told = await callTool(world.fetchAs(ben), "grafted_context_fetch", args);
    expect(told.code).toBe("plasm-unknown-graft");
  });
});

describe("who is nobody in particular", () => {
  test("D12 has no section over HTTP, and attaches nothing", async () => {
    const { headers } = await world.call({}, "POST", "/execute", { seeds: SEEDS });
    const path = headers.get("location") ?? "";
    const refused = await world.call({}, "POST", `${path}/grafts`, set([graft(1, BODY)]));
    expect([refused.status, textIn(jsonOf(refused), "code")]).toEqual([
      400,
      "plasm-graft-no-identity",
    ]);
    const answer = jsonOf(await world.call({}, "POST", `${path}/context`, { seeds: SEEDS }));
    expect(textIn(answer, "text")).not.toContain("Grafts");
    expect(metaOf(answer)["grafts"]).toEqual({ count: 0 });
  });

  test("D12 has none over MCP", async () => {
    const args = { intent: "nobody's", seeds: SEEDS, grafts: set([graft(1, BODY)]) };
    const told = await callTool(world.fetchAs({}), "plasm_context", args);
    expect([told.code, told.text.includes("Grafts ·")]).toEqual(["plasm-graft-no-identity", false]);
  });
});

test("what is attached by POST …/grafts is shown by the next context, as it is served", async () => {
  const { path } = await open("HTTP", ann, "attached", set([]));
  const page = { ...graft(1, "<script>alert(1)</script>"), mime: "text/html" };
  const attached = jsonOf(await world.call(ann, "POST", `${path}/grafts`, { grafts: set([page]) }));
  expect(attached["grafts"]).toEqual([
    expect.objectContaining({ graft_id: "g01", mime: "text/html", revision: 1 }),
  ]);
  const served = await world.call(ann, "GET", `${path}/grafts/g01`);
  expect(served.text).toBe("<script>alert(1)</script>");
  expect(served.headers.get("content-security-policy")).toContain("sandbox");
  const next = jsonOf(await world.call(ann, "POST", `${path}/context`, { seeds: SEEDS }));
  expect(linesOf(textIn(next, "text"))).toHaveLength(1);
  const again = jsonOf(await world.call(ann, "POST", `${path}/context`, { seeds: SEEDS }));
  expect(linesOf(textIn(again, "text"))).toEqual([]);
});
