import { evaluateTemplate, type JsonObject } from "@plasm/core";
import { failure, RunFailure } from "../run-failure.ts";
import type { ViewTemplate } from "./view-plan.ts";

/** RUN-101's limits of a catalog's templates. */
const LIMITS = Object.freeze({ steps: 100_000, output: 262_144 });

/** Line and column of an offset, both from 1. */
function placeIn(text: string, offset: number): string {
  const before = text.slice(0, offset).split("\n");
  return `${before.length}:${Array.from(before.at(-1) ?? "").length + 1}`;
}

/** The text of a template; `where` names its bind or output. Throws RunFailure. */
export function fillTemplate(template: ViewTemplate, names: JsonObject, where: string): string {
  const outcome = evaluateTemplate(template.tree, names, LIMITS);
  if (outcome.ok) return outcome.text;
  throw new RunFailure(
    failure(
      "template_failed",
      `Template ${where} at ${placeIn(template.text, outcome.start)}: ${outcome.message}`,
      "correct the template in the catalog, for instance with default(…) or an if",
    ),
  );
}
