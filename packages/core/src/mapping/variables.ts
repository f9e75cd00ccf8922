import type { Template } from "./template.ts";
import { variableUses } from "./variable-uses.ts";

/** The names a template reads, each once, in order. */
interface Names {
  readonly all: readonly string[];
  readonly path: readonly string[];
  readonly rest: readonly string[];
}

const byTemplate = new WeakMap<Template, Names>();

/** Templates are frozen, and every request asks: each is read once. */
function namesOf(template: Template): Names {
  const known = byTemplate.get(template);
  if (known !== undefined) return known;
  const uses = variableUses(template);
  const once = (zone?: "path" | "rest"): readonly string[] => [
    ...new Set(
      uses.filter((use) => zone === undefined || use.zone === zone).map((use) => use.name),
    ),
  ];
  const names = { all: once(), path: once("path"), rest: once("rest") };
  byTemplate.set(template, names);
  return names;
}

/** The variables in a template's path, in order, each once; transports without path have none. */
export const pathVariables = (template: Template): readonly string[] => namesOf(template).path;

/** The variables a template reads outside its path: query, headers, body, EVM arguments (RUN-010). */
export const restVariables = (template: Template): readonly string[] => namesOf(template).rest;

/** All variables a template reads, path first. */
export const variablesRead = (template: Template): readonly string[] => namesOf(template).all;
