import { describe, expect, it } from "vitest";
import type { Json } from "./value-type.ts";
import { compute } from "./compute.ts";

/** What an operation says that it takes, and no more than that is made. */
function spent(name: string, args: readonly Json[]): number {
  let sum = 0;
  compute(name, args, "", (characters) => {
    sum += characters;
  });
  return sum;
}

const list = (length: number): readonly Json[] => Array.from({ length }, (_, at) => `t${at}`);
const digits = (length: number): string => "9".repeat(length);

describe("18.14 operations tell what they take, in proportion to it", () => {
  it.each<readonly [string, (size: number) => readonly Json[]]>([
    ["replace", (size) => ["a".repeat(size), "a", "bb"]],
    ["replace_one", (size) => ["a".repeat(size), "a".repeat(size), "bb"]],
    ["insert_after", (size) => [`${"a".repeat(size)}b`, "b", "c"]],
    ["set_member", (size) => [list(size), 1, "0"]],
    ["split", (size) => ["a,".repeat(size), ","]],
    ["concat", (size) => ["a".repeat(size), "b"]],
    ["lower", (size) => ["A".repeat(size)]],
    ["join", (size) => [list(size), ","]],
    ["contains", (size) => [list(size), "none"]],
    ["count", (size) => [list(size)]],
    ["list_add", (size) => [list(size), ["a"]]],
    ["flatten", (size) => [[list(size)]]],
    ["multiply", (size) => [digits(size), 3]],
    ["=", (size) => [list(size), "none"]],
    ["in", (size) => ["none", list(size)]],
  ])("%s", (name, of) => {
    const [few, many] = [spent(name, of(100)), spent(name, of(400))];
    expect(few).toBeGreaterThanOrEqual(100);
    expect(many / few).toBeGreaterThan(3.5);
    expect(many / few).toBeLessThan(4.5);
  });

  it.each<readonly [string, (size: number) => readonly Json[]]>([
    ["list_remove", (size) => [list(size), list(size)]],
    ["=", (size) => [list(size), list(size)]],
    ["multiply", (size) => [digits(size), digits(size)]],
  ])("%s of two: of each with each", (name, of) => {
    expect(spent(name, of(400)) / spent(name, of(100))).toBeGreaterThan(12);
  });

  it("nothing is made of what is refused", () => {
    const refused = new Error("too much");
    const spend = (characters: number): void => {
      if (characters > 10_000) throw refused;
    };
    expect(() => compute("replace", ["a".repeat(900), "a", "b".repeat(900)], "", spend)).toThrow(
      refused,
    );
    expect(() => compute("list_remove", [list(1_000), list(1_000)], "", spend)).toThrow(refused);
  });
});
