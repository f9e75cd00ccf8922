import type { Json } from "@plasm/core";
import type { OverlaySource, OverlayStep } from "@plasm/core/internal";
import { followResponse } from "../decode/response-body.ts";
import { isArray, isObject } from "../base/json-kinds.ts";
import { failure, RunFailure } from "../base/run-failure.ts";
import { overlayText } from "./overlay-template.ts";

/** Reads the bodies of a capability's pages, with these arguments. Throws RunFailure or RunStop. */
export type ReadBodies = (
  capability: string,
  args: Readonly<Record<string, string>>,
) => Promise<readonly Json[]>;

/** A body that the schema is in: an entry per page, or what the steps put together. */
export type OverlayDocuments = readonly Json[];

/** Reads what an overlay is made of: one capability's pages, or its steps one after the other. */
export async function readDocuments(
  source: OverlaySource,
  read: ReadBodies,
): Promise<OverlayDocuments> {
  if ("capability" in source) return read(source.capability, bindings(source.bind, null));
  const collected = new Map<string, Json[]>();
  let document: Json = {};
  for (const step of source.steps) {
    if ("collect" in step) {
      const items = await collect(step, read);
      collected.set(step.collect, items);
      document = placed(document, step.itemsPath, items);
    } else {
      const items = collected.get(step.forEach) ?? [];
      for (const [at, item] of items.entries()) items[at] = await completed(step, item, read);
    }
  }
  // What was collected goes by its name, and stands where the API has it.
  return [isObject(document) ? { ...document, ...Object.fromEntries(collected) } : document];
}

function bindings(bind: ReadonlyMap<string, string>, row: Json): Readonly<Record<string, string>> {
  const filled = [...bind].map(([name, text]) => {
    return [name, overlayText(text, { row }, `of bind ${name}`)] as const;
  });
  return Object.fromEntries(filled);
}

async function collect(
  step: Extract<OverlayStep, { collect: string }>,
  read: ReadBodies,
): Promise<Json[]> {
  const bodies = await read(step.capability, {});
  return bodies.flatMap((body) => itemsAt(body, step.itemsPath));
}

/** An item with the lists that its own read gives added to what it has at a path. */
async function completed(
  step: Extract<OverlayStep, { forEach: string }>,
  item: Json,
  read: ReadBodies,
): Promise<Json> {
  const bodies = await read(step.capability, bindings(step.bind, item));
  const added = bodies.flatMap((body) => itemsOf(body, step.mergePath));
  const there = followResponse(item, step.mergePath);
  return placed(item, step.mergePath, [...(isArray(there) ? there : []), ...added]);
}

/** The list in a body: at the path it is merged into, the body itself, or its only list. */
function itemsOf(body: Json, path: readonly string[]): readonly Json[] {
  const there = followResponse(body, path);
  if (isArray(there)) return there;
  if (isArray(body)) return body;
  const lists = isObject(body) ? Object.values(body).filter(isArray) : [];
  const [only] = lists;
  if (only !== undefined && lists.length === 1) return only;
  throw noList(path, "what a for_each step read");
}

/** The items at a path of a body, or the one object that stands there. Throws RunFailure. */
export function itemsAt(body: Json, path: readonly string[]): readonly Json[] {
  const found = followResponse(body, path);
  if (isArray(found)) return found;
  if (isObject(found)) return [found];
  throw noList(path, "what the overlay read");
}

function noList(path: readonly string[], where: string): RunFailure {
  const place = path.length === 0 ? "the root" : path.join(".");
  return new RunFailure(
    failure("decode", `There is no list at ${place} of ${where}.`, "correct the overlay's paths"),
  );
}

/** A copy with a value at a path of object keys; objects on the way are made. */
function placed(into: Json, path: readonly string[], value: Json): Json {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  const object = isObject(into) ? into : {};
  return { ...object, [key]: placed(object[key] ?? null, rest, value) };
}
