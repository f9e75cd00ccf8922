import { expect, test } from "vitest";
import { ValueFault } from "@plasm/core/internal";
import { RowWork } from "./row-work.ts";

const MIB = 1024 * 1024;

test("18.14 the values of a row may take so much together, and those of the next one again", () => {
  const work = new RowWork();
  work.begin();
  work.spend(100 * MIB);
  expect(() => work.spend(100 * MIB)).toThrow(ValueFault);
  // What was refused is not done, so what is smaller still may be.
  work.spend(20 * MIB);
  work.begin();
  work.spend(100 * MIB);
  expect(work.pieces()).toBe((220 * MIB) / 256);
  expect(work.pieces()).toBe(0);
});

test("18.14 what is less than a piece is not lost", () => {
  const work = new RowWork();
  for (let at = 0; at < 256; at += 1) work.spend(1);
  expect(work.pieces()).toBe(1);
});
