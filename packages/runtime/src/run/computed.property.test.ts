import { assertProperty } from "@plasm/testkit";
import { test } from "vitest";
import { valuesAreComputed } from "../../test/properties/computed.ts";

test(
  "LANG-048 LANG-049: values are computed as an evaluator of its own computes them",
  () => assertProperty(valuesAreComputed),
  60_000,
);
