import type { Capability, Catalog } from "@plasm/core";
import { type HttpTemplate, keyParts, type Slot, slotsOf } from "@plasm/core/internal";
import type { Part } from "./official-document.ts";
import type { Operation } from "./operations.ts";
import type { Samples } from "./sample-value.ts";
import { wireKeyOf } from "./wire-keys.ts";

export interface Call {
  readonly catalog: Catalog;
  readonly capability: Capability;
  readonly template: HttpTemplate;
  /** undefined where the document has none */
  readonly operation: Operation | undefined;
}

/** The schema of the place that a slot's or key part's value goes to. */
function hintOf({ template, operation }: Call, name: string, bodyOf: (part: Part) => Part): Part {
  if (operation === undefined) return {};
  const variables = template.path.flatMap((segment) =>
    segment.type === "var" ? [segment.name] : [],
  );
  const at = variables.indexOf(name);
  if (at >= 0) return operation.pathParameters[at]?.[1] ?? {};
  const inQuery = wireKeyOf(template.query, name);
  if (inQuery !== undefined) return operation.query.get(inQuery) ?? {};
  const inBody = wireKeyOf(template.body, name);
  return inBody === undefined || operation.body === null
    ? {}
    : ((bodyOf(operation.body)[inBody] as Part | undefined) ?? {});
}

/** The slots to fill, by what is required and by the rules over several (catalog format, section 8). */
function chosenSlots(capability: Capability, which: "required" | "all"): readonly Slot[] {
  const rules = capability.inputSchema?.crossFieldRules ?? [];
  const firsts = rules
    .filter(({ ruleType }) => ruleType === "at_least_one" || ruleType === "exactly_one")
    .map(({ fields }) => fields[0]);
  const losers = rules
    .filter(({ ruleType }) => ruleType === "mutually_exclusive" || ruleType === "exactly_one")
    .flatMap(({ fields }) => fields.slice(1));
  return slotsOf(capability).filter(({ name, required }) =>
    which === "all" ? !losers.includes(name) : required || firsts.includes(name),
  );
}

/**
 * A program that calls a capability once, with sample values: `Issue(owner="…", …).close(reason="…")`.
 * `which` chooses its arguments: those it must have, or all.
 */
export function callProgram(
  call: Call,
  samples: Samples,
  { which, bodyOf }: { readonly which: "required" | "all"; readonly bodyOf: (part: Part) => Part },
): string {
  const { catalog, capability } = call;
  const { entity, label, kind, needsIdentity } = capability;
  const slots = chosenSlots(capability, which);
  const parts = keyParts(catalog.cgs.entities.get(entity) ?? missing(entity));
  const onRow = needsIdentity && !["query", "search", "create"].includes(kind);
  const hint = (name: string): Part => hintOf(call, name, bodyOf);
  const args = slots
    .filter((slot) => !(onRow && parts.includes(slot.name) && slot.role === "scope"))
    .map((slot) => `${slot.name}=${samples.ofSlot(slot, hint(slot.name))}`);
  const target = onRow ? samples.key(entity, hint) : entity;
  return `${target}.${label}(${args.join(", ")})`;
}

/** A program that holds some row of an entity: by its key, or the first of a list where it has no get. */
export function sourceProgram(
  entity: string,
  calls: readonly Call[],
  samples: Samples,
  bodyOf: (part: Part) => Part,
): string {
  const own = calls.filter(({ capability }) => capability.entity === entity);
  const get = own.find(({ capability }) => capability.kind === "get" && capability.needsIdentity);
  if (get !== undefined) return samples.key(entity, (part) => hintOf(get, part, bodyOf));
  const list = own.find(({ capability }) => capability.kind === "query") ?? missing(entity);
  return `${callProgram(list, samples, { which: "required", bodyOf })}.limit(1)`;
}

function missing(entity: string): never {
  throw new Error(`no entity ${entity}`);
}
