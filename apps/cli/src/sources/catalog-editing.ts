import type { CatalogFromDocument } from "@plasm/importers";
import { nearestName } from "@plasm/core/internal";
import { type Document, isMap, isScalar, isSeq, parseDocument, visit, type YAMLMap } from "yaml";
import { usageError } from "../cli-error.ts";

/** The two texts of a catalog. */
export type ImportedFiles = Pick<CatalogFromDocument, "domain" | "mappings">;

/** What a name that people write means in a catalog. */
export type NamedThing =
  | { readonly kind: "entity" | "capability"; readonly name: string }
  | { readonly kind: "field" | "relation"; readonly entity: string; readonly name: string }
  | { readonly kind: "parameter"; readonly capability: string; readonly name: string };

/** A catalog whose files are changed in place: comments stay. */
export class CatalogEditing {
  readonly domain: Document.Parsed;
  readonly mappings: Document.Parsed;
  readonly #file: string;

  constructor(files: ImportedFiles, file: string) {
    this.domain = parseDocument(files.domain, { logLevel: "silent" });
    this.mappings = parseDocument(files.mappings, { logLevel: "silent" });
    this.#file = file;
  }

  map(...path: readonly string[]): YAMLMap | null {
    const node = this.domain.getIn(path, true);
    return isMap(node) ? node : null;
  }

  names(...path: readonly string[]): readonly string[] {
    return (this.map(...path)?.items ?? []).map(({ key }) =>
      String(isScalar(key) ? key.value : key),
    );
  }

  parameters(capability: string): readonly YAMLMap[] {
    const node = this.domain.getIn(["capabilities", capability, "parameters"], true);
    return isSeq(node) ? node.items.filter((item) => isMap(item)) : [];
  }

  isKeyPart(entity: string, field: string): boolean {
    const keys = this.domain.getIn(["entities", entity, "key_vars"], true);
    const isPart = isSeq(keys) && keys.items.some((one) => isScalar(one) && one.value === field);
    return isPart || this.domain.getIn(["entities", entity, "id_field"]) === field;
  }

  entityOf(capability: string): string {
    const name = this.domain.getIn(["capabilities", capability, "entity"]);
    return typeof name === "string" ? name : "";
  }

  /** The capabilities of an entity. */
  of(entity: string): readonly string[] {
    return this.names("capabilities").filter((name) => this.entityOf(name) === entity);
  }

  #all(): readonly string[] {
    const entities = this.names("entities");
    const capabilities = this.names("capabilities");
    return [
      ...entities,
      ...capabilities,
      ...entities.flatMap((one) =>
        ["fields", "relations"].flatMap((key) =>
          this.names("entities", one, key).map((name) => `${one}.${name}`),
        ),
      ),
      ...capabilities.flatMap((one) =>
        this.parameters(one).map((parameter) => `${one}.${String(parameter.get("name"))}`),
      ),
    ];
  }

  /** What a name means; throws CliError for what the document does not make. */
  place(key: string, name: string): NamedThing {
    const [head = "", tail, more] = name.split(".");
    if (more === undefined && tail === undefined) {
      if (this.names("entities").includes(head)) return { kind: "entity", name: head };
      if (this.names("capabilities").includes(head)) return { kind: "capability", name: head };
    }
    if (more === undefined && tail !== undefined) {
      for (const kind of ["field", "relation"] as const) {
        if (this.names("entities", head, `${kind}s`).includes(tail))
          return { kind, entity: head, name: tail };
      }
      if (this.parameters(head).some((one) => one.get("name") === tail))
        return { kind: "parameter", capability: head, name: tail };
    }
    const all = this.#all();
    const nearest = nearestName(name, all);
    const alike = all.filter((one) => one.toLowerCase().includes((tail ?? head).toLowerCase()));
    const near = nearest === null ? alike.slice(0, 5) : [nearest];
    const hint = near.length === 0 ? "" : ` There is ${near.join(", ")}.`;
    throw usageError(
      `${this.#file}: ${key}: the document makes nothing of the name ${name}.${hint} plasm catalog init shows all.`,
    );
  }

  wrong(what: string): never {
    throw usageError(`${this.#file}: ${what}`);
  }
}

/** Gives what a name means a description. */
export function describePlace(editing: CatalogEditing, place: NamedThing, text: string): void {
  const { domain } = editing;
  switch (place.kind) {
    case "entity":
      return domain.setIn(["entities", place.name, "description"], text);
    case "capability":
      return domain.setIn(["capabilities", place.name, "description"], text);
    case "field":
    case "relation":
      return domain.setIn(
        ["entities", place.entity, `${place.kind}s`, place.name, "description"],
        text,
      );
    case "parameter":
      editing
        .parameters(place.capability)
        .find((one) => one.get("name") === place.name)
        ?.set("description", text);
  }
}

/** Takes a key out of a map, and the map out of what it stands in where it was the last one. */
function withoutKey(editing: CatalogEditing, path: readonly string[], name: string): void {
  const map = editing.map(...path);
  map?.delete(name);
  if (map?.items.length === 0) editing.domain.deleteIn(path);
}

/** Takes a column out of what an entity's capabilities answer, sort by and leave out. */
function withoutProvided(editing: CatalogEditing, entity: string, name: string): void {
  for (const capability of editing.of(entity)) {
    const at = ["capabilities", capability];
    withoutKey(editing, [...at, "lists_only"], name);
    const sorts = editing.names(...at, "sort", "columns");
    if (sorts.length === 1 && sorts[0] === name) editing.domain.deleteIn([...at, "sort"]);
    else withoutKey(editing, [...at, "sort", "columns"], name);
    const provides = editing.domain.getIn(["capabilities", capability, "provides"], true);
    if (!isSeq(provides)) continue;
    provides.items = provides.items.filter((one) => !isScalar(one) || one.value !== name);
  }
}

function hideCapability(editing: CatalogEditing, name: string): void {
  const { domain, mappings } = editing;
  domain.deleteIn(["capabilities", name]);
  mappings.delete(name);
  for (const entity of editing.names("entities")) {
    for (const key of ["primary_read", "primary_query", "primary_search"]) {
      if (domain.getIn(["entities", entity, key]) === name)
        domain.deleteIn(["entities", entity, key]);
    }
    for (const relation of editing.names("entities", entity, "relations")) {
      const at = ["entities", entity, "relations", relation];
      if (domain.getIn([...at, "materialize", "capability"]) === name) domain.deleteIn(at);
    }
    if (editing.of(entity).length === 0) domain.setIn(["entities", entity, "abstract"], true);
  }
}

/** Takes out what a name means, and what needs it. Throws CliError for keys and what is required. */
export function hidePlace(editing: CatalogEditing, place: NamedThing): void {
  const { domain } = editing;
  switch (place.kind) {
    case "capability":
      return hideCapability(editing, place.name);
    case "entity": {
      // Rows of it may stand in answers of others: it is nobody's to ask for.
      for (const capability of editing.of(place.name)) hideCapability(editing, capability);
      for (const entity of editing.names("entities")) {
        for (const relation of editing.names("entities", entity, "relations")) {
          const at = ["entities", entity, "relations", relation];
          if (domain.getIn([...at, "target"]) === place.name) domain.deleteIn(at);
        }
      }
      return domain.setIn(["entities", place.name, "abstract"], true);
    }
    case "field": {
      const at = ["entities", place.entity];
      if (editing.isKeyPart(place.entity, place.name))
        editing.wrong(`hide: ${place.entity}.${place.name} is the key of its rows, and stays.`);
      domain.deleteIn([...at, "fields", place.name]);
      return withoutProvided(editing, place.entity, place.name);
    }
    case "relation":
      domain.deleteIn(["entities", place.entity, "relations", place.name]);
      return withoutProvided(editing, place.entity, place.name);
    case "parameter": {
      const list = domain.getIn(["capabilities", place.capability, "parameters"], true);
      const found = editing
        .parameters(place.capability)
        .find((one) => one.get("name") === place.name);
      if (found?.get("required") === true)
        editing.wrong(`hide: ${place.capability}.${place.name} is required, and stays.`);
      if (isSeq(list)) list.items = list.items.filter((one) => one !== found);
      return dropVariable(editing.mappings, place.capability, place.name);
    }
  }
}

/** Takes out of a mapping what only a parameter that is gone would fill. */
function dropVariable(mappings: Document.Parsed, capability: string, name: string): void {
  const isVariable = (node: unknown): boolean =>
    isMap(node) && node.get("type") === "var" && node.get("name") === name;
  visit(mappings.get(capability, true) as never, {
    Seq: (_, list) => {
      list.items = list.items.filter((item) => !(isSeq(item) && isVariable(item.items[1])));
    },
  });
}
