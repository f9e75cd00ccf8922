import { describe, expect, test } from "vitest";
import { errorsOf, nodesOf, planOf } from "../../test/plan-of.ts";
import { compileProgram } from "./compile.ts";
import { renderPlan } from "./render/render-plan.ts";
import { quayExposure } from "../../test/fixture-exposure.ts";

const ofB1 = (value: string): string => `b = Boat("b1")\nb.update(note=${value})`;
const note = { from: "n1", path: ["note"], type: "markdown", many: false };

/** The argument that an update is planned with. */
const planned = (program: string): unknown =>
  nodesOf(program).flatMap((node) =>
    "args" in node && "note" in (node.args as object)
      ? [(node.args as { note: unknown }).note]
      : [],
  )[0];

const shown = (program: string): string => renderPlan(planOf(program), "pc0");

describe("LANG-056 edits of a text", () => {
  test.each([
    ['replace(b.note, "old", "new")', "replace_one", [note, { lit: "old" }, { lit: "new" }]],
    ['replace(b.note, "old", "new", all)', "replace", [note, { lit: "old" }, { lit: "new" }]],
    ['insert(b.note, "new", after="old")', "insert_after", [note, { lit: "old" }, { lit: "new" }]],
    [
      'insert(b.note, "new", before="old")',
      "insert_before",
      [note, { lit: "old" }, { lit: "new" }],
    ],
  ])("%s", (value, op, args) => {
    expect(planned(ofB1(value))).toMatchObject({ op, args });
    expect(shown(ofB1(value))).toContain(`update(note=${value})`);
  });

  test("what is replaced must stand there once where a row is changed; elsewhere all of it is meant", () => {
    const perRow = 'Boat{state=lost}.limit(2) => Boat(_.id).update(note=replace(_.note, "a", "b"))';
    expect(JSON.stringify(nodesOf(perRow))).toContain("replace_one");
    const action = 'b = Boat("b1")\nb.send(to=ann, note=replace(b.note, "a", "b"))';
    expect(JSON.stringify(nodesOf(action))).toContain("replace_one");
    for (const whole of [
      'b = Boat("b1")\nBoat.create(name=replace(b.name, " ", "-"), owner=ann)',
      'Boat.limit(2) => {n: replace(_.name, " ", "-")}',
      'Boat{replace(name, " ", "") = "SeaStar"}',
      'b = Boat("b1")\nBoat(replace(b.name, "-", "")).update(note=x)',
    ]) {
      expect(JSON.stringify(nodesOf(whole))).not.toContain("replace_one");
      expect(JSON.stringify(nodesOf(whole))).toContain('"replace"');
    }
    expect(shown('Boat.limit(2) => {n: replace(_.name, " ", "-")}')).toContain(
      'n=replace(_.name, " ", -, all)',
    );
  });

  test("an edit of an edit is one value, and its price is the read of the row", () => {
    const program = ofB1('replace(insert(b.note, "x", after="one"), "two", "2")');
    expect(shown(program)).toContain('replace(insert(b.note, "x", after="one"), "two", "2")');
    expect(shown(program)).toContain("2 requests, 1 effect");
  });

  test("a review shows both parts of an edit, each cut by itself", () => {
    const [old, other] = ["o".repeat(300), "n".repeat(300)];
    const text = shown(ofB1(`replace(b.note, "${old}", "${other}")`));
    expect(text).toContain(
      `"${"o".repeat(79)}… (302 characters), "${"n".repeat(79)}… (302 characters))`,
    );
  });

  test("what constants make is told when it is planned", () => {
    const [error] = errorsOf(ofB1('replace("an old wall", "new", "x")'));
    expect(error).toMatchObject({ code: "bad_literal" });
    expect(error?.message).toContain('"new" does not occur');
    expect(planned(ofB1('replace("an old wall", "old", "new")'))).toEqual({ lit: "an new wall" });
  });
});

describe("LANG-056 a patch of one member of json", () => {
  const derived = (value: string): string => `Boat("b1") => {m: ${value}}`;
  test.each([
    ['set(_.meta, "engine.hp", 200)', 'set(_.meta, "engine.hp", 200)'],
    ["set(_.meta, engine.hp, 200)", 'set(_.meta, "engine.hp", 200)'],
    ["set(_.meta, 'engine.\"h p\".0', _.name)", "set(_.meta, 'engine.\"h p\".0', _.name)"],
    ['set(_.meta, "a", {b: [_.name]})', 'set(_.meta, "a", {b: [_.name]})'],
    ['remove(_.meta, "tags.0")', 'remove(_.meta, "tags.0")'],
    ["remove(_.flags, 0)", 'remove(_.flags, "0")'],
  ])("%s", (value, text) => {
    expect(shown(derived(value))).toContain(`m=${text}`);
  });

  test.each([
    ["/engine/hp", '"engine.hp"'],
    ["$.engine.hp", '"engine.hp"'],
    ["engine[0].hp", '"engine.0.hp"'],
    ["{engine,hp}", '"engine.hp"'],
    ["/a~1b", "'\"a/b\"'"],
  ])("the path %s is written %s", (path, meant) => {
    const [error] = errorsOf(derived(`set(_.meta, "${path}", 1)`));
    expect(error).toMatchObject({ code: "argument_invalid" });
    expect(error?.correction).toBe(`write ${meant}`);
    expect(error?.suggestedProgram).toContain(`set(_.meta, ${meant}, 1)`);
  });
});

describe("LANG-056 what other languages write", () => {
  /** What the only error of a program advises: the whole program where that is certain. */
  function advice(program: string): string {
    const [error, ...more] = errorsOf(program);
    expect(more).toEqual([]);
    return error?.suggestedProgram ?? error?.correction ?? "";
  }

  test.each([
    ['b.note.replace("old", "new")', ofB1('replace(b.note, "old", "new")')],
    ['b.note.replaceAll("old", "new")', ofB1('replace(b.note, "old", "new", all)')],
    ['b.note.replace_all("old", "new")', ofB1('replace(b.note, "old", "new", all)')],
    ['re.sub("old", "new", b.note)', 'replace(text, "part", "other")'],
    ['sub("old", "new", b.note)', 'replace(text, "part", "other")'],
    ['str_replace("old", "new", b.note)', 'replace(text, "part", "other")'],
    ['regexp_replace(b.note, "old", "new")', 'replace(text, "part", "other")'],
    ['replaceAll(b.note, "old", "new")', 'replace(text, "part", "other", all)'],
    ['append(b.note, "new")', "a + b"],
    ['insert(b.note, "new")', 'insert(text, new, after="part")'],
    ['insert(b.note, 5, "new")', 'insert(text, new, after="part")'],
    ['replace(b.note, "old", "new", 1)', "replace(text, part, other, all)"],
    ['edit(b.note, "old", "new")', ofB1('replace(b.note, "old", "new")')],
    ['replace(note, "old", "new")', "write row.note"],
  ])("%s", (value, says) => {
    expect(advice(ofB1(value))).toContain(says);
  });

  test.each([
    ['Boat("b1").note.replace("old", "new")', 'replace(found.note, "old", "new")'],
    ['Boat("b1").note.replaceAll("old", "new")', 'replace(found.note, "old", "new", all)'],
    ['note.replace("old", "new")', 'replace(found.note, "old", "new")'],
  ])("Boat(…).update(note=%s) reads the row on a line above", (value, says) => {
    const program = `Boat("b1").update(note=${value})`;
    expect(advice(program)).toContain(`found = Boat("b1"), and write ${says} here`);
    const mended = `found = Boat("b1")\nfound.update(note=${says})`;
    expect(compileProgram(mended, quayExposure).kind).toBe("plan");
  });

  test.each([
    ["_.meta + {a: 1}", 'set(_.meta, "key", value)'],
    ["merge(_.meta, {a: 1})", 'set(json, "a.b", value)'],
    ["set(_.meta.engine.hp, 200)", 'set(json, "a.b", value)'],
    ["unset(_.meta, a)", "remove(_.meta, a)"],
  ])("%s", (value, says) => {
    expect(advice(`b = Boat("b1")\nb => {m: ${value}}`)).toContain(says);
  });
});
