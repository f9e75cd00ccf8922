import { describe, expect, it } from "vitest";
import { budgetsFromEnv } from "./budgets-from-env.ts";
import { HostStartError } from "./host-start-error.ts";

describe("RUN-130: every run limit can be configured", () => {
  it("reads those that are set; the others keep their defaults", () => {
    expect(budgetsFromEnv({})).toEqual({});
    const env = { PLASM_BUDGET_PAGES: "1", PLASM_BUDGET_FAN_OUT: " 20 ", PLASM_BUDGET_ROWS: "" };
    expect(budgetsFromEnv(env)).toEqual({ pages: 1, fan_out: 20 });
    const names = ["REQUESTS", "ROWS", "PAGES", "FAN_OUT", "BYTES", "WALL", "WORK"];
    const all = Object.fromEntries(names.map((name) => [`PLASM_BUDGET_${name}`, "7"]));
    expect(Object.values(budgetsFromEnv(all))).toEqual([7, 7, 7, 7, 7, 7, 7]);
  });

  it.each(["0", "-1", "2.5", "many", "1e3"])("refuses %s by the setting's name", (text) => {
    const reading = () => budgetsFromEnv({ PLASM_BUDGET_WALL: text });
    expect(reading).toThrow(HostStartError);
    expect(reading).toThrow(`PLASM_BUDGET_WALL=${text}`);
  });
});
