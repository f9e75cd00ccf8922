import {
  isDocumentObject,
  type DocumentObject,
  listOf,
  memberOf,
  sortedEntries,
  textOf,
} from "../json.ts";
import { OpenApiError } from "../open-api-error.ts";
import { MOST_JSON, MOST_YAML, parseOpenApi, readsAsJson } from "./parse-document.ts";
import { NAME_KEY } from "./read-document.ts";
import { decoded, escaped, FILES_KEY, objectsIn, type Site } from "./references.ts";

/** Where the other files of a document are read from. */
export interface DocumentPlace {
  /** the first file's path from the directory that all of them are in, with `/` */
  readonly first: string;
  /** The text of a file by such a path; throws OpenApiError where there is none. Null where no other file may be read. */
  readonly read: ((path: string) => string) | null;
}

/** A document as one text, and the other files that it was made of, by their paths. */
export interface JoinedDocument {
  readonly text: string;
  readonly files: ReadonlyMap<string, string>;
}

const MOST_FILES = 5_000;
const LONGEST_CHAIN = 20;

const BUNDLE =
  "Bundle the document into one file first, for instance with npx @redocly/cli bundle openapi.yaml -o one.json.";

/** A file as it was read: what stands in it, changed in place. */
interface OpenFile {
  readonly path: string;
  readonly root: unknown;
}

/** The path that a reference names, from the directory of the first file; null for what is not below that. */
function pathNamed(from: string, written: string): string | null {
  const text = decoded(written).replaceAll("\\", "/");
  if (/^[a-z][a-z0-9+.-]*:|^\/|[?\p{C}]/iu.test(text)) return null;
  const path = from.split("/").slice(0, -1);
  for (const part of text.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") path.push(part);
    else if (path.pop() === undefined) return null;
  }
  return path.join("/");
}

/** What a pointer of a file leads to: that, or the first reference on the way; undefined if nothing. */
function placeAt(root: unknown, pointer: string): Site | undefined {
  let place = root;
  let key = "";
  for (const token of pointer.split("/").slice(1)) {
    if (isDocumentObject(place) && typeof memberOf(place, "$ref") === "string") break;
    key = decoded(token.replaceAll("~1", "/").replaceAll("~0", "~"));
    const has = typeof place === "object" && place !== null && Object.hasOwn(place, key);
    if (!has) return undefined;
    place = (place as DocumentObject)[key];
  }
  return { value: place, pointer, key };
}

/** The files of a document, each read once and within limits. */
function openFiles(text: string, { first, read }: DocumentPlace) {
  const texts = new Map<string, string>();
  const open = new Map<string, OpenFile>();
  let [size, yaml] = [0, 0];
  const add = (path: string, written: string): OpenFile => {
    size += written.length;
    if (!readsAsJson(written)) yaml += written.length;
    const [most, of] = size > MOST_JSON ? [MOST_JSON, ""] : [MOST_YAML, " of YAML"];
    if (size > MOST_JSON || yaml > MOST_YAML)
      throw new OpenApiError(
        `The document has files of more than ${most} characters${of}, the most that is read; ${path} is one of them. Bundle what is needed of it, as JSON.`,
      );
    const file = { path, root: parsed(path, written) };
    open.set(path, file);
    return file;
  };
  const root = add(first, text);
  /** Null where no other file may be read. */
  const get = (path: string): OpenFile | null => {
    const known = open.get(path);
    if (known !== undefined) return known;
    if (read === null) return null;
    if (open.size > MOST_FILES)
      throw new OpenApiError(
        `the document has more than ${MOST_FILES} files, the most that is read. ${BUNDLE}`,
      );
    const written = read(path);
    texts.set(path, written);
    return add(path, written);
  };
  return { root, get, texts };
}

function parsed(path: string, text: string): unknown {
  try {
    return parseOpenApi(text);
  } catch (thrown) {
    if (!(thrown instanceof OpenApiError)) throw thrown;
    throw new OpenApiError(`${path}: ${thrown.message}`, { cause: thrown });
  }
}

/** A schema that a reference led to, in another file than the first. */
interface Target {
  readonly path: string;
  readonly pointer: string;
  readonly value: DocumentObject;
}

/**
 * Follows every reference of the files that are reached, and makes it one of the joined document. One that leads to an
 * address, out of the directory or to what may not be read stays as it is: what needs it is left out of the catalog.
 */
function followAll(files: ReturnType<typeof openFiles>, first: string) {
  const seen = new Set<unknown>();
  const targets = new Map<unknown, Target>();
  let followed = 0;
  const open: { file: OpenFile; site: Site }[] = [
    { file: files.root, site: { value: files.root.root, pointer: "", key: "" } },
  ];
  const follow = (file: OpenFile, { value, pointer }: Site & { value: DocumentObject }): void => {
    const reference = textOf(memberOf(value, "$ref"));
    if (reference === undefined || (file.path === first && reference.startsWith("#"))) return;
    const refuse = (why: string): never => {
      throw new OpenApiError(
        `${file.path}#${pointer} refers to ${JSON.stringify(reference.slice(0, 200))}: ${why}`,
      );
    };
    const [written = "", ...rest] = reference.split("#");
    const named = written === "" ? file.path : pathNamed(file.path, written);
    if (named === null) return;
    const inside = rest.join("#");
    if (inside !== "" && !inside.startsWith("/"))
      return refuse(`"#${inside}" is not a pointer, which begins with #/.`);
    let target: OpenFile | null;
    try {
      target = files.get(named);
    } catch (thrown) {
      return refuse(thrown instanceof OpenApiError ? thrown.message : String(thrown));
    }
    if (target === null) return;
    const place = placeAt(target.root, inside);
    if (place === undefined) return refuse(`${target.path} has nothing at #${inside}.`);
    const isFirst = target.path === first;
    const base = isFirst ? "" : `/${FILES_KEY}/${encodeURIComponent(escaped(target.path))}`;
    Object.assign(value, { $ref: `#${base}${inside}` });
    followed += 1;
    if (isFirst) return;
    if (isDocumentObject(place.value) && !targets.has(place.value))
      targets.set(place.value, { path: target.path, pointer: inside, value: place.value });
    open.push({ file: target, site: place });
  };
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    for (const site of objectsIn(one.site, seen)) follow(one.file, site);
  }
  return { targets: [...targets.values()], followed };
}

const isSchema = (value: DocumentObject): boolean =>
  memberOf(value, "in") === undefined &&
  memberOf(value, "$ref") === undefined &&
  (typeof memberOf(value, "type") === "string" ||
    Array.isArray(memberOf(value, "type")) ||
    isDocumentObject(memberOf(value, "properties")) ||
    ["allOf", "oneOf", "anyOf"].some((key) => Array.isArray(memberOf(value, key))));

/** Words of a file that say that it holds schemas, and not of what. */
const GENERIC = /^(?:index|_index|schemas?|models?|definitions?|types?|response|request)$/i;

/** What a schema of a file is called: by the end of its pointer, else by its file, with its directory where that is taken. */
function nameOf({ path, pointer }: Target, taken: ReadonlySet<string>): string {
  const parts = path.split("/");
  const [stem = ""] = (parts.pop() ?? "").split(".");
  const directory = parts.pop() ?? "";
  const token = pointer.split("/").at(-1) ?? "";
  const own = /[a-z]/i.test(token) ? decoded(token) : GENERIC.test(stem) ? directory : stem;
  const names = [own || stem, `${directory}_${stem}`, `${directory}_${own}`];
  const free = names.find((name) => name !== "" && !taken.has(name.toLowerCase()));
  if (free !== undefined) return free;
  for (let count = 2; ; count += 1)
    if (!taken.has(`${own}_${count}`.toLowerCase())) return `${own}_${count}`;
}

/** Notes what schemas of other files are called: as components call them, else by where they stand. */
function noteNames(root: DocumentObject, targets: readonly Target[]): void {
  const components = memberOf(memberOf(root, "components"), "schemas");
  const named = [...sortedEntries(components), ...sortedEntries(memberOf(root, "definitions"))];
  const taken = new Set(named.map(([name]) => name.toLowerCase()));
  const note = (schema: DocumentObject, name: string): void => {
    if (!isSchema(schema) || Object.hasOwn(schema, NAME_KEY)) return;
    Object.assign(schema, { [NAME_KEY]: name });
    taken.add(name.toLowerCase());
  };
  for (const [name, component] of named) {
    const target = isDocumentObject(component) ? chased(root, component) : component;
    if (isDocumentObject(target) && target !== component) note(target, name);
  }
  const sorted = targets.toSorted((a, b) =>
    `${a.path}#${a.pointer}` < `${b.path}#${b.pointer}` ? -1 : 1,
  );
  for (const target of sorted)
    if (isSchema(target.value)) note(target.value, nameOf(target, taken));
}

/** What a chain of references of the joined document leads to. */
function chased(root: DocumentObject, reference: DocumentObject): unknown {
  let place: unknown = reference;
  for (let step = 0; step < LONGEST_CHAIN; step += 1) {
    const ref = textOf(memberOf(place, "$ref"));
    if (ref?.startsWith("#") !== true) return place;
    place = placeAt(root, ref.slice(1))?.value;
  }
  return undefined;
}

/**
 * Puts paths, parameters and answers of other files in their places: what makes OpenAPI 3 of Swagger 2.0 looks for
 * them there.
 */
function settleSwagger(root: DocumentObject): void {
  let size = 0;
  const settle = (holder: unknown, key: string | number): void => {
    const value = (holder as DocumentObject)[key];
    if (!textOf(memberOf(value, "$ref"))?.startsWith(`#/${FILES_KEY}/`)) return;
    const found = chased(root, value as DocumentObject);
    if (!isDocumentObject(found)) return;
    const text = JSON.stringify(found);
    size += text.length;
    if (size > MOST_JSON)
      throw new OpenApiError(
        `The document has more than ${MOST_JSON} characters once its parts stand in their places. Convert it to OpenAPI 3 first.`,
      );
    Object.assign(holder as object, { [key]: JSON.parse(text) as unknown });
  };
  const settleAll = (holder: unknown): void => {
    if (typeof holder === "object" && holder !== null)
      for (const key of Object.keys(holder)) settle(holder, key);
  };
  const [paths, parameters] = [memberOf(root, "paths"), memberOf(root, "parameters")];
  for (const all of [paths, parameters, memberOf(root, "responses")]) settleAll(all);
  for (const [, item] of sortedEntries(paths)) {
    settleAll(listOf(memberOf(item, "parameters")));
    for (const [, operation] of sortedEntries(item)) {
      settleAll(listOf(memberOf(operation, "parameters")));
      settleAll(memberOf(operation, "responses"));
    }
  }
}

/** Whether a text may refer to another file: a look that spares reading most documents twice. Paths may end in `$ref`. */
const MAY_REFER = /(?<!\/)\$ref["']?\s*:\s*(?:["']\s*)?[^\s"'#{]/;

/**
 * Makes one document of one whose references lead to other files of its directory and below. Only those that it
 * refers to are read, each once; what leads elsewhere stays as it is. The text of a document of one file, and of what is
 * no OpenAPI document, stays as it is. Throws OpenApiError, which names the place, what stands there and what to do.
 */
export function joinDocumentFiles(text: string, place: DocumentPlace): JoinedDocument {
  const alone: JoinedDocument = { text, files: new Map() };
  if (!MAY_REFER.test(text) || text.length > MOST_JSON || !isOpenApi(text)) return alone;
  const files = openFiles(text, place);
  const root = files.root.root;
  if (!isDocumentObject(root) || !["openapi", "swagger"].some((key) => Object.hasOwn(root, key)))
    return alone;
  const { targets, followed } = followAll(files, place.first);
  if (followed === 0) return alone;
  const others = Object.fromEntries(
    [...files.texts.keys()].toSorted().map((path) => [path, files.get(path)?.root]),
  );
  const whole = { ...root, [FILES_KEY]: others };
  noteNames(whole, targets);
  try {
    if (memberOf(root, "swagger") !== undefined) settleSwagger(whole);
    return { text: JSON.stringify(whole), files: files.texts };
  } catch (thrown) {
    if (thrown instanceof OpenApiError) throw thrown;
    throw new OpenApiError(
      "The files of the document lead back to themselves by aliases, or have too many levels: give them with references in place of aliases, and less deep.",
      { cause: thrown },
    );
  }
}

/** Whether it says so: others' references are no concern of this. What cannot be read is told by who reads it. */
const isOpenApi = (text: string): boolean =>
  /(?:^|[\s{,"'])(?:openapi|swagger)["']?\s*:/.test(text.slice(0, 100_000));
