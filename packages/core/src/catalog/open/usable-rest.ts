import type { CatalogDiagnostic } from "../reporter.ts";
import { type CatalogReading, type CatalogFiles, draftCatalog } from "../load-catalog.ts";
import type { Catalog, DroppedPart } from "../../mapping/template.ts";
import { compareCodePoints } from "../../base/text.ts";
import { type Fault, faultText, type FaultyPart, faultyParts, withoutParts } from "./drop-parts.ts";

/** Files read and checked: the draft, and all that was found. */
export interface CheckedFiles {
  /** null if a file is no YAML map */
  readonly draft: CatalogReading | null;
  readonly diagnostics: readonly CatalogDiagnostic[];
  readonly faults: readonly Fault[];
}

/** A part that was left out, and the faults of the files that it goes back to. */
interface Left {
  /** which of them it is, in the order in which they were left out */
  readonly at: number;
  readonly part: DroppedPart;
  readonly roots: ReadonlySet<CatalogDiagnostic>;
}

/** Parts that need others are found by reading what is left again; so often at most. */
const MOST_ROUNDS = 50;
/** Characters that all rounds read in all: a chain of parts in a large catalog would take minutes. */
const MOST_READ = 20_000_000;
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
  const left = new LeftParts();
  const parts: FaultyPart[] = [];
  const length = files.domain.source.text.length + (files.mappings?.parsed.source.text.length ?? 0);
  const rounds = Math.min(MOST_ROUNDS, Math.max(2, Math.floor(MOST_READ / Math.max(1, length))));
  let at = checked;
  for (let round = 0; round < rounds; round += 1) {
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
        left.add(leftFor(each, fault, left, round === 0));
        parts.push(each);
      }
    }
    if (left.size === known) return null;
    at = check(withoutParts(files, parts));
  }
  return null;
}

/** An entity that names a list as its own keeps doing so when that list is left out: none takes its place. */
function isExcused({ cgs }: CatalogReading, fault: Fault, left: LeftParts): boolean {
  const [section, entity, key] = fault.path;
  if (fault.diagnostic.code !== "CAT044" || section !== "entities") return false;
  const found = cgs.entities.get(String(entity));
  const named =
    key === "primary_read"
      ? found?.primaryRead
      : key === "primary_query"
        ? found?.primaryQuery
        : found?.primarySearch;
  return named !== undefined && left.hasCapability(named);
}

function leftFor(
  faulty: FaultyPart,
  { diagnostic }: Fault,
  left: LeftParts,
  isFirst: boolean,
): Left {
  const { edits: _edits, ...part } = faulty;
  if (isFirst) {
    const roots = new Set([diagnostic]);
    return { at: left.size, part: { ...part, why: faultText(diagnostic) }, roots };
  }
  const named = left.namedIn(diagnostic.message);
  const roots = named.length > 0 ? new Set(named.flatMap((each) => [...each.roots])) : left.roots;
  const causes = named.length > 0 ? named : left.all;
  const needed = causes.slice(0, 3).map((each) => called(each.part));
  const [root] = roots;
  const first = root === undefined ? "" : ` (${faultText(root)})`;
  return {
    at: left.size,
    part: { ...part, why: `it needs ${needed.join(", ")}, which is not loaded${first}` },
    roots,
  };
}

/** The parts that are left out so far, found by what is said of them. */
class LeftParts {
  readonly all: Left[] = [];
  /** the faults that all of them go back to */
  readonly roots = new Set<CatalogDiagnostic>();
  readonly #parts = new Set<string>();
  readonly #capabilities = new Set<string>();
  readonly #byName = new Map<string, Left[]>();

  get size(): number {
    return this.all.length;
  }

  has(part: string): boolean {
    return this.#parts.has(part);
  }

  hasCapability(name: string): boolean {
    return this.#capabilities.has(name);
  }

  add(left: Left): void {
    const { kind, name, part } = left.part;
    this.all.push(left);
    this.#parts.add(part);
    if (kind === "capability") this.#capabilities.add(name);
    for (const root of left.roots) this.roots.add(root);
    const own = name.split(".").at(-1) ?? name;
    const known = this.#byName.get(own);
    if (known === undefined) this.#byName.set(own, [left]);
    else known.push(left);
  }

  /** Those that a message speaks of, by their own names, as they were left out. */
  namedIn(message: string): readonly Left[] {
    const words = new Set(message.match(/[A-Za-z0-9_]+/g));
    const found = [...words].flatMap((word) => this.#byName.get(word) ?? []);
    return found.length < 2 ? found : found.toSorted((a, b) => a.at - b.at);
  }
}

/** A part as people speak of it: `relation Movie.reviews`. */
function called({ kind, name }: DroppedPart): string {
  return kind === "key" || kind === "schema_overlay" ? name : `${kind} ${name}`;
}

function restOf(
  draft: CatalogReading,
  found: readonly CatalogDiagnostic[],
  left: LeftParts,
): { readonly catalog: Catalog; readonly diagnostics: readonly CatalogDiagnostic[] } | null {
  // Nothing can be done with what has no capability at all.
  if (draft.cgs.capabilities.size === 0) return null;
  const all = left.all.toSorted((a, b) => compareCodePoints(a.part.part, b.part.part));
  const partsOf = new Map<CatalogDiagnostic, DroppedPart[]>();
  // Of a part whose cause is not known, any of the faults may be it.
  const ofAny = all.filter(({ roots }) => roots === left.roots).map(({ part }) => part);
  for (const { part, roots } of all) {
    for (const root of roots === left.roots ? [] : roots) {
      const known = partsOf.get(root);
      if (known === undefined) partsOf.set(root, [part]);
      else known.push(part);
    }
  }
  const catalog = draftCatalog(
    draft,
    all.map(({ part }) => Object.freeze(part)),
  );
  const diagnostics = found.map((each): CatalogDiagnostic => {
    if (each.severity !== "error") return each;
    const own = partsOf.get(each) ?? [];
    const count = own.length + (left.roots.has(each) ? ofAny.length : 0);
    const shown = [...own.slice(0, MOST_NAMED), ...ofAny.slice(0, MOST_NAMED)].slice(
      0,
      Math.min(MOST_NAMED, count),
    );
    const more = count > MOST_NAMED ? ` and ${count - MOST_NAMED} more` : "";
    const named = `${shown.map(called).join(", ")}${more}`;
    const said = count === 0 ? "" : ` Not loaded because of this: ${named}.`;
    return { ...each, severity: "warning", message: `${each.message}${said}` };
  });
  return { catalog, diagnostics };
}
