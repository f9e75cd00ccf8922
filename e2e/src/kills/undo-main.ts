/**
 * The long crash test of undo: `undo-main.ts SEED KILLS`. Kills a host in a run and in its undo, at a request that is drawn by the seed.
 * Says each on stderr, and what came of all as JSON on the last line of stdout.
 */
import { UNDO_REQUESTS, type UndoKill, undoKillText, UndoWorld } from "./undo-world.ts";

const [seed = "1", wanted = "300"] = process.argv.slice(2);

/** Numbers from 0 on, below a limit; the same for a seed (mulberry32). */
let state = Number(seed) >>> 0;
function draw(below: number): number {
  state = (state + 0x6d2b79f5) >>> 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) % below;
}

function drawKill(of: UndoKill["of"]): UndoKill {
  const request = draw(UNDO_REQUESTS - 1) + 1;
  const when = draw(3);
  return { of, request, when: when === 0 ? "arrived" : when === 1 ? "performed" : draw(25) };
}

const world = await UndoWorld.open();
const faults: string[] = [];
let kills = 0;
while (kills < Number(wanted)) {
  const strike = [drawKill("run"), drawKill("undo")];
  const found = await world.strike(strike);
  faults.push(...found);
  kills += strike.length;
  console.error(
    `${kills} ${strike.map(undoKillText).join(" and ")}: ${found.length === 0 ? "holds" : "FAILS"}`,
  );
}
await world.close();
console.log(JSON.stringify({ seed: Number(seed), kills, faults }));
