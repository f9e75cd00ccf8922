import { cleanLine, isGraftId } from "@plasm/core/internal";
import { fail } from "../errors/problem.ts";
import { named, refuseNoText, refuseUnknown } from "../errors/arguments.ts";

/** A document as it was given: `source` and `path` cleaned, the content as it is (GRAFT-3). */
export interface GivenGraft {
  /** null: one is made of source and path */
  readonly graftId: string | null;
  readonly source: string;
  readonly path: string;
  readonly mime: string;
  readonly content: string;
}

/** A set as it was given, checked. */
export interface GivenGraftSet {
  readonly name: string;
  readonly createdTs: string;
  readonly manifestPath: string;
  /** undefined: those there are stay */
  readonly guardrails: string | undefined;
  readonly items: readonly GivenGraft[];
}

type Members = Readonly<Record<string, unknown>>;

/** Code points of a name, a time, a path, a source. */
const MAX_LABEL = 4_096;
/** GRAFT-5 */
const MAX_GUARDRAILS = 2_000;

const MIME = /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}(;[ -~]{0,200})?$/;
const HALF_A_PAIR = /\p{Surrogate}/u;

function membersOf(value: unknown, name: string): Members {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Members;
  throw refuseNoText(name, value, "an object: name, manifest_path, created_ts, items");
}

function textOf(members: Members, name: string, place: string): string {
  const value = members[name];
  if (typeof value === "string") return value;
  throw refuseNoText(`${place}.${name}`, value, "text");
}

function lengthOf(text: string): number {
  let points = 0;
  for (const _ of text) points += 1;
  return points;
}

function refuseLong(text: string, place: string, limit: number): void {
  const length = lengthOf(text);
  if (length <= limit) return;
  throw fail(
    "plasm-bad-request",
    `${place} has ${length} characters; at most ${limit} are allowed.`,
  );
}

function labelOf(members: Members, name: string, place: string): string {
  const text = textOf(members, name, place);
  refuseLong(text, `${place}.${name}`, MAX_LABEL);
  return text;
}

/** A label of a line: it must show something. */
function lineLabel(members: Members, name: string, place: string): string {
  const label = cleanLine(labelOf(members, name, place));
  if (label !== "") return label;
  throw fail("plasm-bad-request", `${place}.${name} is blank: say where the graft comes from.`);
}

function idOf({ graft_id: id }: Members, place: string): string | null {
  if (id === undefined || id === null) return null;
  if (typeof id === "string" && isGraftId(id)) return id;
  if (typeof id !== "string") throw refuseNoText(`${place}.graft_id`, id, "text");
  throw fail(
    "plasm-bad-request",
    `${place}.graft_id ${JSON.stringify(named(id))} is no id: 1 to 64 of A-Z, a-z, 0-9, _ and -.`,
  );
}

function mimeOf({ mime = "text/plain" }: Members, place: string): string {
  if (typeof mime === "string" && MIME.test(mime)) return mime;
  if (typeof mime !== "string") throw refuseNoText(`${place}.mime`, mime, "text");
  throw fail("plasm-bad-request", `${place}.mime is no media type such as text/markdown.`);
}

function contentOf(members: Members, place: string): string {
  const content = textOf(members, "content", place);
  if (!HALF_A_PAIR.test(content)) return content;
  throw fail(
    "plasm-bad-request",
    `${place}.content holds half a surrogate pair: send whole characters.`,
  );
}

const ITEM = ["graft_id", "source", "path", "content", "mime"];
const SET = ["name", "manifest_path", "created_ts", "guardrails", "items"];

function itemOf(value: unknown, place: string, strict: boolean): GivenGraft {
  const members = membersOf(value, place);
  if (strict) refuseUnknown(Object.keys(members), { of: place, told: ITEM });
  return {
    graftId: idOf(members, place),
    source: lineLabel(members, "source", place),
    path: lineLabel(members, "path", place),
    mime: mimeOf(members, place),
    content: contentOf(members, place),
  };
}

function guardrailsOf({ guardrails }: Members, place: string): string | undefined {
  if (guardrails === undefined || guardrails === null) return undefined;
  if (typeof guardrails !== "string") throw refuseNoText(`${place}.guardrails`, guardrails, "text");
  refuseLong(guardrails, `${place}.guardrails`, MAX_GUARDRAILS);
  return guardrails;
}

/** Two items of one call with one id are an error (GRAFT-3). */
export function refuseTwice(ids: readonly (string | null)[]): void {
  const known = new Set<string>();
  for (const id of ids) {
    if (id === null) continue;
    if (known.has(id)) {
      throw fail("plasm-bad-request", `Two items have the graft_id ${id}: each has its own.`);
    }
    known.add(id);
  }
}

/**
 * Reads a set that somebody attaches (GRAFT-1, GRAFT-2). `user_id` says nothing: it is the caller's subject
 * (GRAFT-4). `strict`: members that nothing is known of are errors, too. Throws plasm-bad-request, which names
 * the place.
 */
export function readGraftSet(value: unknown, strict = true, place = "grafts"): GivenGraftSet {
  const members = membersOf(value, place);
  if (strict) {
    refuseUnknown(Object.keys(members), { of: place, told: SET, untold: ["user_id"] });
  }
  const { items } = members;
  if (!Array.isArray(items)) throw refuseNoText(`${place}.items`, items, "a list of grafts");
  const given: GivenGraftSet = {
    name: labelOf(members, "name", place),
    createdTs: labelOf(members, "created_ts", place),
    manifestPath: labelOf(members, "manifest_path", place),
    guardrails: guardrailsOf(members, place),
    items: items.map((item, n) => itemOf(item, `${place}.items[${n}]`, strict)),
  };
  refuseTwice(given.items.map(({ graftId }) => graftId));
  return given;
}
