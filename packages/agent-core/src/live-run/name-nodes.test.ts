import type { Plan } from "@plasm/core";
import { expect, it } from "vitest";
import { nameNodes } from "./name-nodes.ts";

const planOf = (source: string, label: string | null): Plan =>
  ({ source, summary: { nodes: { n1: { label } } } }) as unknown as Plan;

it.each<[string, string | null, string, string | null]>([
  ["x = Boat{state=lost}.limit(1)\nPerson(x.owner)", "x", "x", "Boat{state=lost}.limit(1)"],
  ["x = Boat{\n  state=lost\n}\nx", "x", "x", "Boat{ state=lost }"],
  ["Boat", null, "n1", null],
  [`x = Boat{name="${"y".repeat(200)}"}\nx`, "x", "x", `Boat{name="${"y".repeat(108)}…`],
])("%s: the node's name and expression (ERR section 4, no_row)", (source, label, name, text) => {
  expect(nameNodes(planOf(source, label))("n1")).toEqual({ name, text });
});

it.each([
  ["Boat{state=lost} => _.ping()", "{state=lost}", "Boat{state=lost}"],
  ["Boat.limit(3)\n  .sort(id) => {a: _.id}", ".sort(id)", "Boat.limit(3) .sort(id)"],
  ["Boat\nPerson => Boat{owner=_.login}", "{owner=_.login}", "Boat{owner=_.login}"],
])("%s: a node without label goes by the chain that made it", (source, step, text) => {
  const start = source.indexOf(step);
  const span = { start, end: start + step.length };
  const plan = { source, summary: { nodes: { n1: { label: null, span } } } } as unknown as Plan;
  expect(nameNodes(plan)("n1")).toEqual({ name: "n1", text });
});

it("a node that the plan does not show has its id", () => {
  expect(nameNodes(planOf("Boat", null))("n9")).toEqual({ name: "n9", text: null });
});
