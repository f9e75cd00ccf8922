import { expect, test } from "vitest";
import { quantityText } from "./abi-coder.ts";
import { callData } from "./read-contract.ts";

const word = (value: number): string => value.toString(16).padStart(64, "0");

/** A list of `count` lists that all stand in one place, with `count` numbers there. */
const folded = (count: number): string =>
  `0x${word(32)}${word(count)}${word(count * 32).repeat(count)}${word(count)}${word(7).repeat(count)}`;

const template = {
  function: "function grid() view returns (uint256[][] cells)",
  decode: new Map([["cells", { type: "output", index: 0 } as const]]),
};

test("RUN-130 a quantity of more than 256 bits is none, however long it is", () => {
  expect(quantityText(`0x${"f".repeat(64)}`)).toBe((2n ** 256n - 1n).toString());
  expect(quantityText(`0x${"f".repeat(5_000_000)}`)).toBeNull();
});

test("MAP-054 lists that stand each for itself are read", async () => {
  const { decode } = await callData(template, []);
  const inner = `${word(2)}${word(7)}${word(8)}`;
  const plain = `0x${word(32)}${word(2)}${word(64)}${word(160)}${inner}${inner}`;
  expect(decode(plain)).toEqual({
    cells: [
      ["7", "8"],
      ["7", "8"],
    ],
  });
});

test("RUN-130 an answer whose lists all point to one place is refused before it fills memory", async () => {
  const { decode } = await callData(template, []);
  expect(() => decode(folded(400))).toThrow(/no grid result/);
});
