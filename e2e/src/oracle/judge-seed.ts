import { wholesFrom } from "../drawer.ts";
import { drawAgain, drawFrom, type Tape } from "./choices.ts";
import { drawProgram } from "./draw-statements.ts";
import { drawWorld } from "./draw-world.ts";
import { type Finding, judgeWorld } from "./judge-world.ts";
import { catalogsOf, type World } from "./model.ts";
import type { Program } from "./program.ts";
import type { Worlds } from "./serve-worlds.ts";
import { shrinkTape } from "./shrink.ts";
import { writeCatalog } from "./write-catalog.ts";

const PROGRAMS = 8;
const ATTEMPTS = 150;

/** What was drawn, by the tapes that draw it again. */
interface Case {
  readonly world: Tape;
  readonly program: Tape;
}

const NAME = "w";

function caseOf({ world, program }: Case): { world: World; programs: readonly Program[] } {
  const drawn = drawAgain(world, (choices) => drawWorld(choices, NAME));
  const one = drawAgain(program, (choices) => drawProgram(choices, drawn));
  return { world: drawn, programs: one === null ? [] : [one] };
}

/** Judges one program alone; what cannot be drawn or served is no finding. */
async function judgeCase(worlds: Worlds, drawn: Case): Promise<Finding | null> {
  try {
    const { world, programs } = caseOf(drawn);
    return await judgeWorld(worlds, world, programs);
  } catch {
    return null;
  }
}

async function shrink(worlds: Worlds, found: Case, { what }: Finding): Promise<Case> {
  const same = async (drawn: Case): Promise<boolean> =>
    (await judgeCase(worlds, drawn))?.what === what;
  let best = found;
  const [world, program] = [best.world, best.program];
  best = {
    world: await shrinkTape(world, ATTEMPTS, async (tape) => same({ world: tape, program })),
    program,
  };
  const smallWorld = best.world;
  best = {
    world: smallWorld,
    program: await shrinkTape(program, ATTEMPTS, async (tape) =>
      same({ world: smallWorld, program: tape }),
    ),
  };
  const smallProgram = best.program;
  return {
    world: await shrinkTape(smallWorld, ATTEMPTS, async (tape) =>
      same({ world: tape, program: smallProgram }),
    ),
    program: smallProgram,
  };
}

function told(
  seed: number,
  { world, programs }: ReturnType<typeof caseOf>,
  finding: Finding,
): string {
  const files = catalogsOf(world).map((id) => {
    const { domain, mappings } = writeCatalog(world, id, "http://127.0.0.1/w");
    return `-- ${id}/domain.yaml\n${domain}\n-- ${id}/mappings.yaml\n${mappings}`;
  });
  const rows = world.entities.map(({ name, rows: all, ...rest }) => {
    const lines = all.map((row) => `  ${JSON.stringify(row)}`);
    return [`${name}: ${JSON.stringify(rest)}`, ...lines].join("\n");
  });
  return [
    `world ${seed}: ${finding.what}`,
    ...files,
    `-- data\n${rows.join("\n")}`,
    `-- program (${programs.length})\n${finding.program}`,
    `-- plan\n${finding.plan}`,
    `-- requests\n${finding.requests.join("\n")}`,
    `-- expected\n${finding.expected}`,
    `-- got\n${finding.got}`,
  ].join("\n");
}

/** Draws a world and programs from a seed, and judges them: null, or what is wrong, of the smallest case found. */
export async function judgeSeed(
  worlds: Worlds,
  seed: number,
  { shrinks }: { readonly shrinks: boolean } = { shrinks: true },
): Promise<string | null> {
  const numbers = wholesFrom(seed);
  const world = drawFrom(numbers(), (choices) => drawWorld(choices, NAME));
  const programs = Array.from({ length: PROGRAMS }, () =>
    drawFrom(numbers(), (choices) => drawProgram(choices, world.value)),
  );
  const drawn = programs.flatMap(({ value }) => (value === null ? [] : [value]));
  const finding = await judgeWorld(worlds, world.value, drawn);
  if (finding === null) return null;
  if (!shrinks) return told(seed, { world: world.value, programs: drawn }, finding);
  for (const { tape } of programs) {
    const alone: Case = { world: world.tape, program: tape };
    const again = await judgeCase(worlds, alone);
    if (again === null) continue;
    const small = await shrink(worlds, alone, again);
    return told(seed, caseOf(small), (await judgeCase(worlds, small)) ?? again);
  }
  return told(seed, { world: world.value, programs: drawn }, finding);
}
