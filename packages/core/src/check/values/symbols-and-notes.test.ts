import { expect, test } from "vitest";
import { effectArgs, toldErrors } from "../../../test/effect-args.ts";
import { mill } from "../../../test/mill-catalog.ts";
import { planOf } from "../../../test/plan-of.ts";
import { slots } from "../../../test/slots-catalog.ts";
import { ALL_FEATURES } from "../../policy/policy.ts";
import { nameSymbol } from "../../symbols/symbols.ts";

const settings = { features: ALL_FEATURES };
const p = (name: string): string => nameSymbol(slots.symbols, name) ?? "";
const q = (name: string): string => nameSymbol(mill.symbols, name) ?? "";

test("LANG-023: key parts are named by symbols too, quoted keys never are (TEACH-9)", () => {
  const bay = { lit: { hall: "a", row: "b" } };
  const [hall, row] = [p("hall"), p("row")];
  expect(effectArgs(`Box(x).take(bay={${hall}: a, ${row}: b})`, slots)).toEqual({ bay });
  expect(effectArgs(`Box(x).take(bay=Bay(${hall}=a, ${row}=b))`, slots)).toEqual({ bay });
  expect(toldErrors(`Box(x).take(bay={"${hall}": a, "${row}": b})`, slots)).toMatchObject([
    { code: "argument_invalid", says: expect.stringContaining("not an object.") },
  ]);
});

test("RUN-017: the members of a union are named by symbols too, quoted keys never are", () => {
  const [op, at] = [q("op"), q("at")];
  expect(effectArgs(`Sack(s).edit(ops={${op}: drop, ${at}: 1})`, mill)).toEqual({
    ops: { lit: [{ op: "drop", at: 1 }] },
  });
  expect(toldErrors(`Sack(s).edit(ops={op: drop, "${at}": 1})`, mill)).toMatchObject([
    { code: "argument_unknown" },
  ]);
  expect(toldErrors(`Sack(s).edit(ops={"${op}": drop, at: 1})`, mill)).toMatchObject([
    { code: "argument_invalid", says: expect.stringContaining("ops lacks op") },
  ]);
});

test.each<readonly [args: string, noted: number]>([
  ["text=boxs.id", 1],
  ["text=boxs.id, any=boxs.id", 1],
  ["text=boxs.id, any=boxs.text", 2],
  ["text=boxs.id, any=boxess.id", 2],
  ["text=boxs", 0],
  ["text=bos.id", 0],
  ["text=elsewhere.id", 0],
  ['text="boxs.id"', 0],
])("LANG-022: of %s %i words are noted as near a label", (args, noted) => {
  const { summary } = planOf(`boxes = Box(y)\nBox(x).take(${args})`, slots, settings);
  const notes = summary.reasons.filter(({ code }) => code === "text_not_binding");
  expect(notes).toHaveLength(noted);
});

test.each<readonly [use: string, code: string, marks: string, says: string]>([
  ["text=boxes.txt", "unknown_column", "txt", "text"],
  ["text=boxes.peg.nme", "unknown_column", "nme", ""],
])("LANG-024: %s is %s", (use, code, marks, says) => {
  const [error, ...others] = toldErrors(`boxes = Box(y)\nBox(x).take(${use})`, slots);
  expect(others).toEqual([]);
  expect([error?.code, error?.marks]).toEqual([code, marks]);
  expect(error?.says).toContain(says);
});

test("LANG-028: a compound key from data is its parts", () => {
  const { nodes } = planOf("d = {b: {hall: a, row: c}}\nBay(d.b)", slots, settings);
  expect(nodes.at(-1)).toMatchObject({
    key: { hall: { path: ["b", "hall"] }, row: { path: ["b", "row"] } },
  });
});

test("LANG-028: a compound key with a part from elsewhere stays a reference", () => {
  const args = effectArgs("d = Box(y)\nBox(x).take(bay=Bay(hall=d.text, row=c))", slots);
  expect(args).toEqual({
    bay: {
      ref: {
        entity: "Bay",
        key: {
          hall: { from: "n1", path: ["text"], type: "str", many: false },
          row: { lit: "c" },
        },
      },
    },
  });
});
