import { describe, expect, it } from "vitest";
import { firstProgram } from "./first-program.ts";

const table = (...rows: readonly string[]): string =>
  ["shop: Order", "```tsv", "plasm_expr\tMeaning", "id\tstr", ...rows, "```"].join("\n");

describe("a first program (SURF-59)", () => {
  it.each([
    ["Order[id,note]\t[Order] · opt state", "Order.limit(5)"],
    ["Order.get()[id]\tOrder · the last one", "Order.get()[id]"],
    ["Order{shop=$}[id]\t[Order]", ""],
    ["Order~$\t[Order] search", ""],
    ["Order.purge()\t() · everything is gone", ""],
    ["Order.update(..)\tOrder · opt note", ""],
    ["Other[id]\t[Other]", ""],
  ])("of %j is %j", (row, program) => {
    expect(firstProgram(table(row), "Order")).toBe(program);
  });

  it("is the list where there is one", () => {
    const rows = ["Order.last()[id]\tOrder", "Order[id]\t[Order]"];
    expect(firstProgram(table(...rows), "Order")).toBe("Order.limit(5)");
  });
});
