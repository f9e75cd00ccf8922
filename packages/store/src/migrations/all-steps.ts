import { first } from "./0001-first.ts";
import { retention } from "./0002-retention.ts";
import { texts } from "./0003-texts.ts";
import type { SchemaStep } from "./schema-step.ts";

/** Every step, by a name that sorts after those before it. */
export const allSteps: Readonly<Record<string, SchemaStep>> = Object.freeze({
  "0001-first": first,
  "0002-retention": retention,
  "0003-texts": texts,
});
