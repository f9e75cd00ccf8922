import type { Json, JsonObject } from "@plasm/core";
import type { EvmLogDecode, EvmLogsTemplate } from "@plasm/core/internal";
import { RunFailure, type TransportPage, failure } from "@plasm/runtime";
import {
  hasMember,
  isArray,
  isObject,
  jsonText,
  requireFewer,
  typeName,
} from "@plasm/runtime/internal";
import type { EventFragment, Interface } from "ethers/abi";
import { abiCoder, abiJson, abiOf, quantityOf, quantityText } from "./abi-coder.ts";
import { askNode } from "./ask-node.ts";
import type { EvmRead } from "./contract-values.ts";

/** The logs of one event: which are asked for, and how one is read. */
interface EventLogs {
  /** topics as JSON-RPC takes them: null for any, a list for any of several */
  readonly topics: readonly Json[];
  /** The decoded fields of a log; what cannot be read of it is left out and told (MAP-054, RUN-032). */
  decode(log: Json): { readonly fields: JsonObject; readonly problem: string | null };
}

/** The values of indexed arguments that are asked for, in order; undefined and null are any (MAP-051). */
async function eventLogs(
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

/** MAP-054: blocks per request where the mapping does not say. */
const RANGE = 1_000n;

type LogsRead = EvmRead<EvmLogsTemplate>;

/** The blocks of one request, and the last of the list. */
interface Blocks {
  readonly from: bigint;
  readonly to: bigint;
  readonly last: bigint;
}

/**
 * Reads the logs of an event range by range, from `from_block` to `to_block`, else to the chain's head
 * (RUN-075, MAP-054). Ranges without logs do not end it.
 */
export function logRanges(read: LogsRead): (position: JsonObject) => Promise<TransportPage> {
  let known: EventLogs | null = null;
  const logsOf = async (): Promise<EventLogs> => {
    known ??= await eventLogs(read.template, read.values);
    return known;
  };
  return (position) => readRange(read, logsOf, position);
}

async function readRange(
  read: LogsRead,
  logsOf: () => Promise<EventLogs>,
  position: JsonObject,
): Promise<TransportPage> {
  const blocks = await blocksOf(read, position);
  const logs = await logsOf();
  const next = { next: String(blocks.to + 1n), last: String(blocks.last) };
  const ended = blocks.to >= blocks.last;
  if (blocks.from > blocks.last) return { rows: [], position: next, ended, bytes: 0 };
  const filter = {
    address: read.contract,
    topics: [...logs.topics],
    fromBlock: hex(blocks.from),
    toBlock: hex(blocks.to),
  };
  const { result, bytes } = await askNode(read, "eth_getLogs", [filter]);
  if (!isArray(result)) {
    const what = `eth_getLogs gave ${typeName(result)}.`;
    throw new RunFailure(failure("decode", what, "set the backend to a JSON-RPC endpoint"));
  }
  requireFewer(result);
  const rows = rowsOf(read, logs, askedOf(read, blocks, result));
  return { rows, position: next, ended, bytes };
}

async function blocksOf(read: LogsRead, { next, last: known }: JsonObject): Promise<Blocks> {
  const from = typeof next === "string" ? BigInt(next) : firstBlock(read);
  const last =
    typeof known === "string"
      ? BigInt(known)
      : (namedBlock(read, "to_block") ?? (await chainHead(read)));
  const end = from + rangeSize(read) - 1n;
  return { from, to: end < last ? end : last, last };
}

function firstBlock(read: LogsRead): bigint {
  const from = namedBlock(read, "from_block");
  if (from !== null) return from;
  const what = `${read.call.capability.label} reads logs from a block on, and none is given.`;
  throw new RunFailure(failure("argument_missing", what, "give from_block"));
}

/** A block that the caller names, else the one that the mapping declares. */
function namedBlock({ call, template }: LogsRead, name: string): bigint | null {
  const given = call.argument(name) ?? declared(template, name) ?? null;
  return given === null ? null : blockNumber(given, name);
}

function rangeSize({ template }: LogsRead): bigint {
  const size = declared(template, "range_size");
  const number = size === undefined ? RANGE : blockNumber(size, "range_size");
  return number < 1n ? 1n : number;
}

function declared(template: EvmLogsTemplate, name: string): Json | undefined {
  const param = template.pagination?.params.find((each) => each.name === name);
  if (param?.form === "fixed") return param.value;
  return param?.form === "counter" ? param.start : undefined;
}

function blockNumber(value: Json, name: string): bigint {
  const text = quantityOf(value);
  if (text !== null) return BigInt(text);
  const what = `${name} is ${jsonText(value)}, which is no block's number.`;
  throw new RunFailure(failure("argument_invalid", what, `give ${name} a whole number from 0`));
}

/** The end of the chain, read once at the start of the list (RUN-075). */
async function chainHead(read: LogsRead): Promise<bigint> {
  const { result } = await askNode(read, "eth_blockNumber", []);
  const head = quantityText(result);
  if (head !== null) return BigInt(head);
  const what = `eth_blockNumber gave ${typeName(result)}.`;
  throw new RunFailure(failure("decode", what, "set the backend to a JSON-RPC endpoint"));
}

const hex = (number: bigint): string => `0x${number.toString(16)}`;

/** The logs that were asked for; what a node gives beside them is no row, and is told. */
function askedOf(read: LogsRead, blocks: Blocks, found: readonly Json[]): readonly Json[] {
  const asked = found.filter((log) => isAsked(read, blocks, log));
  const others = found.length - asked.length;
  if (others > 0) {
    const what = `eth_getLogs gave ${others} logs of other contracts or blocks than were asked for`;
    read.call.report("row_unasked", `${what}; they are left out`);
  }
  return asked;
}

/** Whether a log is of the contract and the blocks asked for, as far as it says. */
function isAsked({ contract }: LogsRead, { from, to }: Blocks, log: Json): boolean {
  const address = hasMember(log, "address") ? log["address"] : null;
  if (typeof address === "string" && address.toLowerCase() !== contract) return false;
  const number = hasMember(log, "blockNumber") ? quantityText(log["blockNumber"]) : null;
  return number === null || (BigInt(number) >= from && BigInt(number) <= to);
}

function* rowsOf(
  { call }: LogsRead,
  logs: EventLogs,
  found: readonly Json[],
): Generator<JsonObject> {
  for (const [index, log] of found.entries()) {
    const { fields, problem } = logs.decode(log);
    if (problem !== null) call.report("value_unconverted", problem, index);
    yield fields;
  }
}
