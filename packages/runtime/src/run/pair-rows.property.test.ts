import { assertProperty } from "@plasm/testkit";
import { test } from "vitest";
import { rowsArePaired } from "../../test/properties/paired.ts";

test(
  "LANG-090 LANG-091: a join gives the pairs that a loop in a loop gives",
  () => assertProperty(rowsArePaired),
  60_000,
);
