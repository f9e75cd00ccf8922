import { assertProperty } from "@plasm/testkit";
import { test } from "vitest";
import { noStaticReason } from "./static/static-reasons.ts";

test(
  "P26 PLAN-001 a dry run that gives a plan never fails live for a static reason",
  () => assertProperty(noStaticReason),
  60_000,
);
