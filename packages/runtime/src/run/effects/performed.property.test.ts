import { assertProperty } from "@plasm/testkit";
import { test } from "vitest";
import { performedIsReported } from "../../../test/properties/performed.ts";

test(
  "P27 performed effects are reported effects, whatever the server does",
  () => assertProperty(performedIsReported),
  60_000,
);
