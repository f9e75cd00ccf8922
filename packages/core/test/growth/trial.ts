import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { parentPort } from "node:worker_threads";
import { discover } from "../../src/discovery/discover.ts";
import { loadCatalog } from "../../src/catalog/load-catalog.ts";
import { compileProgram } from "../../src/plan/compile.ts";
import { evaluateTemplate } from "../../src/templates/evaluate/evaluate-template.ts";
import { parseTemplate } from "../../src/templates/parse/parse-template.ts";
import type { JsonObject } from "../../src/values/value-type.ts";
import { quayAndYard } from "../fixture-exposure.ts";
import { drawnTexts, familyText, type Reader } from "./families.ts";

/** What reading one text took, in milliseconds of this thread's CPU, or what it threw. */
export type TrialAnswer =
  | { readonly kind: "ready"; readonly heapMb: number }
  | { readonly kind: "read"; readonly ms: number }
  | { readonly kind: "many"; readonly suspects: readonly Suspect[] }
  | { readonly kind: "threw"; readonly error: string };

/** A text of a batch that took too much or threw, as long as nothing else was to blame. */
export interface Suspect {
  readonly at: number;
  readonly what: string;
}

interface OneText {
  readonly kind: "one";
  readonly reader: Reader;
  readonly text: string;
}

/** The texts that a seed draws, from one of them on. */
interface ManyTexts {
  readonly kind: "many";
  readonly seed: number;
  readonly count: number;
  readonly from: number;
  readonly mostMs: number;
  /** which of them is under way, for who waits */
  readonly at: Int32Array;
}

export type TrialRequest = OneText | ManyTexts;

const CATALOGS = [...quayAndYard.catalogs.values()];
/** LANG-082 */
const LIMITS = { steps: 1_000_000, output: 1_048_576 };

/** Values that are dear to work on, as rows of an API may have them. */
const BINDINGS: JsonObject = {
  rows: Array.from({ length: 10_000 }, (_, at) => ({ id: `r${at}`, n: at, part: at / 7 })),
  few: Array.from({ length: 20 }, (_, at) => ({ id: `r${at}`, n: at, part: at / 7 })),
  long: "a b,".repeat(12_500),
  wide: "€ß 字,".repeat(10_000),
  small: 1e-300,
  exponent: "1e-10000",
  digits: "9".repeat(999),
  object: Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`k${at}`, at])),
  json: JSON.stringify(Array.from({ length: 2_000 }, (_, at) => at * 1e20)),
  nested: JSON.parse("[".repeat(150) + "]".repeat(150)),
};

const READ: Readonly<Record<Reader, (text: string) => unknown>> = {
  program: (text) => compileProgram(text, quayAndYard),
  template: (text) => {
    const { template } = parseTemplate(text.slice(0, 65_536));
    return template === null ? null : evaluateTemplate(template, BINDINGS, LIMITS);
  },
  catalog: (text) => loadCatalog({ entryId: "drawn", domain: { file: "domain.yaml", text } }),
  intent: (text) => discover({ intent: text }, CATALOGS, {}),
};

function trial({ reader, text }: Omit<OneText, "kind">): TrialAnswer {
  const before = process.threadCpuUsage();
  try {
    READ[reader](text);
  } catch (error) {
    return { kind: "threw", error: error instanceof Error ? (error.stack ?? "") : String(error) };
  }
  const { user, system } = process.threadCpuUsage(before);
  return { kind: "read", ms: (user + system) / 1000 };
}

function trials({ seed, count, from, mostMs, at }: ManyTexts): TrialAnswer {
  const suspects: Suspect[] = [];
  for (const [index, [family, size]] of drawnTexts(seed, count).entries()) {
    if (index < from) continue;
    Atomics.store(at, 0, index);
    const said = trial({ reader: family.reader, text: familyText(family, size) });
    if (said.kind === "threw") suspects.push({ at: index, what: said.error });
    else if (said.kind === "read" && said.ms > mostMs)
      suspects.push({ at: index, what: `${Math.round(said.ms)} ms of CPU` });
  }
  return { kind: "many", suspects };
}

for (const reader of ["program", "template", "catalog", "intent"] as const) {
  for (let warm = 0; warm < 20; warm++) trial({ reader, text: "Boat{id=1}.limit(5)" });
}
setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
collect();
const answer = (said: TrialAnswer): void => parentPort?.postMessage(said);
parentPort?.on("message", (request: TrialRequest) =>
  answer(request.kind === "one" ? trial(request) : trials(request)),
);
answer({ kind: "ready", heapMb: Math.ceil(process.memoryUsage().heapUsed / 2 ** 20) });
