import type { CatalogDiagnostic } from "../load/diagnostic.ts";
import { type CatalogDraft, type CatalogFiles, draftCatalog } from "../load/load-catalog.ts";
import type { Catalog } from "../mapping/catalog.ts";
import type { DroppedPart } from "../mapping/dropped-part.ts";
import { compareCodePoints } from "../text/compare-code-points.ts";
import { type Fault, faultText, type FaultyPart, faultyParts, withoutParts } from "./drop-parts.ts";

/** Files read and checked: the draft, and all that was found. */
export interface CheckedFiles {
  /** null if a file is no YAML map */
  readonly draft: CatalogDraft | null;
  readonly diagnostics: readonly CatalogDiagnostic[];
  readonly faults: readonly Fault[];
}

/** A part that was left out, and the faults of the files that it goes back to. */
interface Left {
  readonly part: DroppedPart;
  readonly roots: ReadonlySet<CatalogDiagnostic>;
}

/** Parts that need others are found by reading what is left again; so often at most. */
const MOST_ROUNDS = 50;
const MOST_NAMED = 20;

/**
 * The catalog without its faulty parts and all that needs them, and what was found, each error of a part as a
 * warning that names what is left out for it. Null where a fault is the whole catalog's.
 */
export function usableRest(
  files: CatalogFiles,
  checked: CheckedFiles,
  check: (files: CatalogFiles) => CheckedFiles,
): { readonly catalog: Catalog; readonly diagnostics: readonly CatalogDiagnostic[] } | null {
  const left = new Map<string, Left>();
  const parts: FaultyPart[] = [];
  let at = checked;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const { draft } = at;
    if (draft === null) return null;
    const faults = at.faults.filter((fault) => !isExcused(draft, fault, left));
    if (faults.length === 0) return restOf(draft, checked.diagnostics, left);
    const known = left.size;
    for (const fault of faults) {
      const faulty = faultyParts(draft, fault);
      if (faulty === null) return null;
      for (const each of faulty) {
        if (left.has(each.part)) continue;
        left.set(each.part, leftFor(each, fault, left, round === 0));
        parts.push(each);
      }
    }
    if (left.size === known) return null;
    at = check(withoutParts(files, parts));
  }
  return null;
}

/** An entity that names a list as its own keeps doing so when that list is left out: none takes its place. */
function isExcused({ cgs }: CatalogDraft, fault: Fault, left: ReadonlyMap<string, Left>): boolean {
  const [section, entity, key] = fault.path;
  if (fault.diagnostic.code !== "CAT044" || section !== "entities") return false;
  const found = cgs.entities.get(String(entity));
  const named =
    key === "primary_read"
      ? found?.primaryRead
      : key === "primary_query"
        ? found?.primaryQuery
        : found?.primarySearch;
  return [...left.values()].some(({ part }) => part.kind === "capability" && part.name === named);
}

function leftFor(
  faulty: FaultyPart,
  { diagnostic }: Fault,
  left: ReadonlyMap<string, Left>,
  isFirst: boolean,
): Left {
  const { edits: _edits, ...part } = faulty;
  if (isFirst) {
    return { part: { ...part, why: faultText(diagnostic) }, roots: new Set([diagnostic]) };
  }
  const named = [...left.values()].filter((each) => names(diagnostic.message, each.part));
  const causes = named.length > 0 ? named : [...left.values()];
  const roots = new Set(causes.flatMap((each) => [...each.roots]));
  const needed = causes.slice(0, 3).map((each) => called(each.part));
  const [root] = roots;
  const first = root === undefined ? "" : ` (${faultText(root)})`;
  return {
    part: { ...part, why: `it needs ${needed.join(", ")}, which is not loaded${first}` },
    roots,
  };
}

/** Whether a message speaks of a part, by its own name. */
function names(message: string, { name }: DroppedPart): boolean {
  const own = name.split(".").at(-1) ?? name;
  const words: readonly string[] = message.match(/[A-Za-z0-9_]+/g) ?? [];
  return words.includes(own);
}

/** A part as people speak of it: `relation Movie.reviews`. */
function called({ kind, name }: DroppedPart): string {
  return kind === "key" || kind === "schema_overlay" ? name : `${kind} ${name}`;
}

function restOf(
  draft: CatalogDraft,
  found: readonly CatalogDiagnostic[],
  left: ReadonlyMap<string, Left>,
): { readonly catalog: Catalog; readonly diagnostics: readonly CatalogDiagnostic[] } | null {
  // Nothing can be done with what has no capability at all.
  if (draft.cgs.capabilities.size === 0) return null;
  const all = [...left.values()].toSorted((a, b) => compareCodePoints(a.part.part, b.part.part));
  const catalog = draftCatalog(
    draft,
    all.map(({ part }) => Object.freeze(part)),
  );
  const diagnostics = found.map((each): CatalogDiagnostic => {
    if (each.severity !== "error") return each;
    const own = all.filter(({ roots }) => roots.has(each)).map(({ part }) => called(part));
    const more = own.length > MOST_NAMED ? ` and ${own.length - MOST_NAMED} more` : "";
    const named = `${own.slice(0, MOST_NAMED).join(", ")}${more}`;
    const said = own.length === 0 ? "" : ` Not loaded because of this: ${named}.`;
    return { ...each, severity: "warning", message: `${each.message}${said}` };
  });
  return { catalog, diagnostics };
}
