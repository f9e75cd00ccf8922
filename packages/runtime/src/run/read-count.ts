import type { Catalog, Json } from "@plasm/core";
import { hasMember, isObject } from "../base/json-kinds.ts";
import { failure, RunFailure } from "../base/run-failure.ts";
import { servedBy } from "./choose-get.ts";
import type { ReadCall, RunEngine } from "./engine.ts";
import type { NodeContext } from "./feed.ts";
import { openList } from "./list-reader.ts";
import type { ReadAnswer } from "./perform-read.ts";
import { readOne } from "./read-capability.ts";

/**
 * How many rows a list has by what the API says, in one request (RUN-079). Throws RunFailure where it does not say
 * so, or says what its rows show to be wrong; RunStop.
 */
export async function readCount(
  engine: RunEngine,
  site: NodeContext,
  call: ReadCall,
): Promise<number> {
  const { count } = call.capability;
  if (count === undefined) throw new Error(`${call.capability.name} does not say how many rows`);
  if ("capability" in count) return countedApart(engine, site, call, count);
  const answers: ReadAnswer[] = [];
  const onAnswer = (answer: ReadAnswer): void => void answers.push(answer);
  const list = { ...call, ...servedBy(call.catalog, call.capability), identity: null };
  const pages = openList({ engine, feed: site, call: list, mostPages: 1, onAnswer }, null);
  await pages.next();
  const [answer] = answers;
  if (answer === undefined) throw new Error(`${call.capability.name} sent nothing`);
  const found = "path" in count ? valueAt(answer.body, count.path) : headerOf(answer, count.header);
  const at = "path" in count ? count.path.join(".") : `header ${count.header}`;
  const total = wholeNumber(found);
  if (total === null) throw uncounted(call, `says no number of rows (${at})`, answer);
  const { rows = 0, ended } = pages.save([]).page;
  if (ended && pages.unread === null ? total !== rows : total < rows) {
    throw uncounted(call, `says ${total} rows (${at}), and ${rows} came`, answer);
  }
  return total;
}

/** What another capability answers to the same arguments. */
async function countedApart(
  engine: RunEngine,
  site: NodeContext,
  call: ReadCall,
  { capability: name, field }: { readonly capability: string; readonly field: string },
): Promise<number> {
  const { catalog, args, anchor, ambient } = call;
  const capability = capabilityOf(catalog, name);
  const { mayRead = () => true } = engine.context;
  if (!mayRead(catalog, capability))
    throw uncounted(call, `is counted by ${name}, which is denied`);
  const own: ReadCall = { catalog, capability, args: { ...args, ...anchor }, anchor: {}, ambient };
  const row = await readOne(engine, site, own, null);
  const total = wholeNumber(row?.fields.get(field) ?? null);
  if (total === null) throw uncounted(call, `is counted by ${name}, whose ${field} is no number`);
  return total;
}

function capabilityOf({ cgs }: Catalog, name: string): ReadCall["capability"] {
  const capability = cgs.capabilities.get(name);
  if (capability === undefined) throw new Error(`no capability ${name}`);
  return capability;
}

/** The value at a path; none where the object says that the number beside it is a bound, as search engines do. */
function valueAt(body: Json, path: readonly string[]): Json {
  let at: Json = body;
  let holder: Json = null;
  for (const key of path) {
    holder = at;
    at = hasMember(at, key) ? (at[key] ?? null) : null;
  }
  if (isObject(at)) [holder, at] = [at, at["value"] ?? null];
  return isObject(holder) && isBound(holder["relation"]) ? null : at;
}

const isBound = (relation: Json | undefined): boolean =>
  typeof relation === "string" && /^(gte?|lte?|>=?|<=?)$/.test(relation);

function headerOf({ paging }: ReadAnswer, name: string): Json {
  const found = paging.find(([header]) => header.toLowerCase() === name.toLowerCase());
  return found?.[1] ?? null;
}

/** A number of rows, which some APIs write as text. */
function wholeNumber(value: Json): number | null {
  const number =
    typeof value === "string" && /^\d{1,15}$/.test(value.trim()) ? Number(value) : value;
  return typeof number === "number" && Number.isSafeInteger(number) && number >= 0 ? number : null;
}

function uncounted({ capability }: ReadCall, says: string, answer?: ReadAnswer): RunFailure {
  const advice =
    "count the rows that are read: name a column before the count, as in [id].aggregate(n=count); or correct count in the catalog";
  const request = answer === undefined ? {} : { request: answer.request };
  return new RunFailure(failure("decode", `${capability.name} ${says}.`, advice, request));
}
