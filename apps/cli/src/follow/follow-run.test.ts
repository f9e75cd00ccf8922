import { describe, expect, it } from "vitest";
import { fitting, progressDisplay } from "./follow-run.ts";

const CLEAR = "\r\u001b[K";

function displayOf(columns: number | null) {
  const written: string[] = [];
  const write = (text: string): void => void written.push(text);
  const screen = columns === null ? null : { rewrites: true, columns: () => columns, write };
  const display = progressDisplay({ screen, remark: (text) => write(`${text}\n`) });
  return { display, written };
}

describe("progress on a terminal: one line rewritten in place", () => {
  it("is cut to the screen, and gone in the end", () => {
    const { display, written } = displayOf(10);
    for (const line of ["s0_o1 + pc0 review", "s0_o1 ~"]) display.show(line);
    display.end();
    expect(written).toEqual([`${CLEAR}s0_o1 + p`, `${CLEAR}s0_o1 ~`, CLEAR]);
  });

  it("leaves the screen to a question, then shows what came last", () => {
    const { display, written } = displayOf(80);
    display.show("a");
    display.hold();
    display.show("b");
    display.show("c");
    display.goOn();
    expect(written).toEqual([`${CLEAR}a`, CLEAR, `${CLEAR}c`]);
  });

  it("has no character that acts", () => {
    const { display, written } = displayOf(80);
    display.show("s0_o1 ~ \u001b[2J\u202e\nx");
    expect(written).toEqual([`${CLEAR}s0_o1 ~ \\u001b[2J\\u202e\\nx`]);
  });

  it.each([
    ["abc", 3, "abc"],
    ["abc", 2, "ab"],
    ["", 5, ""],
    ["船船船", 5, "船船"],
    ["a😀b", 3, "a😀"],
    ["abc", 0, ""],
  ])("%j in %i columns", (text, columns, fits) => expect(fitting(text, columns)).toBe(fits));
});

describe("progress elsewhere: one line an event", () => {
  it("is never said twice in a row, and no character acts", () => {
    const { display, written } = displayOf(null);
    for (const line of ["a", "a", "b\u0007", "a"]) display.show(line);
    display.end();
    expect(written).toEqual(["a\n", "b\\u0007\n", "a\n"]);
  });
});
