import type { CheckContext } from "../check-context.ts";
import type { Rows } from "../typed-program.ts";

/** Writes an effect down: what comes after it in the program is of the next stage (PLAN-004). */
export function noteEffect<R extends Rows>(context: CheckContext, rows: R): R {
  context.effects.push(rows);
  context.stage += 1;
  return rows;
}

/** Whether a `=>` runs an effect per row: decided by what its call resolves to (LANG-070). */
export function isEffect(rows: Rows): boolean {
  return rows.kind === "effect" || (rows.kind === "for_each" && rows.body.kind === "effect");
}
