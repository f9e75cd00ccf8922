import type { JsonObject } from "@plasm/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Engine } from "../engine.ts";
import type { Failure } from "../errors/problem.ts";
import { LOCAL } from "../identity/caller.ts";
import { boatsApi, type BoatsApi } from "../../test/boats-api.ts";
import { engineOn } from "../../test/engine-on.ts";
import { testStore } from "../../test/test-store.ts";
import { problemOf } from "../../test/problem-of.ts";

const seeds = [{ api: "quay", entity: "Boat" }];
const more = [{ api: "quay", entity: "Person" }];
const looking = { intent: "look", seeds, notation: "names", readOnly: true };
const s0 = { kind: "ref", ref: "s0" } as const;

let api: BoatsApi;
let engine: Engine;
beforeEach(() => {
  api = boatsApi();
  engine = engineOn({ store: testStore(), api });
});
afterEach(() => engine.close());

const PING = 'Boat("b1").ping()';
const SAYS = {
  code: "plasm-policy-denied",
  text: expect.stringMatching(
    /ping of Boat changes data, and this session only reads\.[^]*open a session without read_only, with another intent/,
  ),
};

describe("a session that only reads (TEACH-25)", () => {
  test("teaches no effects, and says so to programs", async () => {
    const { text, meta } = await engine.context(LOCAL, looking);
    expect(meta).toMatchObject({ read_only: true, notation: "names" });
    const [wave] = meta["waves"] as unknown as readonly JsonObject[];
    expect(wave?.["parts"]).not.toContain("effects");
    expect(wave?.["untaught"]).toContainEqual({ capability: "boat_ping", reason: "policy" });
    expect(text).not.toMatch(/ping|Methods change data/);
  });

  test("refuses every effect at the plan, the run and the explanation; nothing is sent", async () => {
    await engine.context(LOCAL, looking);
    const run = (program: string) => engine.run(LOCAL, s0, { program, force: true });
    expect(await problemOf(engine.plan(LOCAL, s0, PING))).toMatchObject(SAYS);
    expect(await problemOf(run(PING))).toMatchObject(SAYS);
    expect(await problemOf(run("Boat => _.ping()"))).toMatchObject(SAYS);
    expect(await problemOf(run('e1("b1").ping()'))).toMatchObject({ code: SAYS.code });
    expect(await problemOf(engine.explain(LOCAL, s0, { program: PING }))).toMatchObject(SAYS);
    expect(api.asked).toEqual([]);
  });

  test("reads, leaves pages, and pages", async () => {
    await engine.context(LOCAL, looking);
    const first = await engine.run(LOCAL, s0, { program: "Boat.page_size(2)[id]" });
    expect(first.text).toContain("page(s0_pg1)");
    const next = await engine.run(LOCAL, s0, { program: "page(s0_pg1)" });
    expect(next.results.map(({ rows }) => rows)).toEqual([[{ id: "b3" }]]);
  });

  test("has the numbers of one that may change data (TEACH-8)", async () => {
    await engine.context(LOCAL, { intent: "look", seeds, readOnly: true });
    await engine.context(LOCAL, { intent: "change", seeds });
    const symbols = await engine.symbols(LOCAL, s0);
    expect(symbols).toEqual(await engine.symbols(LOCAL, { kind: "ref", ref: "s1" }));
  });

  test("replays what it taught, to the byte (SESS-20)", async () => {
    const first = await engine.context(LOCAL, looking);
    const again = await engine.context(LOCAL, { ...looking, replay: true });
    expect(again.text).toBe(first.text);
  });

  test("is read_only where tenant's policy allows effects, and where it does not (SURF-25)", async () => {
    const policy = { apis: { quay: { deny: ["boat_ping"] } } };
    const strict = engineOn({ store: testStore(), api, policy });
    const { meta } = await strict.context(LOCAL, looking);
    expect(JSON.stringify(meta["waves"])).toContain('"boat_delete","reason":"policy"');
    const hidden = await problemOf(strict.plan(LOCAL, s0, PING));
    expect(hidden).toMatchObject({ code: "plasm-program-invalid" });
    expect(hidden.text).not.toContain("only reads");
    expect(await problemOf(strict.plan(LOCAL, s0, 'Boat("b1").delete()'))).toMatchObject({
      code: "plasm-policy-denied",
    });
    await strict.close();
  });

  test.each(["yes", 1, "true", {}, null])("read_only is no %j", async (readOnly) => {
    const found = await problemOf(engine.context(LOCAL, { intent: "look", seeds, readOnly }));
    expect(found).toMatchObject({
      code: "plasm-bad-request",
      text: "read_only is true or false.",
    });
  });
});

describe("it is fixed when a session opens (SESS-15)", () => {
  const unchanged = "s0 unchanged: Boat. Names stand.";
  const kept = (stays: boolean) => `read_only stays ${stays}: it is fixed when a session opens.`;
  const on = { ...LOCAL, connection: "c1" };

  test.each([true, false])(
    "the other value changes nothing, and the notice says so: %s",
    async (is) => {
      const asked = { intent: "look", seeds, readOnly: is };
      await engine.context(on, asked);
      const same = await engine.context(on, asked);
      expect(same.text).toBe(unchanged);
      const other = await engine.context(on, { ...asked, readOnly: !is });
      expect(other.text).toBe(`${unchanged} ${kept(is)}`);
      expect(other.meta).toMatchObject({ reused: true, waves: [] });
      expect(other.meta["read_only"]).toBe(is ? true : undefined);
      const delta = await engine.context(on, { intent: "look", seeds: more, readOnly: !is });
      expect(delta.text).toContain(kept(is));
      expect(delta.meta["read_only"]).toBe(is ? true : undefined);
      const planned = engine.plan(on, s0, PING);
      expect(
        await planned.then(
          () => null,
          ({ problem }: Failure) => problem.code,
        ),
      ).toBe(is ? "plasm-policy-denied" : null);
    },
  );

  test("both that are fixed are said in one line, within the notice's 60 tokens (SESS-19)", async () => {
    await engine.context(LOCAL, { ...looking, seeds: [...seeds, ...more] });
    const { text } = await engine.context(LOCAL, {
      ...looking,
      notation: "symbols",
      readOnly: false,
    });
    expect(text).toMatch(
      /^s0 unchanged: .* Notation stays names, read_only stays true: both are fixed when a session opens\. replay:true sends the tables again\.$/,
    );
    const { countTokens } = await import("gpt-tokenizer/encoding/o200k_base");
    expect(countTokens(text)).toBeLessThanOrEqual(60);
  });

  test("who asks for neither is told of neither; what is added is of the same kind", async () => {
    await engine.context(on, looking);
    const { text, meta } = await engine.context(on, { intent: "look", seeds: more });
    expect(text).not.toContain("read_only");
    expect(meta).toMatchObject({ read_only: true });
    expect(text).not.toContain("Methods change data");
    const pair = meta["execute_binding"] as { prompt_hash: string; session_id: string };
    const session = { promptHash: pair.prompt_hash, sessionId: pair.session_id };
    const named = await engine.context(on, { seeds, session, readOnly: false });
    expect(named.text).toContain(kept(true));
  });

  test("without intent, who only reads meets no session that may change data, nor the reverse (SESS-13)", async () => {
    const opened: unknown[] = [];
    for (const readOnly of [true, undefined, true, false]) {
      const { meta } = await engine.context(LOCAL, { seeds, readOnly });
      expect(meta["read_only"]).toBe(readOnly === true ? true : undefined);
      opened.push((meta["execute_binding"] as JsonObject)["session_id"]);
    }
    expect(opened[2]).toBe(opened[0]);
    expect(opened[3]).toBe(opened[1]);
    expect(opened[1]).not.toBe(opened[0]);
  });
});
