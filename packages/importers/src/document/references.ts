import { groupBy } from "../group-by.ts";
import {
  compareText,
  isDocumentObject,
  type DocumentObject,
  listOf,
  memberOf,
  sortedEntries,
  textOf,
} from "../json.ts";

/** A value in a document, and where. */
export interface Site {
  readonly value: unknown;
  readonly pointer: string;
  /** the member that holds it */
  readonly key: string;
}

/** Members that hold data or text, in which `$ref` refers to nothing that is read here. */
const DATA = new Set(["example", "examples", "default", "const", "enum", "description"]);
/** Members whose own members have names that a person chose. */
const NAMED = new Set(
  `properties patternProperties dependentSchemas schemas definitions $defs responses parameters requestBodies headers
  paths pathItems links callbacks securitySchemes`.split(/\s+/),
);

const isLiteral = (key: string, holder: string): boolean =>
  !NAMED.has(holder) && (DATA.has(key) || key.startsWith("x-"));

/** Where the other files of a document stand that was joined. */
export const FILES_KEY = "x-plasm-files";

/** A part of a reference without the signs that addresses take in its place. */
export const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** A name as a part of a JSON pointer. */
export const escaped = (token: string): string => token.replaceAll("~", "~0").replaceAll("/", "~1");

/** Every object in a part of a document that is not data, with where it is. */
export function* objectsIn(
  start: Site,
  seen: Set<unknown>,
): Generator<Site & { value: DocumentObject }> {
  const open: Site[] = [start];
  for (let site = open.pop(); site !== undefined; site = open.pop()) {
    const { value, pointer, key: holder } = site;
    if (typeof value !== "object" || value === null || seen.has(value)) continue;
    seen.add(value);
    if (isDocumentObject(value)) yield { ...site, value };
    for (const [key, inner] of Object.entries(value)) {
      if (typeof inner !== "object" || inner === null || isLiteral(key, holder)) continue;
      open.push({ value: inner, pointer: `${pointer}/${escaped(key)}`, key });
    }
  }
}

/** Where a reference leads that leaves its document; undefined for what is no such reference. */
export function foreignReference(value: unknown): string | undefined {
  const reference = textOf(memberOf(value, "$ref"));
  return reference === undefined || reference.startsWith("#") ? undefined : reference;
}

/** A foreign reference, as what is left out because of it names it. */
export const notRead = (reference: string): string =>
  `stands in ${JSON.stringify(reference.slice(0, 200))}, which is not read`;

const DEEPEST = 50;

/** What was found of each schema: documents share few schemas among many places. */
const known = [new WeakMap<object, string | null>(), new WeakMap<object, string | null>()] as const;

/** Looks through a schema once; one that is made of itself has nothing more to say. */
function lookThrough(
  schema: unknown,
  demands: boolean,
  depth: number,
  look: (one: DocumentObject) => string | null,
): string | null {
  const own = foreignReference(schema);
  if (own !== undefined || !isDocumentObject(schema) || depth > DEEPEST) return own ?? null;
  const found = known[demands ? 1 : 0];
  const before = found.get(schema);
  if (before !== undefined) return before;
  found.set(schema, null);
  const fresh = look(schema);
  found.set(schema, fresh);
  return fresh;
}

/**
 * The foreign reference without which nothing is known of what a schema holds: its own, that of the items of a list, or
 * those of all that it is made of; null if there is none.
 */
export const foreignSchema = (schema: unknown, depth = 0): string | null =>
  lookThrough(schema, false, depth, (own) => {
    if (memberOf(own, "properties") !== undefined) return null;
    const items = memberOf(own, "items");
    if (items !== undefined) return foreignSchema(items, depth + 1);
    const parts = ["allOf", "oneOf", "anyOf"].flatMap((key) => listOf(memberOf(own, key)));
    const foreign = parts.map((one) => foreignSchema(one, depth + 1));
    return foreign.every((one) => one !== null) ? (foreign[0] ?? null) : null;
  });

/** The same of a schema by which a body is written: each part and each demanded member counts. */
export const foreignDemand = (schema: unknown, depth = 0): string | null =>
  lookThrough(schema, true, depth, (own) => {
    const whole = foreignSchema(own);
    if (whole !== null) return whole;
    const properties = memberOf(own, "properties");
    const members = listOf(memberOf(own, "required")).map((name) =>
      memberOf(properties, String(name)),
    );
    for (const one of [...members, ...listOf(memberOf(own, "allOf"))]) {
      const found = foreignDemand(one, depth + 1);
      if (found !== null) return found;
    }
    return null;
  });

/** Why a reference is not followed, by how it is written: the first that fits. */
const REASONS: readonly (readonly [RegExp, (files: string) => string])[] = [
  [
    /^(?:https?:)?\/\//i,
    (files) => `to addresses: nothing is fetched that was not asked for (${files})`,
  ],
  [
    /^[a-z][a-z0-9+.-]*:|^\/|[?\p{C}]/iu,
    (files) => `to what is not a path from its own file, and is not read (${files})`,
  ],
  [
    /^/,
    (files) =>
      `to other files, which are not read: only those below the directory of a document that is a file are (${files})`,
  ],
];

const MOST_FIELDS = 20;
const BUNDLE =
  "Bundle the document into one file first: npx @redocly/cli bundle openapi.yaml -o one.json";

/** The files of some references, the first three by name. */
function filesOf(references: readonly string[]): string {
  const files = [...new Set(references.map((one) => one.split("#", 1)[0] ?? ""))].toSorted();
  const more = files.length > 3 ? ` and ${files.length - 3} more` : "";
  return `${files
    .slice(0, 3)
    .map((file) => file.slice(0, 50))
    .join(", ")}${more}`;
}

const counted = (count: number): string => (count === 1 ? "1 reference" : `${count} references`);

/** A reference that leaves its document, and where it stands. */
interface ForeignSite {
  readonly reference: string;
  readonly pointer: string;
}

/** Those in a file of a document that are not in data. A file is a tree: what was seen need not be remembered. */
function foreignSites(file: string, root: unknown): readonly ForeignSite[] {
  const found: ForeignSite[] = [];
  const path: string[] = [];
  const look = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    const reference = foreignReference(value);
    if (reference !== undefined)
      found.push({ reference, pointer: [`${file}#`, ...path.map(escaped)].join("/") });
    const holder = path.at(-1) ?? "";
    for (const [key, inner] of Object.entries(value)) {
      if (isLiteral(key, holder)) continue;
      path.push(key);
      look(inner);
      path.pop();
    }
  };
  look(root);
  return found;
}

/**
 * What is said of the references of a document that leave it: how many, why they are not followed and what to do, then
 * the fields that are not there because of them.
 */
export function foreignLines(root: DocumentObject): readonly string[] {
  const files = sortedEntries(memberOf(root, FILES_KEY));
  const found = [["", root] as const, ...files].flatMap(([file, value]) =>
    foreignSites(file, value),
  );
  const byReason = groupBy(found, ({ reference }) =>
    REASONS.findIndex(([form]) => form.test(decoded(reference).replaceAll("\\", "/"))),
  );
  const fields = found
    .filter(({ pointer }) => /\/properties\/[^/]*$/.test(pointer))
    .toSorted((a, b) => compareText(a.pointer, b.pointer));
  const more = fields.length - MOST_FIELDS;
  return [
    ...[...byReason]
      .toSorted(([a], [b]) => a - b)
      .map(([reason, all]) => {
        const why = REASONS[reason]?.[1](filesOf(all.map(({ reference }) => reference))) ?? "";
        return `${counted(all.length)} ${why}. What needs them is left out. ${BUNDLE}`;
      }),
    ...fields
      .slice(0, MOST_FIELDS)
      .map(({ pointer, reference }) => `the field ${pointer}: it ${notRead(reference)}`),
    ...(more > 0 ? [`and ${more} more fields`] : []),
  ];
}
