import { isMap, isPair, isScalar, isSeq, type Pair, visit, type YAMLMap } from "yaml";
import type { CatalogEditing, NamedThing } from "./catalog-editing.ts";

/** Renames keys of a map, in their place. */
function renameKey(map: YAMLMap | null, from: string, to: string): void {
  const pair = map?.items.find(({ key }) => isScalar(key) && key.value === from);
  if (pair !== undefined && isScalar(pair.key)) pair.key.value = to;
}

/** Renames each scalar that stands under one of these keys. */
function renameUnder(node: unknown, keys: ReadonlySet<string>, from: string, to: string): void {
  visit(node as never, {
    Pair: (_, pair: Pair) => {
      const key = isScalar(pair.key) ? String(pair.key.value) : "";
      if (keys.has(key) && isScalar(pair.value) && pair.value.value === from) pair.value.value = to;
    },
  });
}

const TARGETS = new Set(["target", "entity", "entity_type"]);
const CAPABILITIES = new Set(["capability", "primary_read", "primary_query", "primary_search"]);

/** `pull_request_` of `pull_request_merge` and PullRequest; empty if the name begins otherwise. */
function prefixOf(name: string, entity: string): string {
  const letters = entity.toLowerCase().replaceAll("_", "");
  let [at, seen] = [0, ""];
  while (at < name.length && seen.length < letters.length) {
    if (name[at] !== "_") seen += name[at];
    at += 1;
  }
  return seen === letters && name[at] === "_" ? name.slice(0, at + 1) : "";
}

const snake = (name: string): string =>
  name.replaceAll(/([a-z0-9])(?=[A-Z])|([A-Z])(?=[A-Z][a-z])/g, "$1$2_").toLowerCase();

function renameVariable(
  editing: CatalogEditing,
  capability: string,
  from: string,
  to: string,
): void {
  const declared = editing.parameters(capability).some((one) => one.get("name") === from);
  if (declared) return;
  visit(editing.mappings.get(capability, true) as never, {
    Map: (_, map) => {
      if (map.get("type") === "var" && map.get("name") === from) map.set("name", to);
      if (map.get("type") === "exists" && map.get("var") === from) map.set("var", to);
    },
  });
}

function renameCapability(editing: CatalogEditing, from: string, to: string): void {
  if (editing.names("capabilities").includes(to))
    editing.wrong(`rename: ${from} to ${to}: ${to} is there already.`);
  renameKey(editing.map("capabilities"), from, to);
  const { contents } = editing.mappings;
  renameKey(isMap(contents) ? contents : null, from, to);
  renameUnder(editing.map("entities"), CAPABILITIES, from, to);
}

function renameEntity(editing: CatalogEditing, from: string, to: string): void {
  if (editing.names("entities").includes(to))
    editing.wrong(`rename: ${from} to ${to}: ${to} is there already.`);
  for (const capability of editing.of(from)) {
    const prefix = prefixOf(capability, from);
    if (prefix === "") continue;
    const keys = editing.names("entities", from, "fields").map((name) => `${prefix}${name}`);
    for (const key of keys)
      renameVariable(editing, capability, key, `${snake(to)}_${key.slice(prefix.length)}`);
    renameCapability(editing, capability, `${snake(to)}_${capability.slice(prefix.length)}`);
  }
  renameKey(editing.map("entities"), from, to);
  for (const key of ["values", "entities", "capabilities"])
    renameUnder(editing.map(key), TARGETS, from, to);
}

function renameField(editing: CatalogEditing, entity: string, from: string, to: string): void {
  const at = ["entities", entity];
  const { domain } = editing;
  if (["fields", "relations"].some((key) => editing.names(...at, key).includes(to)))
    editing.wrong(`rename: ${entity}.${from} to ${to}: ${to} is there already.`);
  const field = editing.map(...at, "fields", from);
  if (field !== null && !field.has("path"))
    field.set("path", domain.createNode([from], { flow: true }));
  renameKey(editing.map(...at, "fields"), from, to);
  const rename = (node: unknown): void => {
    if (isScalar(node) && node.value === from) node.value = to;
  };
  rename(domain.getIn([...at, "id_field"], true));
  const keys = domain.getIn([...at, "key_vars"], true);
  if (isSeq(keys)) keys.items.forEach(rename);
  for (const relation of editing.names(...at, "relations")) {
    const bindings = editing.map(...at, "relations", relation, "materialize", "bindings");
    for (const pair of bindings?.items ?? []) if (isPair(pair)) rename(pair.value);
  }
  renameProvided(editing, entity, from, to);
  for (const capability of editing.of(entity)) {
    const prefix = prefixOf(capability, entity);
    renameVariable(editing, capability, from, to);
    renameVariable(editing, capability, `${prefix}${from}`, `${prefix}${to}`);
  }
}

/** Renames a column where its capabilities name it: what they answer, how they sort, what they leave out. */
function renameProvided(editing: CatalogEditing, entity: string, from: string, to: string): void {
  for (const capability of editing.of(entity)) {
    renameKey(editing.map("capabilities", capability, "lists_only"), from, to);
    renameKey(editing.map("capabilities", capability, "sort", "columns"), from, to);
    const provides = editing.domain.getIn(["capabilities", capability, "provides"], true);
    if (!isSeq(provides)) continue;
    for (const one of provides.items) if (isScalar(one) && one.value === from) one.value = to;
  }
}

function renameParameter(
  editing: CatalogEditing,
  capability: string,
  from: string,
  to: string,
): void {
  const all = editing.parameters(capability);
  if (all.some((one) => one.get("name") === to))
    editing.wrong(`rename: ${capability}.${from} to ${to}: ${to} is there already.`);
  all.find((one) => one.get("name") === from)?.set("name", to);
  renameVariable(editing, capability, from, to);
  for (const entity of editing.names("entities")) {
    for (const relation of editing.names("entities", entity, "relations")) {
      const read = editing.map("entities", entity, "relations", relation, "materialize");
      if (read?.get("capability") !== capability) continue;
      renameUnder(read, new Set(["param"]), from, to);
      const bindings = read.get("bindings", true);
      if (isMap(bindings)) renameKey(bindings, from, to);
    }
  }
}

/** Renames what a name means, wherever the catalog says it. Throws CliError for a name that is there already. */
export function renamePlace(editing: CatalogEditing, place: NamedThing, to: string): void {
  switch (place.kind) {
    case "entity":
      return renameEntity(editing, place.name, to);
    case "capability":
      return renameCapability(editing, place.name, to);
    case "field":
      return renameField(editing, place.entity, place.name, to);
    case "relation":
      renameKey(editing.map("entities", place.entity, "relations"), place.name, to);
      return renameProvided(editing, place.entity, place.name, to);
    case "parameter":
      return renameParameter(editing, place.capability, place.name, to);
  }
}
