import type { CatalogSet } from "../src/catalog/federation.ts";
import { ALL_FEATURES } from "../src/policy/policy.ts";
import type { Exposure } from "../src/symbols/exposure.ts";
import { type Call, rowsOf, teach } from "./teach.ts";

/** What the type rows of a session say, read as an agent reads them: later rows replace earlier ones. */
interface Types {
  readonly everywhere: Map<string, string>;
  /** `e3`, `e3{}` or `m6`, a blank, `p#` → the types there */
  readonly there: Map<string, readonly string[]>;
}

/**
 * What a session was taught in the end, by wire name, notes aside (P23): each row of code with the
 * type that an agent must take for each of its names.
 */
export function taughtFacts(catalogs: CatalogSet, calls: readonly Call[]): readonly string[] {
  const { waves, exposure } = teach(catalogs, calls, { features: ALL_FEATURES });
  const types: Types = { everywhere: new Map(), there: new Map() };
  for (const wave of waves) readTypes(rowsOf(wave), types);
  const untaught = waves.flatMap((wave) =>
    wave.untaught.map(({ capability, reason }) => `${wave.entryId} ${capability} ${reason}`),
  );
  // A row that says types itself is said again once one of them is an entity of the session.
  const code = new Map<string, string>();
  for (const wave of waves) {
    for (const [left, meaning] of rowsOf(wave)) {
      if (/^p\d+$/.test(left)) continue;
      const [result = ""] = meaning.split(" · ");
      code.set(`${plainValues(left)} ${result}`, codeFact(left, meaning, types, exposure));
    }
  }
  return [...code.values(), ...untaught].toSorted();
}

function readTypes(rows: readonly (readonly [string, string])[], types: Types): void {
  const fresh = new Map<string, readonly string[]>();
  for (const [left, meaning] of rows) {
    if (!/^p\d+$/.test(left)) continue;
    const said = meaning.split(" · ")[0] ?? "";
    const placed = /^((?:(?:e\d+(?:\{\})?|m\d+)(?:, |(?=:)))+): (.*)$/.exec(said);
    if (placed === null) {
      types.everywhere.set(left, spelledOut(said.slice(said.indexOf(" ") + 1), types));
      continue;
    }
    for (const where of (placed[1] ?? "").split(", ")) {
      const place = `${where} ${left}`;
      fresh.set(place, [...(fresh.get(place) ?? []), spelledOut(placed[2] ?? "", types)]);
    }
  }
  for (const [place, texts] of fresh) types.there.set(place, texts);
}

/** A type text with `as p#` replaced by what that slot says. */
function spelledOut(text: string, { everywhere }: Types): string {
  return text.replace(/as (p\d+)/, (_, slot: string) => everywhere.get(slot) ?? "?");
}

function codeFact(left: string, meaning: string, types: Types, exposure: Exposure): string {
  const entity = /^e\d+/.exec(left)?.[0] ?? "";
  const method = /\.(m\d+)\(/.exec(left)?.[1];
  const columns = /\[(p[\dp,]+)\]$/.exec(left)?.[1]?.split(",") ?? [];
  const relation = /\.(p\d+)$/.exec(left)?.[1];
  const [result = "", ...parts] = meaning.split(" · ");
  const opt = /^opt (.*)$/.exec(parts[0] ?? "")?.[1]?.split(" ") ?? [];
  const own = new Map(
    parts.flatMap((part) =>
      part.startsWith("here ")
        ? [...part.slice("here ".length).matchAll(/(p\d+) (.*?)(?=, p\d+ |$)/g)].map(
            ([, name = "", type = ""]) => [name, spelledOut(type, types)] as const,
          )
        : [],
    ),
  );
  const code = plainValues(left);
  const shown = code.match(/\bp\d+\b/g) ?? [];
  const typed = [...new Set([...shown, ...opt])]
    .filter((name) => name !== relation)
    .map((name) => {
      const type = own.get(name);
      if (type !== undefined) return wired(`${name}:${type}`, exposure);
      const places = placesOf(entity, method, columns.includes(name), isList(result));
      return wired(`${name}:${typeAt(name, places, types).join(" or ")}`, exposure);
    });
  const entryId = exposure.symbols.entities[Number(entity.slice(1)) - 1]?.entryId;
  const bare = result.replace(/(\w+)\.(?=[A-Z])/, "");
  const said = wired(`${code} -> ${bare} opt ${opt.join(" ")}`, exposure);
  return `${entryId} ${said} with ${typed.toSorted().join(" ")}`;
}

/** Constructors of exposed entities as plain holes: whether one is shown, and how, depends on the order. */
function plainValues(left: string): string {
  const [, head = "", rest = ""] = /^(e\d+)(.*)$/.exec(left) ?? [];
  let code = rest;
  for (let depth = 0; depth < 4; depth++) code = code.replaceAll(/\be\d+\([^()]*\)/g, "$");
  return `${head}${code.replace(/^\([^()]*\)(?=\.)/, "($)")}`;
}

const isList = (result: string): boolean => result.startsWith("[");

function placesOf(
  entity: string,
  method: string | undefined,
  isColumn: boolean,
  ofList: boolean,
): readonly string[] {
  if (isColumn) return [entity];
  if (method === undefined) return [`${entity}{}`, entity];
  return ofList ? [method, `${entity}{}`, entity] : [method, entity];
}

function typeAt(name: string, places: readonly string[], types: Types): readonly string[] {
  for (const place of places) {
    const found = types.there.get(`${place} ${name}`);
    if (found !== undefined) return found;
  }
  return [types.everywhere.get(name) ?? "untaught"];
}

/** Symbols as wire names. */
function wired(text: string, { symbols }: Exposure): string {
  return text
    .replaceAll(/\be(\d+)\b/g, (_, n: string) => symbols.entities[Number(n) - 1]?.entity ?? "?")
    .replaceAll(/\bm(\d+)\b/g, (_, n: string) => symbols.methods[Number(n) - 1]?.label ?? "?")
    .replaceAll(/\bp(\d+)\b/g, (_, n: string) => symbols.names[Number(n) - 1] ?? "?");
}
