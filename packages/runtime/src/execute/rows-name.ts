import type { Engine } from "./engine.ts";

/** How a message names the rows of a node: by their label, else by the expression that made them. */
export function rowsName(engine: Engine, id: string): string {
  const { name, text } = engine.nameOf(id);
  return name === id ? (text ?? id) : name;
}
