/**
 * Whether requests ask for nothing that the program does not: a filter that nobody wrote gives fewer rows than were
 * asked for. This holds of every program, however its plan reads.
 */
import { isList, type World } from "./model.ts";
import type { Condition, Node, Program, Step } from "./program.ts";
import type { Logged } from "./serve-worlds.ts";

const namesIn = (items: readonly Condition[]): readonly string[] =>
  items.flatMap((item) => {
    if ("items" in item) return namesIn(item.items);
    return item.kind === "param" ? [item.param] : item.path;
  });

const inStep = (step: Step): readonly string[] => ("items" in step ? namesIn(step.items) : []);

function inNode(node: Node): readonly string[] {
  if (node.kind === "call") return [];
  const { source, steps } = node;
  return [...("items" in source ? namesIn(source.items) : []), ...steps.flatMap(inStep)];
}

/** What a request filters by although neither the program nor a relation says so; null if nothing. */
export function unaskedFilter(world: World, program: Program, sent: readonly Logged[]) {
  const named = new Set(program.statements.flatMap(({ node }) => inNode(node)));
  const relations = world.entities.flatMap((entity) => entity.relations);
  for (const { capability, query, body } of sent) {
    if (capability === null) return "an address that the API does not have";
    if (!isList(capability)) continue;
    const bound = relations.flatMap(({ via }) =>
      "capability" in via && via.capability === capability.name ? [via.param] : [],
    );
    const said = body === "" ? {} : (JSON.parse(body) as object);
    const strange = capability.params.find(
      ({ name, required }) =>
        (query.has(name) || name in said) && !required && !bound.includes(name) && !named.has(name),
    );
    if (strange !== undefined) return `${capability.name} by ${strange.name}`;
  }
  return null;
}
