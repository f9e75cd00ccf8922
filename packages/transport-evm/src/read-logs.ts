import type { Json, JsonObject } from "@plasm/core";
import type { EvmLogsTemplate } from "@plasm/core/internal";
import { failure, RunFailure, type TransportPage } from "@plasm/runtime";
import { hasMember, isArray, jsonText, requireFewer, typeName } from "@plasm/runtime/internal";
import { quantityOf, quantityText } from "./abi-value.ts";
import { askNode } from "./ask-node.ts";
import type { EvmRead } from "./contract-values.ts";
import { type EventLogs, eventLogs } from "./event-logs.ts";

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
