import { compileProgram, type Exposure, type Plan } from "@plasm/core";

/** A plan of `nodes` nodes: reads that differ, a sort and a projection on each. */
export function widePlan(exposure: Exposure, nodes: number): Plan {
  const lines = Array.from(
    { length: Math.floor(nodes / 3) },
    (_none, at) => `Boat{owner=o${at}}.sort(length, desc)[id, name]`,
  );
  const compiled = compileProgram(lines.join("\n"), exposure);
  if (compiled.kind !== "plan") throw new Error("The wide program does not compile");
  return compiled.plan;
}

/** JSON of about as many bytes as a program, of what agents send where every request is a tool call. */
export function jsonOf(bytes: number): string {
  const calls: object[] = [];
  let text = "[]";
  while (text.length < bytes) {
    const at = calls.length;
    calls.push({ name: "boat_query", arguments: { state: "lost", owner: `o${at}`, limit: at } });
    text = JSON.stringify(calls);
  }
  return text;
}
