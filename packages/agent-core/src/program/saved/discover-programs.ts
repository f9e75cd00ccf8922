import { cleanText, STOP_TERMS, tokenize } from "@plasm/core/internal";
import { fail } from "../../errors/problem.ts";
import type { Caller } from "../../identity/caller.ts";
import type { DiscoveryOutcome } from "../../outcome.ts";
import { type DiscoverArguments, discoverSeeds } from "../../registry/listing.ts";
import type { SessionDeps } from "../../session/session-deps.ts";
import { listSaved, type SavedProgramRow } from "./shelf.ts";

/** So many programs are listed beside entities, and so much of the goal's words each has at least. */
const MOST = 3;
const LEAST = 0.35;

/** Code points of a description (TEACH-39). */
const LONGEST = 120;

const HEADER = "```tsv\napi\tentity\tdescription\n";

/** What a word of a goal is worth to a program: one of its name, or one that it is described by. */
const WORTH = { name: 1, described: 0.7 };

function scoreOf(
  { name, description, parameters }: SavedProgramRow,
  goal: ReadonlySet<string>,
): number {
  const names = new Set(tokenize(name));
  const told = new Set([description, ...parameters.map((one) => one.name)].flatMap(tokenize));
  const worth = [...goal].map((word) =>
    names.has(word) ? WORTH.name : told.has(word) ? WORTH.described : 0,
  );
  return worth.reduce<number>((sum, one) => sum + one, 0) / Math.max(1, goal.size);
}

/** The saved programs that fit a goal, best first: those of the same score by name. */
function fitting(
  programs: readonly SavedProgramRow[],
  intent: string,
  least: number,
): readonly SavedProgramRow[] {
  const goal = new Set(tokenize(intent).filter((word) => !STOP_TERMS.has(word)));
  return programs
    .map((program) => ({ program, score: scoreOf(program, goal) }))
    .filter(({ score }) => score >= least)
    .toSorted((a, b) => b.score - a.score)
    .map(({ program }) => program);
}

/** A program as an option of discovery (TEACH-39). */
type Option = { readonly api: "s"; readonly entity: string; readonly description: string };

function optionOf({ name, description, parameters, effects }: SavedProgramRow): Option {
  const takes = parameters.map((one) => one.name).join(", ");
  const said = [
    `saved program${takes === "" ? "" : ` (${takes})`}`,
    cleanText(description, LONGEST),
    effects.length === 0 ? "" : `changes ${cleanText(effects.join(" "), LONGEST)}`,
  ];
  const text = said.filter((part) => part !== "").join(" · ");
  return { api: "s", entity: name, description: text };
}

const rowOf = ({ api, entity, description }: Option): string => `${api}\t${entity}\t${description}`;

/**
 * Finds seeds for a goal: entities, and before them the saved programs of the caller that fit it, each a seed of the api `s` (SAV-11).
 * That api alone lists programs, those that fit first. Throws Failure.
 */
export async function discoverAll(
  deps: Pick<SessionDeps, "store" | "policies" | "registry">,
  caller: Caller,
  request: DiscoverArguments,
): Promise<DiscoveryOutcome> {
  const { registry, policies } = deps;
  const { apis } = request;
  const asksPrograms = Array.isArray(apis) && apis.includes("s") && registry.get("s") === undefined;
  const others = asksPrograms ? apis.filter((one: unknown) => one !== "s") : apis;
  const isAlone = asksPrograms && Array.isArray(others) && others.length === 0;
  const entities = await discoverSeeds(registry, policies, caller, {
    ...request,
    apis: isAlone ? undefined : others,
  });
  if (apis !== undefined && !asksPrograms) return entities;
  const { intent } = request;
  const programs = typeof intent === "string" ? await listSaved(deps, caller) : [];
  const offered = programs.filter(({ catalogs }) =>
    catalogs.every((id) => registry.get(id) !== undefined),
  );
  const found = fitting(offered, String(intent), isAlone ? 0 : LEAST).slice(0, isAlone ? 32 : MOST);
  if (isAlone && found.length === 0) {
    throw fail("plasm-unknown-program", "No saved program is there that you may run.");
  }
  if (found.length === 0) return entities;
  const options = found.map(optionOf);
  const rows = options.map(rowOf).join("\n");
  const { text, meta } = entities;
  if (isAlone || !text.includes(HEADER))
    return { kind: "discovery", text: `${HEADER}${rows}\n\`\`\``, meta: { options, omitted: 0 } };
  return {
    kind: "discovery",
    text: text.replace(HEADER, () => `${HEADER}${rows}\n`),
    meta: { ...meta, options: [...options, ...meta.options] },
  };
}
