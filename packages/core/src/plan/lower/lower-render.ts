import type { RenderRows } from "../../check/typed-program.ts";
import { renameOuter } from "../../templates/rewrite-template.ts";
import type { ComputeOp } from "../node.ts";
import { computeNode } from "./lower-compute.ts";
import type { Lowering } from "./lowering.ts";

type RenderOp = Extract<ComputeOp, { render: unknown }>;

/**
 * Text from rows. Labels go by the order in which the text first names their nodes, so that templates
 * that differ in labels alone are one node (PLAN-003); the numbering gives them their final names.
 */
export function lowerRender(lowering: Lowering, rows: RenderRows): string {
  const places = new Map<string, string>();
  const wanted = new Map<string, string>();
  for (const [label, used] of rows.uses) {
    const id = lowering.idOf(used);
    const place = places.get(id) ?? `u${places.size + 1}`;
    places.set(id, place);
    wanted.set(label, place);
  }
  const { text, names } = renameOuter(rows.text, wanted);
  const uses = Object.fromEntries(
    [...rows.uses].map(([label, used]) => [names.get(label) ?? label, lowering.idOf(used)]),
  );
  const source = lowering.idOf(rows.source);
  const op: RenderOp = { render: { text, uses } };
  return computeNode(lowering, rows, source, rows.stage, op, [...places.keys()]);
}

/** Ids of drafts are no names; those of a plan's nodes are. */
const NAME = /^[a-z][0-9]+$/;

/** The operation with other ids; final ones are also its names for the nodes it uses (PLAN-011). */
export function renameRender({ render }: RenderOp, to: (id: string) => string): RenderOp {
  const ids = new Map(Object.entries(render.uses).map(([name, id]) => [name, to(id)]));
  const wanted = new Map([...ids].map(([name, id]) => [name, NAME.test(id) ? id : name]));
  const { text, names } = renameOuter(render.text, wanted);
  const uses = Object.fromEntries([...ids].map(([name, id]) => [names.get(name) ?? name, id]));
  return { render: { text, uses } };
}
