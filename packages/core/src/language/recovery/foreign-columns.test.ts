import { describe, expect, test } from "vitest";
import { quayExposure } from "../../../test/fixture-exposure.ts";
import { compileProgram } from "../../plan/compile.ts";
import { ALL_FEATURES } from "../../policy/policy.ts";

const compiled = (text: string) => compileProgram(text, quayExposure, { features: ALL_FEATURES });

describe("ERR-008: columns as other languages choose, name, compute and sort them", () => {
  test.each([
    ["Boat[name, owner.name as boss]", "Boat => {name: _.name, boss: _.owner.name}"],
    ["Boat[name, owner.name AS boss]", "Boat => {name: _.name, boss: _.owner.name}"],
    ["Boat[name, boss=owner.name]", "Boat => {name: _.name, boss: _.owner.name}"],
    ["Boat[boss: owner.name]", "Boat => {boss: _.owner.name}"],
    ["Boat[name, length * 2]", "Boat => {name: _.name, length_2: _.length * 2}"],
    ["Boat[name, count(visits) as n]", "Boat => {name: _.name, n: count(_.visits)}"],
    ["Boat[name, owner.name as boss].limit(2)", null],
    ["Boat[start_of(built, month)]", null],
    ["Boat.order_by(length desc).limit(1)[name]", "Boat.sort(length desc).limit(1)[name]"],
    ["Boat.sort_by(length DESC)", null],
    ["Boat.max(length)", "Boat.aggregate(n=max(length))"],
    ["Boat.mean(length)", "Boat.aggregate(n=avg(length))"],
    ['Boat{name starts_with "A"}', 'Boat{starts_with(name, "A")}'],
    ["Boat{name endswith a}", "Boat{ends_with(name, a)}"],
    ["Boat{year(built) between 2000 and 2010}", "Boat{year(built)>=2000, year(built)<=2010}"],
    ["Boat{year(built) == 2000}", "Boat{year(built) = 2000}"],
  ])("%s", (text, meant) => {
    const program = compiled(text);
    if (program.kind !== "errors") throw new Error(`${text} is ${program.kind}`);
    const [error, ...others] = program.errors;
    expect(others).toEqual([]);
    expect(error?.suggestedProgram).toBe(meant);
    expect(compiled(meant ?? "Boat").kind).toBe("plan");
  });

  test.each([
    ["Boat[name, length % 2, state]", "=> {name: _.name, length_2: _.length % 2, state: _.state}"],
    ["Boat[start_of(built, month)]", "=> {key: value}"],
    ["Boat{length > avg(length)}", "all = ROWS.aggregate(n=avg(length)), then all.n"],
    ["Boat{built > 2011-05}", "write 2011-05-01, or start_of(column, month) = 2011-05-01"],
  ])("%s is told %s", (text, says) => {
    const program = compiled(text);
    if (program.kind !== "errors") throw new Error(`${text} is ${program.kind}`);
    expect(program.errors[0]?.correction).toContain(says);
  });

  test("tests of functions stand by themselves, and lists of a row are aggregated as they were", () => {
    for (const text of ['Boat{starts_with(name, "A"), state=lost}', "Boat{count(flags) > 1}"]) {
      expect(compiled(text).kind).toBe("plan");
    }
  });
});
