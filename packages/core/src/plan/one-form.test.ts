import { describe, expect, test } from "vitest";
import { commitOf, onlyNode } from "../../test/plan-of.ts";

const eq = (path: string, value: unknown): object => ({ op: "=", path: [path], value });

describe("PLAN-003: one form of conditions", () => {
  test.each([
    ["Boat{any{length>3, length>3}}", "Boat{length>3}"],
    ["Boat{any{all{length>3, name=x}, all{name=x, length>3}}}", "Boat{name=x, length>3}"],
    ["Boat{any{name=x, any{name=y, any{name=z}}}}", "Boat{any{name=z, name=y, name=x}}"],
    ["Boat{not{not{any{name=x, name=y}}}}", "Boat{any{name=y, name=x}}"],
    [
      "Boat{not{any{length>3, state!=lost}}, exists(built)}",
      "Boat{exists(built), not{any{state!=lost, length>3}}}",
    ],
    ["Boat{exists(built), exists(built)}", "Boat{exists(built)}"],
    [
      "Boat{not{exists(built)}, not{length>3}, not{exists(built)}}",
      "Boat{not{length>3}, not{exists(built)}}",
    ],
    [
      "Boat.limit(9).filter{any{name=x, length>3}}.filter{name!=y}",
      "Boat.limit(9).filter{name!=y, any{length>3, name=x}}",
    ],
  ])("%s is %s", (one, other) => {
    expect(commitOf(one)).toBe(commitOf(other));
  });

  test.each([
    ["Boat{any{name=x, length>3}}", "Boat{name=x, length>3}"],
    ["Boat{not{any{name=x, length>3}}}", "Boat{not{all{name=x, length>3}}}"],
    ["Boat{exists(built)}", "Boat{exists(length)}"],
    ["Boat{not{exists(built)}}", "Boat{exists(built)}"],
    ["Boat{any{name=x, name=y}}", "Boat{any{name=x, name=z}}"],
    ["Boat{exists(built), not{exists(built)}}", "Boat{exists(built)}"],
    ["Boat.limit(9).filter{exists(built), exists(length)}", "Boat.limit(9).filter{exists(built)}"],
    ["Boat.limit(9).filter{not{name=x}, not{name=y}}", "Boat.limit(9).filter{not{name=x}}"],
    [
      "Boat.limit(9).filter{any{name=x, name=y}, any{name=x, name=z}}",
      "Boat.limit(9).filter{any{name=x, name=y}}",
    ],
  ])("%s is not %s", (one, other) => {
    expect(commitOf(one)).not.toBe(commitOf(other));
  });

  test("conditions stand in the order of their canonical text", () => {
    const read = onlyNode(
      "Boat{length>3, any{name=x, built=null}, not{exists(meta.a)}, all{name!=y}}.limit(1)",
    );
    expect(read).toMatchObject({
      filter: {
        and: [
          { not: { exists: ["meta", "a"] } },
          eqOp("!=", "name", "y"),
          eqOp(">", "length", 3),
          { or: [eq("built", { lit: null }), eq("name", { lit: "x" })] },
        ],
      },
    });
  });
});

function eqOp(op: string, path: string, lit: unknown): object {
  return { op, path: [path], value: { lit } };
}
