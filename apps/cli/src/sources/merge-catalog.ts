import { isMap, type Document } from "yaml";
import { isJsonObject } from "../workspace/json-file.ts";
import type { ImportedFiles } from "./catalog-editing.ts";
import { type Kept, mergeYaml, documentText } from "./merge-yaml.ts";

/** A place that stays as people wrote it though the document changed it. */
export interface KeptPlace extends Omit<Kept, "why"> {
  readonly file: string;
  readonly why: Kept["why"] | "not_here";
}

export interface MergedCatalog {
  readonly files: ImportedFiles;
  readonly kept: readonly KeptPlace[];
}

type Tree = Readonly<Record<string, unknown>>;

const tree = (value: unknown): Tree => (isJsonObject(value) ? value : {});

/** All names of values that a tree refers to. */
function valuesIn(value: unknown, found: Set<string> = new Set()): ReadonlySet<string> {
  if (Array.isArray(value)) for (const one of value) valuesIn(one, found);
  else if (isJsonObject(value)) {
    for (const [key, one] of Object.entries(value)) {
      if (key === "value_ref" && typeof one === "string") found.add(one);
      else valuesIn(one, found);
    }
  }
  return found;
}

/** Takes out values that nothing refers to any more, of those that the newer document has not. */
function settleValues(document: Document.Parsed, base: Tree, newer: Tree): void {
  const used = valuesIn(document.toJS());
  const [was, comes] = [tree(base["values"]), tree(newer["values"])];
  for (const name of Object.keys(was)) {
    if (!Object.hasOwn(comes, name) && !used.has(name)) document.deleteIn(["values", name]);
  }
}

/** Takes out capabilities and relations that just came and stand on an entity that people took out. */
function withoutStrays(document: Document.Parsed, own: Tree): readonly KeptPlace[] {
  const merged = tree(document.toJS());
  const [entities, capabilities] = [tree(merged["entities"]), tree(merged["capabilities"])];
  const kept: KeptPlace[] = [];
  const drop = (path: readonly string[]): void => {
    document.deleteIn(path);
    kept.push({ file: "domain.yaml", path, why: "not_here" });
  };
  const had = tree(own["capabilities"]);
  const stray = new Set<string>();
  for (const [name, capability] of Object.entries(capabilities)) {
    if (Object.hasOwn(had, name) || Object.hasOwn(entities, String(tree(capability)["entity"])))
      continue;
    stray.add(name);
    drop(["capabilities", name]);
  }
  for (const [entity, { relations }] of Object.entries(entities).map(
    ([name, one]) => [name, tree(one)] as const,
  )) {
    const before = tree(tree(tree(own["entities"])[entity])["relations"]);
    for (const [name, relation] of Object.entries(tree(relations))) {
      const target = String(tree(relation)["target"]);
      const { capability } = tree(tree(relation)["materialize"]);
      const isRead =
        typeof capability !== "string" ||
        (Object.hasOwn(capabilities, capability) && !stray.has(capability));
      const isWhole = isRead && Object.hasOwn(entities, target);
      if (!isWhole && !Object.hasOwn(before, name)) drop(["entities", entity, "relations", name]);
    }
  }
  return kept;
}

const inFile = (file: string, kept: readonly Kept[]): readonly KeptPlace[] =>
  kept.map((one) => ({ file, ...one }));

/**
 * Merges the catalog of a newer document into one that people have edited; `base` is what the earlier document had
 * made. Theirs stays wherever both changed a place, and what stands on something that they took out stays out.
 */
export function mergeCatalog(
  base: ImportedFiles,
  own: ImportedFiles,
  newer: ImportedFiles,
): MergedCatalog {
  const isValue = (path: readonly string[]) => path.length === 2 && path[0] === "values";
  const domain = mergeYaml(base.domain, own.domain, newer.domain, isValue);
  const mappings = mergeYaml(base.mappings, own.mappings, newer.mappings);
  const ownTree = tree(mergeYaml("", own.domain, "").document.toJS());
  const strays = withoutStrays(domain.document, ownTree);
  const baseTree = tree(mergeYaml("", base.domain, "").document.toJS());
  const newerTree = tree(mergeYaml("", newer.domain, "").document.toJS());
  settleValues(domain.document, baseTree, newerTree);
  const offered = tree(tree(domain.document.toJS())["capabilities"]);
  const had = tree(mergeYaml("", own.mappings, "").document.toJS());
  if (isMap(mappings.document.contents)) {
    for (const name of Object.keys(tree(mappings.document.toJS()))) {
      if (!Object.hasOwn(offered, name) && !Object.hasOwn(had, name))
        mappings.document.delete(name);
    }
  }
  // A capability that people took out is told once, not by its mapping as well.
  const maps = mappings.kept.filter(({ path, why }) => why !== "removed_here" || path.length > 1);
  return {
    files: { domain: documentText(domain.document), mappings: documentText(mappings.document) },
    kept: [...inFile("domain.yaml", domain.kept), ...strays, ...inFile("mappings.yaml", maps)],
  };
}
