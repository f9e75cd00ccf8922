import type { Operation } from "../document/operation.ts";
import { catalogName } from "../names/free-name.ts";
import { singular } from "../names/singular.ts";
import { wordsOf } from "../names/words.ts";
import type { EntityDraft } from "./entity-draft.ts";

const LINKS = new Set([
  "a",
  "an",
  "the",
  "for",
  "of",
  "to",
  "from",
  "in",
  "on",
  "with",
  "by",
  "and",
]);

/** What an operation is called by its author, or a part of that, without the entity's own name: `boats/ping` → `ping`. */
function said(operationId: string, entity: EntityDraft): readonly string[] {
  const own = new Set(entity.snake.split("_"));
  const words = wordsOf(operationId).filter((word) => !own.has(word) && !own.has(singular(word)));
  let [first, last] = [0, words.length];
  while (last > first && LINKS.has(words[last - 1] ?? "")) last -= 1;
  while (first < last && LINKS.has(words[first] ?? "")) first += 1;
  return words.slice(first, last);
}

const VERSION = /^(?:api|rest|v\d+)$/;

/** Whether an operation is called by its method and its path, word by word: `PostInvoicesInvoicePay`. */
function isPathAgain({ method, operationId, segments }: Operation): boolean {
  const [verb, ...words] = wordsOf(operationId ?? "");
  const plain = (all: readonly string[]): string =>
    all.filter((word) => word !== "by" && !VERSION.test(word)).join(" ");
  const path = segments.flatMap((one) => wordsOf(one.kind === "literal" ? one.value : one.name));
  return verb === method.toLowerCase() && plain(words) === plain(path);
}

const VERBS = { GET: "get", POST: "", PUT: "set", PATCH: "change", DELETE: "delete" } as const;

/** What the end of a path says: the words after the beginning that it has in common with the entity's own path. */
function pathSaid(
  { method, segments, template }: Operation,
  entity: EntityDraft,
): readonly string[] {
  const [own, there] = [(entity.home ?? "").split("/"), template.split("/")];
  const apart = there.findIndex((one, at) => one !== own[at]);
  const rest = segments.slice(apart === -1 ? segments.length : apart - 1);
  const all = rest.flatMap((one) => (one.kind === "literal" ? wordsOf(one.value) : []));
  const names = new Set(entity.snake.split("_"));
  // Without a path of its own, what the entity is about and the version stand in front.
  const news = all.filter((word) => !names.has(singular(word)) && !VERSION.test(word));
  const words = entity.home === null && news.length > 0 ? news : all;
  return [...(VERBS[method] === "" ? [] : [VERBS[method]]), ...words.slice(-4)];
}

/** What is done by a call that is called as what it is done to. */
const BARE_VERBS = {
  GET: "call",
  POST: "post",
  PUT: "set",
  PATCH: "change",
  DELETE: "delete",
} as const;

const MOST = 40;

/**
 * A label that is free: the first of `wanted`, else what the operation is called, else what its path
 * says, else that with a number. It is taken then.
 */
export function takeLabel(
  taken: Set<string>,
  operation: Operation,
  entity: EntityDraft,
  wanted: readonly string[],
): string {
  const { operationId = "" } = operation;
  const [own, path] = [said(operationId, entity), pathSaid(operation, entity)];
  // Behind the last dot stands what is done: `app.documents.sales.untag`.
  const done = operationId.includes(".") ? said(operationId.split(".").at(-1) ?? "", entity) : [];
  const byPath = [path, [operation.method.toLowerCase(), ...path]];
  // Where all that is taken, with the entity's name: `POST /boats/delete` beside `DELETE /boats/{id}`.
  const whole = wordsOf(operationId);
  const others = [...(isPathAgain(operation) ? byPath : [done, own, path]), own, whole]
    .filter((words) => words.length > 0 && words.length <= 6)
    .map((words) => words.join("_"));
  const { [operation.method]: verb } = BARE_VERBS;
  const all = [...wanted, ...others, verb, "call"]
    .map((label) => catalogName(label.slice(0, MOST), "call").toLowerCase())
    // `Sms.sms()` would say nothing of what is done.
    .filter((label) => label !== "" && (operation.reads || label !== entity.snake));
  const free = all.find((label) => !taken.has(label));
  let label = free ?? all[0] ?? "call";
  for (let number = 2; taken.has(label); number += 1) label = `${all[0]}_${number}`;
  taken.add(label);
  return label;
}
