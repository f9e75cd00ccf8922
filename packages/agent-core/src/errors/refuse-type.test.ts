import { expect, test } from "vitest";
import { refuseNoList, refuseNoText } from "./refuse-type.ts";

const program = (value: unknown): string =>
  refuseNoText("program", value, "one text, statements by line").problem.text;
const seeds = (value: unknown): string => refuseNoList("seeds", value, "seed").problem.text;

test.each([
  [program(undefined), "program is missing: one text, statements by line."],
  [program(["Boat"]), "program is a list, and must be one text, statements by line."],
  [program({ a: 1 }), "program is an object, and must be one text, statements by line."],
  [program(null), "program is null, and must be one text, statements by line."],
  [program(7), "program is a number, and must be one text, statements by line."],
  [seeds(undefined), "seeds is missing: at least one seed."],
  [seeds([]), "seeds is missing: at least one seed."],
  [seeds("Boat"), "seeds is text, and must be a list of at least one seed."],
])("SURF-4, SURF-18: %s", (found, expected) => expect(found).toBe(expected));
