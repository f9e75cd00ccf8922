import type { Plan } from "@plasm/core";
import { cleanText, quoteText } from "@plasm/core/internal";
import { fail } from "../../errors/problem.ts";
import type { Caller } from "../../identity/caller.ts";
import type { SavedProgramRecord } from "../../records/saved-programs.ts";
import type { ContextRequest } from "../../session/context-request.ts";
import type { SeededProgram } from "../../session/seeded-programs.ts";
import type { SessionDeps } from "../../session/session-deps.ts";
import { SAVE_AGAIN } from "./called-programs.ts";
import { parametersOf, type ParameterType } from "./parameters.ts";
import { findSaved } from "./shelf.ts";

/** What a saved program gives, as its row says it: entities by name, and columns where it has its own. */
export const givenText = ({ nodes, returns }: Plan): string =>
  returns
    .map(({ node: id }) => {
      const node = nodes.find((one) => one.id === id);
      if (node === undefined) return "()";
      const { entity, card, columns } = node.result;
      const of = entity ?? "{…}";
      const names = columns === null ? "" : ` ${columns.map(([name]) => name).join(" ")}`;
      return `${card === "many" ? `[${of}]` : of}${names}`;
    })
    .join(", ");

/** Types as tables have them (TEACH-21). */
const TYPES = {
  text: "str",
  number: "num",
  date: "date",
  uuid: "uuid",
  boolean: "bool",
} as const satisfies Readonly<Record<ParameterType, string>>;

/** Code points of a default, of what it gives, of its effects, and of a description in a row. */
const MOST = { default: 40, results: 160, effects: 200, description: 160 };

/** The one row that teaches a saved program (SAV-12). What people wrote is data: on one line, and cut. */
function taughtRow(record: SavedProgramRecord): string {
  const { name, program, parameters, description, effects, gives } = record;
  const known = parametersOf(program, parameters);
  const left = `s.${name}(${known.map((one) => `${one.name}=${one.list ? "[$]" : "$"}`).join(", ")})`;
  const defaults = known.map((one) => {
    const type = one.list ? `[${TYPES[one.type]}]` : TYPES[one.type];
    const text =
      one.type === "text" && typeof one.default === "string"
        ? quoteText(one.default)
        : typeof one.default === "string"
          ? one.default
          : JSON.stringify(one.default);
    return `${one.name} ${type} = ${cleanText(text, MOST.default)}`;
  });
  const meaning = [
    cleanText(gives ?? "[…]", MOST.results),
    ...(defaults.length === 0 ? [] : [defaults.join(", ")]),
    ...(effects.length === 0 ? [] : [`changes ${cleanText(effects.join(" "), MOST.effects)}`]),
    ...(description === "" ? [] : [cleanText(description, MOST.description)]),
  ];
  return `${left}\t${meaning.filter((part) => part !== "").join(" · ")}`;
}

/** The name of the saved program that a seed asks for: `{"api": "s", "entity": NAME}`, or `s.NAME` alone; null for any other. */
function programOf(seed: unknown, hasCatalog: boolean): string | null {
  if (typeof seed !== "object" || seed === null) return null;
  const { api, entity } = seed as { readonly api?: unknown; readonly entity?: unknown };
  if (typeof entity !== "string") return null;
  const name = entity.trim();
  if (api === undefined) return name.startsWith("s.") ? name.slice(2) : null;
  if (typeof api !== "string" || api.trim() !== "s" || hasCatalog) return null;
  return name.startsWith("s.") ? name.slice(2) : name;
}

/**
 * A request for a session with the saved programs among its seeds looked up: all that the caller may run, or none (SAV-12). A catalog of
 * that name is meant first. Throws Failure.
 */
export async function withSeededPrograms(
  deps: Pick<SessionDeps, "store" | "policies" | "registry">,
  caller: Caller,
  request: ContextRequest,
): Promise<ContextRequest> {
  const { seeds } = request;
  if (!Array.isArray(seeds)) return request;
  const hasCatalog = deps.registry.get("s") !== undefined;
  const names = seeds.map((seed: unknown) => programOf(seed, hasCatalog));
  const wanted = [...new Set(names.filter((name) => name !== null))];
  if (wanted.length === 0) return request;
  const programs: SeededProgram[] = [];
  for (const name of wanted) {
    const { value } = await findSaved(deps, caller, name);
    programs.push(seededProgram(deps, value));
  }
  return { ...request, seeds: seeds.filter((_: unknown, at) => names[at] === null), programs };
}

function seededProgram(
  { registry }: Pick<SessionDeps, "registry">,
  record: SavedProgramRecord,
): SeededProgram {
  const { name, version, digests } = record;
  const gone = Object.keys(digests).filter((id) => registry.get(id) === undefined);
  const changed = (ids: readonly string[], why: string) =>
    fail("plasm-program-changed", `s.${name}: ${why} ${ids.join(", ")}. ${SAVE_AGAIN}`);
  if (gone.length > 0) throw changed(gone, "it was saved with what is not on offer any more:");
  return {
    name,
    version,
    digests,
    row: taughtRow(record),
    changed: (ids) => changed(ids, "changed since it was saved:"),
  };
}
