import { describe, expect, test } from "vitest";
import type { AgentClient } from "../harness/agent-client.ts";
import { failureOf } from "../harness/agent-failure.ts";
import { openSession, seedsOf } from "../harness/open-session.ts";
import { MCP_SURFACES, SURFACES } from "../harness/surfaces.ts";
import { tokens } from "../harness/tokens.ts";
import { useWorld } from "../harness/use-world.ts";

const world = useWorld();
const boat = seedsOf("quay", "Boat");
const person = seedsOf("quay", "Person");
const visit = seedsOf("quay", "Visit");

/** What stands in every answer: the fence, the table's head, and the hint on replay. */
const FRAME = /^(?:|```.*|plasm_expr\t.*|replay:true sends the tables again\.)$/;

/** Lines that teach: table rows, and the lines of the contract. */
const taught = (text: string): readonly string[] =>
  text.split("\n").filter((line) => !FRAME.test(line));

const withoutRef = (text: string): string => text.replace(/^logical_session_ref s\d+\n/, "");

/** Each line that teaches stands once, over all answers. */
function expectNothingTwice(texts: readonly string[]): void {
  const lines = texts.flatMap((text) => taught(withoutRef(text)));
  expect(lines.filter((line, at) => lines.indexOf(line) !== at)).toEqual([]);
}

/** A connection that saw the tables gets the bare notice; without one it cannot be known (SESS-19). */
const isConnected = (surface: string): boolean =>
  surface !== "HTTP" && surface !== "MCP 2026 over HTTP";

describe.each(SURFACES)("%s", (surface) => {
  const agent = (): Promise<AgentClient> => world().agent(surface);
  const named = (what: string): string => `${surface}: ${what}`;

  test("A3 A11 A25 A35 a later entity comes alone, with the rows that earlier ones gain", async () => {
    const client = await agent();
    const first = await openSession(client, named("expand"), boat);
    const second = await client.context({ intent: named("expand"), seeds: person });
    const { meta } = second;
    expect(meta.execute_binding).toEqual(first.meta.execute_binding);
    expect(meta.reused).toBe(true);
    expect(meta.waves).toMatchObject([{ n: 2, mode: "expand", entities: ["Person"] }]);
    expect(meta.continuity).toEqual({ stale_binding_recovered: false, new_symbol_space: false });
    expectNothingTwice([first.text, second.text]);
    expect(second.text).toContain("Added from quay: e2 Person");
    // The reference is typed anew; a relation whose target came gets its row (TEACH-27).
    expect(first.text).toMatch(/^p\d+\towner Person\(str\)$/m);
    expect(second.text).toMatch(/^p\d+\towner e2$/m);
    expect(first.text).not.toMatch(/^e1\(\$\)\.p\d+\t\S+ visits/m);
    const third = await client.context({ intent: named("expand"), seeds: visit });
    expect(third.text).toContain("Added from quay: e3 Visit");
    expect(third.text).toMatch(/^e1\(\$\)\.p\d+\t\[e3\] visits · its days at the quay/m);
    expectNothingTwice([first.text, second.text, third.text]);
    const related = await client.run(first.ref, 'Boat("b1").owner[login]');
    expect(related.results[0]?.rows).toEqual([{ login: "ann" }]);
  });

  test("A19 the revision rises with each exposure, and not otherwise", async () => {
    const client = await agent();
    const intent = named("revisions");
    const revisions = [];
    for (const seeds of [boat, boat, person, [...person, ...boat], seedsOf("yard", "Part")]) {
      revisions.push((await client.context({ intent, seeds })).meta.domain_revision);
    }
    expect(revisions).toEqual([1, 1, 2, 2, 3]);
  });

  test("A1 A6 B4 TEACH-31 an unchanged session answers with a notice of at most 60 tokens", async () => {
    const client = await agent();
    const { ref, meta: opened } = await openSession(client, named("again"), boat);
    const { text, meta } = await client.context({ intent: named("again"), seeds: boat });
    const hint = isConnected(surface) ? "" : " replay:true sends the tables again.";
    expect(text).toBe(`${ref} unchanged: e1 Boat. Symbols stand.${hint}`);
    expect(tokens(text)).toBeLessThanOrEqual(60);
    expect(text).not.toContain("plasm_expr");
    expect(meta).toMatchObject({ reused: true, waves: [] });
    expect(meta.execute_binding).toEqual(opened.execute_binding);
  });

  test("A41 reopening 50 times costs at most 80 tokens each, however much is taught", async () => {
    const client = await agent();
    const intent = named("reopen");
    const all = [
      ...seedsOf("quay", "Boat", "Log", "Office", "Paper", "Person", "Visit"),
      ...seedsOf("yard", "Boat", "Part"),
    ];
    await openSession(client, intent, all);
    for (let time = 0; time < 50; time += 1) {
      const { text } = await client.context({ intent, seeds: all });
      expect(tokens(text)).toBeLessThanOrEqual(80);
    }
  });

  test("SESS-20 replay sends contract and all waves once more, then what is new", async () => {
    const client = await agent();
    const intent = named("replay");
    const first = await openSession(client, intent, boat);
    const second = await client.context({ intent, seeds: person });
    const again = await client.context({ intent, seeds: boat, replay: true });
    expect(again.meta.waves.map(({ n }) => n)).toEqual([1, 2]);
    for (const line of [...taught(withoutRef(first.text)), ...taught(withoutRef(second.text))]) {
      expect(again.text).toContain(line);
    }
    const more = await client.context({ intent, seeds: visit, replay: true });
    expect(more.meta.waves.map(({ n }) => n)).toEqual([1, 2, 3]);
  });

  test("B9 B23 another intent is another session, a trailing blank too", async () => {
    const client = await agent();
    const one = await openSession(client, named("goal"), boat);
    const other = await openSession(client, `${named("goal")} `, boat);
    expect(other.ref).not.toBe(one.ref);
    expect(other.meta.execute_binding).not.toEqual(one.meta.execute_binding);
    for (const { continuity } of [one.meta, other.meta]) {
      expect(continuity).toEqual({
        stale_binding_recovered: false,
        new_symbol_space: true,
        discard_cached_plasm_symbols: true,
      });
    }
  });

  test("A27 one unknown seed fails the whole call and changes nothing", async () => {
    const client = await agent();
    const intent = named("all or nothing");
    await openSession(client, intent, boat);
    const bad = [...person, { api: "quay", entity: "Bout" }];
    const failure = await failureOf(client.context({ intent, seeds: bad }));
    expect(failure.problem).toMatchObject({ code: "plasm-unknown-entity", status: 422 });
    expect(failure.message).toContain("Boat");
    const after = await client.context({ intent, seeds: boat });
    expect(after.meta).toMatchObject({ domain_revision: 1, waves: [] });
  });
});

describe.each(MCP_SURFACES)("%s", (surface) => {
  test("P13 what was sent is what is stored, wave by wave", async () => {
    const client = await world().newMcpAgent(surface);
    const intent = `${surface}: stored`;
    const { ref, text } = await openSession(client, intent, boat);
    const next = await client.context({ intent, seeds: person });
    const last = await client.context({ intent, seeds: seedsOf("yard", "Boat") });
    const { text: table } = await client.readResource(`plasm://session/${ref}/table`);
    const hint = "replay:true sends the tables again.";
    const sent = [text, next.text, last.text].map((one) => withoutRef(one).replace(hint, ""));
    expect(sent.map((one) => one.trim()).join("\n")).toBe(
      table.replaceAll(/\n\n(?=Added)/g, "\n").trim(),
    );
  });
});
