import type { Template } from "./template.ts";
import { variableUses } from "./variable-uses.ts";

function namesIn(template: Template, zone?: "path" | "rest"): readonly string[] {
  const uses = variableUses(template).filter((use) => zone === undefined || use.zone === zone);
  return [...new Set(uses.map((use) => use.name))];
}

/** The variables in a template's path, in order, each once; transports without path have none. */
export function pathVariables(template: Template): readonly string[] {
  return namesIn(template, "path");
}

/** The variables a template reads outside its path: query, headers, body, EVM arguments (RUN-010). */
export function restVariables(template: Template): readonly string[] {
  return namesIn(template, "rest");
}

/** All variables a template reads, path first. */
export function variablesRead(template: Template): readonly string[] {
  return namesIn(template);
}
