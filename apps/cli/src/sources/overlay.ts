import { beyondYamlLimits, readYaml } from "@plasm/core/internal";
import { type Document, isMap } from "yaml";
import { usageError } from "../cli-error.ts";
import { isJsonObject } from "../workspace/json-file.ts";
import {
  CatalogEditing,
  describePlace,
  hidePlace,
  type ImportedFiles,
  type NamedThing,
} from "./catalog-editing.ts";
import { documentText } from "./merge-yaml.ts";
import { renamePlace } from "./rename-place.ts";

/** The text of an overlay, and what messages call it. */
export interface OverlayText {
  readonly name: string;
  readonly text: string;
}

/**
 * What a person says about a catalog that is generated. Names are those that the document makes: `Boat`,
 * `Boat.length`, `boat_query`, `boat_query.state`.
 */
interface Overlay {
  readonly rename: ReadonlyMap<string, string>;
  readonly hide: readonly string[];
  readonly rare: readonly string[];
  readonly describe: ReadonlyMap<string, string>;
  /** merged into the files: objects by key, null takes out (RFC 7396) */
  readonly domain: Readonly<Record<string, unknown>>;
  readonly mappings: Readonly<Record<string, unknown>>;
}

const KEYS = ["version", "rename", "hide", "rare", "describe", "domain", "mappings"];
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** What people write by hand; the library looks for a key twice by the square of a map's keys. */
const MOST = { tokens: 100_000, nodes: 10_000, depth: 100 };

/** The value of a YAML text. */
function yamlOf(text: string, wrong: (what: string) => never): unknown {
  const beyond = beyondYamlLimits(text, MOST);
  if (beyond !== null) return wrong(`it goes beyond the limit of ${beyond.what}: take some out.`);
  const { document, faults } = readYaml(text, { logLevel: "silent" });
  const [fault] = faults;
  if (document === null || fault !== undefined)
    return wrong(fault?.message.split("\n")[0] ?? "it is not YAML.");
  try {
    return document.toJS();
  } catch (thrown) {
    // An alias without its anchor, or aliases that multiply.
    return wrong(thrown instanceof Error ? thrown.message : String(thrown));
  }
}

function readOverlay({ name, text }: OverlayText): Overlay {
  const wrong = (what: string): never => {
    throw usageError(`${name}: ${what}`);
  };
  const value = yamlOf(text, wrong);
  if (!isJsonObject(value)) return wrong(`it is not a map. Allowed keys: ${KEYS.join(", ")}.`);
  const strange = Object.keys(value).find((key) => !KEYS.includes(key));
  if (strange !== undefined)
    return wrong(`${strange} is not a key of an overlay. Allowed: ${KEYS.join(", ")}.`);
  if (value["version"] !== 1) return wrong("version has to be 1.");
  const texts = (key: string): ReadonlyMap<string, string> => {
    const found = value[key] ?? {};
    if (!isJsonObject(found) || !Object.values(found).every((one) => typeof one === "string"))
      return wrong(`${key} is a map from names to texts, as in ${key}: { ENTITY: … }.`);
    return new Map(Object.entries(found) as [string, string][]);
  };
  const names = (key: string, example: string): readonly string[] => {
    const found = value[key] ?? [];
    if (!Array.isArray(found) || !found.every((one) => typeof one === "string"))
      return wrong(`${key} is a list of names, as in ${key}: [${example}].`);
    return found as readonly string[];
  };
  const patch = (key: string): Readonly<Record<string, unknown>> => {
    const found = value[key] ?? {};
    return isJsonObject(found) ? found : wrong(`${key} is a map, in the form of ${key}.yaml.`);
  };
  const rename = texts("rename");
  for (const [from, to] of rename) {
    if (!NAME.test(to))
      wrong(`rename: ${from} to ${JSON.stringify(to)}: a name is letters, digits and _.`);
  }
  return {
    rename,
    hide: names("hide", "ENTITY.FIELD, CAPABILITY"),
    rare: names("rare", "CAPABILITY.PARAMETER, ENTITY.FIELD, CAPABILITY"),
    describe: texts("describe"),
    domain: patch("domain"),
    mappings: patch("mappings"),
  };
}

/** Sets what a patch has: members of objects one by one, null takes a member out (RFC 7396). */
function patch(
  document: Document.Parsed,
  path: readonly string[],
  value: Readonly<Record<string, unknown>>,
): void {
  // The members of what a field was are not those of what it is.
  const isOther = "path" in value || "value_ref" in value;
  if (isOther && !("description" in value)) withoutMembers(document, [...path, "description"]);
  for (const [key, one] of Object.entries(value)) {
    const at = [...path, key];
    if (one === null) document.deleteIn(at);
    else if (isJsonObject(one) && isMap(document.getIn(at, true))) patch(document, at, one);
    else document.setIn(at, document.createNode(one));
  }
}

/** Takes the members of JSON that an import named out of a description: `{ports, protocol}`. */
function withoutMembers(document: Document.Parsed, at: readonly string[]): void {
  const said = document.getIn(at);
  if (typeof said !== "string" || !/\{[^{}]*\}$/.test(said)) return;
  const rest = said.replace(/(?:: )?\{[^{}]*\}$/, "");
  if (rest === "") document.deleteIn(at);
  else document.setIn(at, rest);
}

/** The relation that gives a parameter the key of its rows, or null. */
function boundBy(editing: CatalogEditing, capability: string, parameter: string): string | null {
  for (const entity of editing.names("entities")) {
    for (const relation of editing.names("entities", entity, "relations")) {
      const at = ["entities", entity, "relations", relation, "materialize"];
      const read = editing.map(...at);
      if (read?.get("capability") !== capability) continue;
      if (read.get("param") === parameter) return `${entity}.${relation}`;
      if (editing.names(...at, "bindings").includes(parameter)) return `${entity}.${relation}`;
    }
  }
  return null;
}

/** Leaves something out of tables until somebody asks for detail. Throws CliError for what tables cannot do without. */
function markRare(editing: CatalogEditing, place: NamedThing, name: string): void {
  if (place.kind === "capability")
    return editing.domain.setIn(["capabilities", name, "detail"], true);
  if (place.kind === "field") {
    if (editing.isKeyPart(place.entity, place.name))
      editing.wrong(`rare: ${name} is a part of the key of its rows, and is taught.`);
    return editing.domain.setIn(["entities", place.entity, "fields", place.name, "detail"], true);
  }
  if (place.kind !== "parameter")
    return editing.wrong(`rare: ${name} is no parameter, field or capability.`);
  const found = editing.parameters(place.capability).find((one) => one.get("name") === place.name);
  if (found?.get("required") === true) editing.wrong(`rare: ${name} is required, and is taught.`);
  if (found?.get("role") === "scope")
    editing.wrong(`rare: ${name} says whose rows a list has, and is taught.`);
  const bound = boundBy(editing, place.capability, place.name);
  if (bound !== null)
    editing.wrong(`rare: ${name} is what ${bound} reads its rows by, and is taught.`);
  found?.set("detail", true);
}

/** What is within something else goes first: its names are those of before. */
const depth = ({ kind }: NamedThing): number =>
  kind === "entity" ? 2 : kind === "capability" ? 1 : 0;

/**
 * Applies an overlay to a catalog that a document made: corrects, describes, marks, hides, renames, in this order, all by
 * the names that the document makes. Throws CliError for a name that it does not make: what was to be hidden must
 * not come back under another name unnoticed.
 */
export function applyImportOverlay(files: ImportedFiles, text: OverlayText): ImportedFiles {
  const overlay = readOverlay(text);
  const editing = new CatalogEditing(files, text.name);
  patch(editing.domain, [], overlay.domain);
  patch(editing.mappings, [], overlay.mappings);
  const all = (key: string, names: Iterable<string>): readonly NamedThing[] =>
    [...names].map((name) => editing.place(key, name));
  const described = all("describe", overlay.describe.keys());
  const rare = all("rare", overlay.rare);
  const hidden = all("hide", overlay.hide);
  const renamed = [...overlay.rename].map(
    ([name, to]) => [editing.place("rename", name), to] as const,
  );
  described.forEach((place, at) => {
    describePlace(editing, place, [...overlay.describe.values()][at] ?? "");
  });
  rare.forEach((place, at) => markRare(editing, place, overlay.rare[at] ?? ""));
  for (const place of hidden.toSorted((a, b) => depth(a) - depth(b))) hidePlace(editing, place);
  for (const [place, to] of renamed.toSorted(([a], [b]) => depth(a) - depth(b)))
    renamePlace(editing, place, to);
  return { domain: documentText(editing.domain), mappings: documentText(editing.mappings) };
}
