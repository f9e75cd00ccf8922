import type { Json, JsonObject } from "@plasm/core";
import type { EvmLogDecode, EvmLogsTemplate } from "@plasm/core/internal";
import type { EventFragment, Interface } from "ethers/abi";
import { failure, RunFailure } from "@plasm/runtime";
import { isArray, isObject, jsonText } from "@plasm/runtime/internal";
import { abiCoder, abiOf } from "./abi-coder.ts";
import { abiJson, quantityText } from "./abi-value.ts";

/** The logs of one event: which are asked for, and how one is read. */
export interface EventLogs {
  /** topics as JSON-RPC takes them: null for any, a list for any of several */
  readonly topics: readonly Json[];
  /** The decoded fields of a log; what cannot be read of it is left out and told (MAP-054, RUN-032). */
  decode(log: Json): { readonly fields: JsonObject; readonly problem: string | null };
}

/** The values of indexed arguments that are asked for, in order; undefined and null are any (MAP-051). */
export async function eventLogs(
  template: Pick<EvmLogsTemplate, "event" | "decode">,
  wanted: readonly (Json | undefined)[],
): Promise<EventLogs> {
  const abi = abiOf(await abiCoder(), template.event);
  const [fragment] = abi.fragments as readonly [EventFragment];
  return {
    topics: topicsOf(abi, fragment, wanted),
    decode: (log) => decodeLog(abi, fragment, template.decode, log),
  };
}

/** Encodes the topics of a filter; values stand at the places of indexed arguments. */
function topicsOf(
  abi: Interface,
  fragment: EventFragment,
  wanted: readonly (Json | undefined)[],
): readonly Json[] {
  const values: (Json | null)[] = [];
  let next = 0;
  for (const { indexed } of fragment.inputs) {
    values.push(indexed === true ? (wanted[next] ?? null) : null);
    if (indexed === true) next += 1;
  }
  try {
    return trimmed(abi.encodeFilterTopics(fragment, values).map(hexTopic));
  } catch (error) {
    const why = error instanceof Error ? (error.message.split(" (")[0] ?? "") : "";
    throw new RunFailure(
      failure(
        "argument_invalid",
        `The topics of ${fragment.name} do not take ${jsonText(wanted.map((each) => each ?? null))}: ${why.slice(0, 200)}.`,
        "give values of the types of the event's indexed arguments",
      ),
    );
  }
}

const hexTopic = (topic: string | null | readonly string[]): Json =>
  typeof topic === "string" || topic === null ? topic : [...topic];

/** Topics without those at the end that ask for nothing. */
function trimmed(topics: readonly Json[]): readonly Json[] {
  const last = topics.findLastIndex((topic) => topic !== null);
  return topics.slice(0, last + 1);
}

function decodeLog(
  abi: Interface,
  fragment: EventFragment,
  rule: ReadonlyMap<string, EvmLogDecode>,
  log: Json,
): ReturnType<EventLogs["decode"]> {
  const read = readArguments(abi, fragment, log);
  const fields: Record<string, Json> = {};
  for (const [field, decode] of rule) {
    const value = decode.type === "log_meta" ? metaOf(log, decode.key) : read.of(decode);
    if (value !== undefined) fields[field] = value;
  }
  return { fields, problem: read.problem };
}

type ArgumentPlace = Extract<EvmLogDecode, { index: number }>;

/** The arguments of a log by their place among the indexed ones or the others. */
function readArguments(abi: Interface, fragment: EventFragment, log: Json) {
  try {
    const { data, topics } = partsOf(log);
    const values = Array.from(abi.decodeEventLog(fragment, data, topics) as readonly unknown[]);
    const decoded = fragment.inputs.map((param, at) => ({ param, value: values[at] }));
    const of = ({ type, index }: ArgumentPlace): Json | undefined => {
      const own = decoded.filter(({ param }) => (param.indexed === true) === (type === "topic"));
      const found = own[index];
      return found === undefined ? undefined : abiJson(found.value, found.param);
    };
    return { of, problem: null };
  } catch {
    return { of: () => undefined, problem: `a log is no ${fragment.name}` };
  }
}

function partsOf(log: Json): { readonly data: string; readonly topics: readonly string[] } {
  const data = isObject(log) ? log["data"] : undefined;
  const topics = isObject(log) ? log["topics"] : undefined;
  if (typeof data !== "string" || !isArray(topics)) throw new Error("no data or topics");
  return { data, topics: topics.filter((topic) => typeof topic === "string") };
}

type MetaKey = Extract<EvmLogDecode, { type: "log_meta" }>["key"];

/** What a node says about a log; numbers as decimal text, `event_id` as `txhash:logIndex` (MAP-054). */
function metaOf(log: Json, key: MetaKey): Json | undefined {
  if (!isObject(log)) return undefined;
  switch (key) {
    case "address":
      return lower(log["address"]);
    case "transaction_hash":
      return lower(log["transactionHash"]);
    case "block_number":
      return quantityText(log["blockNumber"]) ?? undefined;
    case "log_index":
      return quantityText(log["logIndex"]) ?? undefined;
    case "removed":
      return log["removed"] === true;
    case "event_id": {
      const hash = lower(log["transactionHash"]);
      const index = quantityText(log["logIndex"]);
      return hash === undefined || index === null ? undefined : `${hash}:${index}`;
    }
  }
}

const lower = (value: Json | undefined): string | undefined =>
  typeof value === "string" ? value.toLowerCase() : undefined;
