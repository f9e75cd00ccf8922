import { beforeEach, describe, expect, it } from "vitest";
import { type BoatsApi, boatsApi } from "../../../test/boats-api.ts";
import { type Agent, agentOn, engineOn } from "../../../test/engine-on.ts";
import { testStore } from "../../../test/test-store.ts";
import { tokenCounter } from "../../answer/tokens.ts";
import type { ExplanationMeta } from "../../answer/meta.ts";
import type { Engine } from "../../engine.ts";
import { LOCAL } from "../../identity/caller.ts";

const SENTENCES = [
  "The ferry leaves from the outer mole at half past six.",
  "Nobody is to moor at the fuel berth for longer than an hour.",
  "Ask the harbour master for the key of the crane, and bring it back.",
];
const OLD = "The old wall is closed until the end of March.";
const NEW = "The old wall is open again.";

/** A page of about 300 kB in which one sentence stands once. */
function page(): string {
  const lines = Array.from(
    { length: 5_000 },
    (_, at) => `${at}. ${SENTENCES[at % SENTENCES.length] ?? ""}`,
  );
  lines.splice(2_500, 0, OLD);
  return lines.join("\n");
}

let api: BoatsApi;
let engine: Engine;
let agent: Agent;
let note: string;

beforeEach(async () => {
  api = boatsApi(3);
  note = page();
  api.before = async ({ method, path }) =>
    method === "GET" && path === "/boats/b1"
      ? { status: 200, json: { id: "b1", name: "Alma", owner: "ann", note } }
      : null;
  engine = engineOn({ store: testStore(), api });
  agent = await agentOn(engine);
});

const sent = (): unknown => api.asked.findLast(({ method }) => method === "PATCH")?.body;
const explain = (program: string) => engine.explain(LOCAL, { kind: "ref", ref: "s0" }, { program });

const program = `b = Boat("b1")\nb.update(note=replace(b.note, "${OLD}", "${NEW}"))`;

describe("LANG-056 a long text is edited in place", () => {
  it("a page of 300 kB is changed in one sentence for at most 500 tokens, and the API gets exactly that", async () => {
    expect(Buffer.byteLength(note)).toBeGreaterThan(300_000);
    const planned = await agent.plan(program);
    const explained = await explain(program);
    const done = await agent.runPlanned("pc0", { force: true });
    expect(done.problem).toBeNull();
    expect(sent()).toEqual({ note: note.replace(OLD, NEW) });
    const count = await tokenCounter();
    const texts = [program, planned.text, explained.text, "plan_commit_ref=pc0", done.text];
    expect(texts.reduce((sum, text) => sum + count(text), 0)).toBeLessThanOrEqual(500);
  });

  it("before and after are cut around the change, in the text and in _meta", async () => {
    const { text, meta } = await explain(program);
    const { explained } = meta as ExplanationMeta;
    const at = note.indexOf(OLD);
    expect(text).toContain(`note at ${at + "The old wall is ".length} of ${note.length}: "…`);
    expect(text).toContain(`closed until the end of March.\\n2500. Nobody`);
    expect(text).toContain(`open again.\\n2500. Nobody`);
    expect(JSON.stringify(explained).length).toBeLessThan(2_000);
    expect(explained).toMatchObject([
      {
        changes: [{ part: { before: note.length, after: note.length + NEW.length - OLD.length } }],
      },
    ]);
  });

  it("where it cannot be edited, explain says so and a run sends nothing", async () => {
    const many = program.replace(OLD, "at the fuel berth");
    const { text } = await explain(many);
    expect(text).toContain("fails: argument_invalid");
    expect(text).toContain("occurs 1667 times");
    const done = await agent.run(many, { force: true });
    expect(done.text).toContain("write all as a fourth value");
    expect(sent()).toBeUndefined();
    const count = await tokenCounter();
    expect(count(text) + count(done.text)).toBeLessThan(500);
  });

  it("a short text is shown whole, before and after", async () => {
    note = "the old wall";
    const { text } = await explain('b = Boat("b1")\nb.update(note=replace(b.note, "old", "new"))');
    expect(text).toContain('note "the old wall" → "the new wall"');
  });
});
