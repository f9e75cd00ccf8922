import { callsFunction } from "../../mapping/calls-function.ts";
import { splatParts } from "../../mapping/path-binding.ts";
import { preflightParameters } from "../../mapping/preflight-names.ts";
import type { Template } from "../../mapping/template.ts";
import { variablesRead } from "../../mapping/variables.ts";
import type { Capability } from "../../schema/capability.ts";
import type { KeyPath } from "../../load/key-path.ts";
import type { Rule, RuleContext } from "../rule.ts";

/** MAP-004: a declared parameter is read by template, view scope, preflight or splat. */
export const parametersReadRule: Rule = (context) => {
  const { catalog, inDomain, inMappings } = context;
  for (const [name, template] of catalog.cml) {
    const capability = catalog.cgs.capabilities.get(name);
    if (capability === undefined || inMappings.faulty([name])) continue;
    const read = namesRead(context, capability, template);
    if (read === "all") continue;
    for (const { slot, path } of slotPlaces(capability)) {
      if (read.has(slot) || inDomain.faulty(path)) continue;
      const first = `${inDomain.file}:${inDomain.valuePosition([...path, "name"])}`;
      inMappings.atKey([name], "MAP004", "unread", { found: slot, first });
    }
  }
};

function slotPlaces(
  capability: Capability,
): readonly { readonly slot: string; readonly path: KeyPath }[] {
  const path = ["capabilities", capability.name];
  const input = capability.inputSchema?.input;
  const fields = input?.kind === "object" ? input.fields : [];
  return [
    ...capability.parameters.map(({ name }, at) => ({
      slot: name,
      path: [...path, "parameters", at],
    })),
    ...fields.map(({ name }, at) => ({
      slot: name,
      path: [...path, "input_schema", "input_type", "fields", at],
    })),
  ];
}

/** The names read, or `all` where a function or the whole `input` may read any. */
function namesRead(
  { catalog }: RuleContext,
  capability: Capability,
  template: Template,
): ReadonlySet<string> | "all" {
  if (template.transport === "view") {
    const scope = catalog.cgs.views.get(template.view)?.scope;
    return scope === undefined ? "all" : new Set(scope.map(({ name }) => name));
  }
  const read = new Set(variablesRead(template));
  if (callsFunction(template)) return "all";
  const whole = read.has("input");
  if (whole && !capability.parameters.some(({ name }) => name === "input")) return "all";
  for (const [part, { slot }] of splatParts(catalog.cgs, capability)) {
    if (read.has(part)) read.add(slot);
  }
  for (const name of preflightParameters(capability)) read.add(name);
  if (template.transport !== "evm_call") {
    for (const { name } of template.pagination?.params ?? []) read.add(name);
  }
  return read;
}
