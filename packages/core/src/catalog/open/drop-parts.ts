import { type CatalogDiagnostic, createReporter, type PlacedError } from "../reporter.ts";
import { type KeyPath, keyPathText } from "../key-path.ts";
import type { CatalogReading, CatalogFiles } from "../load-catalog.ts";
import { nodeAt } from "../catalog-file.ts";
import type { MapEntry, YamlMap, YamlNode } from "../yaml/node.ts";
import type { DroppedPart } from "../../mapping/template.ts";
import type { CapabilityKind } from "../../model/model.ts";
import { capabilityLabel, keyParts } from "../../model/lookups.ts";

/** A fault of a part: the file it stands in is told apart by what leads there. */
export interface Fault extends PlacedError {
  readonly where: "domain" | "mappings";
}

/** A part that is to be left out, and what that takes in the files. */
export interface FaultyPart extends Omit<DroppedPart, "why"> {
  readonly edits: readonly Edit[];
}

type Edit =
  | { readonly file: "domain" | "mappings"; readonly remove: KeyPath }
  /** an entity without capabilities stands in rows of others, and is no more than that */
  | { readonly file: "domain"; readonly abstract: string };

const remove = (...path: readonly (string | number)[]): Edit => ({ file: "domain", remove: path });

/** Keys of an entity without which no row of it can be told from another. */
const KEYS_OF_IDENTITY = ["id_field", "id_from", "key_vars", "implicit_request_identity", "fields"];

/**
 * The least that can be left out for a fault so that nothing that stays means anything else; null if that is
 * the whole catalog.
 */
export function faultyParts(draft: CatalogReading, fault: Fault): readonly FaultyPart[] | null {
  const [section, name, ...rest] = fault.path;
  if (fault.where === "mappings") {
    return typeof section === "string" ? [capabilityPart(draft, section)] : null;
  }
  if (section === "schema_overlay") return [overlayPart];
  if (section === "oauth") return requirementParts(draft, fault.path);
  if (typeof name !== "string") return null;
  switch (section) {
    case "capabilities":
      // Without its order a list is read whole and sorted here.
      if (rest[0] === "sort") return [keyPart("capabilities", name, "sort")];
      return fault.diagnostic.code === "CAT071"
        ? sameLabel(draft, name)
        : [capabilityPart(draft, name)];
    case "views":
      return [
        { kind: "view", part: keyPathText(["views", name]), name, edits: [remove("views", name)] },
      ];
    case "values":
      return [
        {
          kind: "value",
          part: keyPathText(["values", name]),
          name,
          edits: [remove("values", name)],
        },
      ];
    case "entities":
      return entityParts(draft, fault, name, rest);
    default:
      return null;
  }
}

const overlayPart: FaultyPart = {
  kind: "schema_overlay",
  part: "schema_overlay",
  name: "schema_overlay",
  edits: [remove("schema_overlay")],
};

const KINDS: readonly CapabilityKind[] = [
  "query",
  "search",
  "get",
  "create",
  "update",
  "delete",
  "action",
];

const domainNode = ({ parts }: CatalogReading, path: KeyPath): YamlNode | null =>
  nodeAt(parts.domain.parsed.root, path);

function textAt(draft: CatalogReading, ...path: KeyPath): string | null {
  const node = domainNode(draft, path);
  return node?.kind === "text" ? node.value : null;
}

/** A capability is left out whole, with its mapping: a half of one would mean something else. */
function capabilityPart(draft: CatalogReading, name: string): FaultyPart {
  const entity = textAt(draft, "capabilities", name, "entity");
  const kind = textAt(draft, "capabilities", name, "kind");
  const of = entity === null ? {} : { entity, label: capabilityLabel(name, entity) };
  const does = KINDS.find((each) => each === (kind === "singleton" ? "get" : kind));
  return {
    kind: "capability",
    part: keyPathText(["capabilities", name]),
    name,
    ...of,
    ...(does === undefined ? {} : { does }),
    edits: [
      remove("capabilities", name),
      remove("oauth", "requirements", "capabilities", name),
      { file: "mappings", remove: [name] },
    ],
  };
}

/** All capabilities of one label on an entity: which of them is meant cannot be said (CAT-071). */
function sameLabel(draft: CatalogReading, name: string): readonly FaultyPart[] {
  const { capabilities } = draft.cgs;
  const found = capabilities.get(name);
  return [...capabilities.values()]
    .filter(({ entity, label }) => entity === found?.entity && label === found.label)
    .map((each) => capabilityPart(draft, each.name));
}

/** What requires scopes that cannot be read is left out, since they cannot be checked; nothing else may be wrong. */
function requirementParts(draft: CatalogReading, path: KeyPath): readonly FaultyPart[] | null {
  const [, section, kind, name] = path;
  if (section !== "requirements" || typeof name !== "string") return null;
  const edits = [remove("oauth", "requirements", kind ?? "", name)];
  if (kind === "capabilities" && domainNode(draft, ["capabilities", name]) !== null) {
    return [capabilityPart(draft, name)];
  }
  const [entity = "", relation = ""] = name.split(".");
  const isRelation = domainNode(draft, ["entities", entity, "relations", relation]) !== null;
  if (kind === "relations" && isRelation) return [relationPart(entity, relation)];
  return [
    {
      kind: "key",
      part: keyPathText(path.slice(0, 4)),
      name: keyPathText(path.slice(0, 4)),
      edits,
    },
  ];
}

function relationPart(entity: string, relation: string): FaultyPart {
  return {
    kind: "relation",
    part: keyPathText(["entities", entity, "relations", relation]),
    name: `${entity}.${relation}`,
    entity,
    label: relation,
    edits: [
      remove("entities", entity, "relations", relation),
      remove("oauth", "requirements", "relations", `${entity}.${relation}`),
    ],
  };
}

const keyPart = (...path: KeyPath): FaultyPart => {
  const text = keyPathText(path);
  return { kind: "key", part: text, name: text, edits: [{ file: "domain", remove: path }] };
};

function entityParts(
  draft: CatalogReading,
  { diagnostic }: Fault,
  entity: string,
  rest: KeyPath,
): readonly FaultyPart[] {
  const [key, name] = rest;
  if (diagnostic.code === "CAT043") {
    return [{ ...entityPart(entity), edits: [{ file: "domain", abstract: entity }] }];
  }
  if (key === "relations" && typeof name === "string") return [relationPart(entity, name)];
  if (key === "fields" && typeof name === "string") return fieldParts(draft, entity, name);
  if (key === "expression_aliases") return aliasParts(draft, entity, name);
  if (typeof key !== "string" || KEYS_OF_IDENTITY.includes(key)) return [entityPart(entity)];
  return [keyPart("entities", entity, key)];
}

function entityPart(entity: string): FaultyPart {
  const part = keyPathText(["entities", entity]);
  return { kind: "entity", part, name: entity, entity, edits: [remove("entities", entity)] };
}

/**
 * A field is left out with every effect that reads such rows first: what its request says may depend on the
 * field. A part of the key takes the entity with it.
 */
function fieldParts(draft: CatalogReading, entity: string, name: string): readonly FaultyPart[] {
  const found = draft.cgs.entities.get(entity);
  const isKey = found === undefined || [...keyParts(found), found.idField].includes(name);
  if (isKey) return [entityPart(entity)];
  const field: FaultyPart = {
    kind: "field",
    part: keyPathText(["entities", entity, "fields", name]),
    name: `${entity}.${name}`,
    entity,
    label: name,
    edits: [remove("entities", entity, "fields", name)],
  };
  const readers = readersByEntity(draft).get(entity) ?? new Set();
  return [field, ...[...readers].map((each) => capabilityPart(draft, each))];
}

const readersKnown = new WeakMap<CatalogReading, ReadonlyMap<string, ReadonlySet<string>>>();

/** The effects that read rows of an entity first, by it: found once for all fields that are at fault. */
function readersByEntity(draft: CatalogReading): ReadonlyMap<string, ReadonlySet<string>> {
  const known = readersKnown.get(draft);
  if (known !== undefined) return known;
  const { capabilities } = draft.cgs;
  const found = new Map<string, Set<string>>();
  for (const { name, preflight } of capabilities.values()) {
    for (const step of preflight) {
      for (const each of ["get", "query", "lookup"]) {
        const read = (step as Readonly<Record<string, unknown>>)[each];
        const entity = typeof read === "string" ? capabilities.get(read)?.entity : undefined;
        if (entity === undefined) continue;
        const readers = found.get(entity) ?? new Set();
        found.set(entity, readers.add(name));
      }
    }
  }
  readersKnown.set(draft, found);
  return found;
}

/** The aliases of every entity that has the one in question: whose it is cannot be said (CAT-042). */
function aliasParts(
  draft: CatalogReading,
  entity: string,
  at: string | number | undefined,
): readonly FaultyPart[] {
  const alias =
    at === undefined ? null : textAt(draft, "entities", entity, "expression_aliases", at);
  const owners = [...draft.cgs.entities.values()].filter(
    ({ name, aliases }) => name === entity || (alias !== null && aliases.includes(alias)),
  );
  return owners.map(({ name }) => keyPart("entities", name, "expression_aliases"));
}

/** The files without parts, as if they had never been written; places stay those of the text. */
export function withoutParts(files: CatalogFiles, parts: readonly FaultyPart[]): CatalogFiles {
  const { mappings } = files;
  const isOneFile = mappings?.parsed === files.domain;
  const domain = new EditedFile(files.domain.root);
  const own = new EditedFile(mappings?.parsed.root ?? null);
  for (const edit of parts.flatMap(({ edits }) => edits)) {
    if ("abstract" in edit) domain.setAbstract(edit.abstract);
    else if (edit.file === "domain") domain.remove(edit.remove);
    else if (isOneFile) domain.remove([...(mappings?.prefix ?? []), ...edit.remove]);
    else own.remove(edit.remove);
  }
  const renewed = (
    file: CatalogFiles["domain"],
    root: YamlNode | null,
  ): CatalogFiles["domain"] => ({
    ...file,
    root,
    reporter: createReporter(file.file, file.source),
  });
  const domainFile = renewed(files.domain, domain.root);
  const mappingsFile =
    mappings === null
      ? null
      : { ...mappings, parsed: isOneFile ? domainFile : renewed(mappings.parsed, own.root) };
  return { ...files, domain: domainFile, mappings: mappingsFile };
}

/** A map that is a copy of this edit alone. */
interface OwnMap extends YamlMap {
  readonly entries: Map<string, MapEntry>;
}

/** The nodes of a file that is changed at many places: each map is copied once, when it is first changed. */
class EditedFile {
  root: YamlNode | null;
  readonly #copies = new Set<YamlNode>();

  constructor(root: YamlNode | null) {
    this.root = root;
  }

  /** Removes what stands under a path, if anything does. */
  remove(path: KeyPath): void {
    const last = path.at(-1);
    const map = last === undefined ? null : this.#map(path.slice(0, -1));
    if (last !== undefined) map?.entries.delete(String(last));
  }

  /** Marks an entity as abstract. */
  setAbstract(entity: string): void {
    const map = this.#map(["entities", entity]);
    if (map === null) return;
    const { at } = map;
    const value: YamlNode = { kind: "boolean", value: true, at, size: 1, height: 1 };
    map.entries.set("abstract", { key: "abstract", keyAt: at, value });
  }

  /** The map under a path as one that may be changed; null where there is none, and nothing is copied. */
  #map(path: KeyPath): OwnMap | null {
    if (nodeAt(this.root, path)?.kind !== "map") return null;
    let map = this.#own(this.root);
    this.root = map;
    for (const step of path) {
      const entry = map?.entries.get(String(step));
      if (map === null || entry === undefined) return null;
      const value = this.#own(entry.value);
      if (value === null) return null;
      map.entries.set(entry.key, { ...entry, value });
      map = value;
    }
    return map;
  }

  #own(node: YamlNode | null): OwnMap | null {
    if (node?.kind !== "map") return null;
    if (this.#copies.has(node)) return node as OwnMap;
    const copy: OwnMap = { ...node, entries: new Map(node.entries) };
    this.#copies.add(copy);
    return copy;
  }
}

/** What is wrong with a part, in one line. */
export const faultText = ({ code, file, line, column, message }: CatalogDiagnostic): string =>
  `${code} at ${file}:${line}:${column}: ${message}`;
