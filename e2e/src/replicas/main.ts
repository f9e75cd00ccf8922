/**
 * One part of the long proof of replicas: `main.ts alternate|kills|crowd`. Says what it does on stderr, and
 * what came of it as JSON on the last line of stdout.
 */
import { startPostgres } from "@plasm/testkit/postgres";
import { meetCrowd } from "./crowd.ts";
import { playKilled, VICTIMS } from "./kills.ts";
import { playSession } from "./play.ts";
import { type Way, WAYS } from "./speaker.ts";
import { type Stage, startStage } from "./stage.ts";

/** What was tried, how often, and what was wrong: nothing, if it holds. */
interface Part {
  readonly tried: Readonly<Record<string, number>>;
  readonly faults: readonly string[];
}

interface Stages {
  readonly alone: Stage;
  readonly both: Stage;
}

const REPLICAS = 2;
const CROWD = { sessions: 200, calls: 20 };

/** The first answer in which two transcripts differ, or nothing. */
function difference(name: string, told: readonly string[], due: readonly string[]) {
  const at = due.findIndex((line, index) => line !== told[index]);
  if (at < 0 && told.length === due.length) return [];
  return [`${name}, answer ${at}:\n  due  ${due[at]}\n  told ${told[at]}`];
}

/** Plays sessions by every way, and compares what they are told with what a single replica tells. */
async function compared(
  { alone }: Stages,
  play: (
    way: Way,
  ) => Promise<readonly { readonly name: string; readonly told: readonly string[] }[]>,
): Promise<{ readonly answers: number; readonly faults: readonly string[] }> {
  let answers = 0;
  const faults: string[] = [];
  for (const way of WAYS) {
    const due = await playSession(alone, way);
    for (const { name, told } of await play(way)) {
      answers += told.length;
      const found = difference(`${way}, ${name}`, told, due);
      console.error(`${found.length === 0 ? "holds" : "FAILS"}  ${way}, ${name}`);
      faults.push(...found);
    }
  }
  return { answers, faults };
}

async function alternate(stages: Stages): Promise<Part> {
  const { answers, faults } = await compared(stages, async (way) => [
    { name: "in turn", told: await playSession(stages.both, way) },
  ]);
  return { tried: { answers }, faults };
}

async function kills(stages: Stages): Promise<Part> {
  let killed = 0;
  const { answers, faults } = await compared(stages, async (way) => {
    const played = [];
    for (const victims of VICTIMS) {
      const one = await playKilled(stages.both, way, victims);
      killed += one.kills;
      played.push({ name: `${victims} killed before each call`, told: one.told });
    }
    return played;
  });
  return { tried: { answers, kills: killed }, faults };
}

async function crowd({ both }: Stages): Promise<Part> {
  const { calls, errors, lostWaves, duplicateSymbols } = await meetCrowd(both, CROWD);
  const tried = {
    sessions: CROWD.sessions,
    calls,
    errors: errors.length,
    lost_waves: lostWaves.length,
    duplicate_symbols: duplicateSymbols.length,
  };
  return { tried, faults: [...errors, ...lostWaves, ...duplicateSymbols] };
}

const PARTS: Readonly<Record<string, (stages: Stages) => Promise<Part>>> = {
  alternate,
  kills,
  crowd,
};

const [name = ""] = process.argv.slice(2);
const part = PARTS[name];
if (part === undefined) throw new Error(`${name} is no part`);
const server = await startPostgres();
try {
  const [alone, both] = await Promise.all([
    startStage(server.url, 1),
    startStage(server.url, REPLICAS),
  ]);
  try {
    console.log(JSON.stringify(await part({ alone, both })));
  } finally {
    await Promise.all([alone.close(), both.close()]);
  }
} finally {
  await server.stop();
}
