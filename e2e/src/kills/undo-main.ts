/**
 * The long crash test of undo: `undo-main.ts SEED KILLS`. Kills a host in a run and in its undo, at a request that is drawn by the seed.
 * Says each on stderr, and what came of all as JSON on the last line of stdout.
 */
import { wholesFrom } from "../drawer.ts";
import { UNDO_REQUESTS, type UndoKill, undoKillText, UndoWorld } from "./undo-world.ts";

const [seed = "1", wanted = "300"] = process.argv.slice(2);

const numbers = wholesFrom(Number(seed));
const draw = (below: number): number => numbers() % below;

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
