import type { Json } from "@plasm/core";
import type { EvmLogsTemplate } from "@plasm/core/internal";
import { type EventLogs, eventLogs } from "../../evm/event-logs.ts";
import { quantityOf, quantityText } from "../../evm/abi-value.ts";
import { requireFewer } from "../../decode/collection.ts";
import { hasMember, isArray, jsonText, typeName } from "../../base/json-kinds.ts";
import { firstPage, type PageState } from "../../decode/page-state.ts";
import { failure, RunFailure } from "../../base/run-failure.ts";
import type { Engine, ReadCall } from "../engine.ts";
import type { NodeContext } from "../feed.ts";
import {
  type ListPages,
  type ListState,
  openPages,
  type PageRead,
  type PageSource,
} from "../list-pages.ts";
import { askNode } from "./ask-node.ts";
import { type EvmCall, prepareEvm } from "./evm-call.ts";
import { evmRow } from "./evm-row.ts";

/** MAP-054: blocks per request where the mapping does not say. */
const RANGE = 1_000n;

interface LogReading {
  readonly engine: Engine;
  readonly site: NodeContext;
  readonly template: EvmLogsTemplate;
  readonly evm: EvmCall;
  logs: EventLogs | null;
}

/** The blocks of one request, and the last of the list. */
interface Blocks {
  readonly from: bigint;
  readonly to: bigint;
  readonly last: bigint;
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

/** A block that the caller names, else the one that the mapping declares. */
function namedBlock({ evm, template }: LogReading, name: string): bigint | null {
  const given = evm.environment.rest[name] ?? declared(template, name) ?? null;
  return given === null ? null : blockNumber(given, name);
}

function firstBlock(list: LogReading): bigint {
  const from = namedBlock(list, "from_block");
  if (from !== null) return from;
  const { label } = list.evm.prepared.call.capability;
  const what = `${label} reads logs from a block on, and none is given.`;
  throw new RunFailure(failure("argument_missing", what, "give from_block"));
}

function rangeSize({ template }: LogReading): bigint {
  const size = declared(template, "range_size");
  const number = size === undefined ? RANGE : blockNumber(size, "range_size");
  return number < 1n ? 1n : number;
}

/** The end of the chain, read once at the start of the list (RUN-075). */
async function chainHead({ engine, site, evm }: LogReading): Promise<bigint> {
  const { result } = await askNode(engine, site, evm, "eth_blockNumber", []);
  const head = quantityText(result);
  if (head !== null) return BigInt(head);
  const what = `eth_blockNumber gave ${typeName(result)}.`;
  throw new RunFailure(failure("decode", what, "set the backend to a JSON-RPC endpoint"));
}

async function blocksOf(list: LogReading, page: PageState): Promise<Blocks> {
  const { next, last: known } = page.values;
  const from = typeof next === "string" ? BigInt(next) : firstBlock(list);
  const last =
    typeof known === "string"
      ? BigInt(known)
      : (namedBlock(list, "to_block") ?? (await chainHead(list)));
  const end = from + rangeSize(list) - 1n;
  return { from, to: end < last ? end : last, last };
}

async function logsOf(list: LogReading): Promise<EventLogs> {
  list.logs ??= await eventLogs(list.template, list.evm.values);
  return list.logs;
}

const hex = (number: bigint): string => `0x${number.toString(16)}`;

/** Whether a log is of the contract and the blocks asked for, as far as it says. */
function isAsked({ evm }: LogReading, { from, to }: Blocks, log: Json): boolean {
  const address = hasMember(log, "address") ? log["address"] : null;
  if (typeof address === "string" && address.toLowerCase() !== evm.contract.toLowerCase()) {
    return false;
  }
  const number = hasMember(log, "blockNumber") ? quantityText(log["blockNumber"]) : null;
  return number === null || (BigInt(number) >= from && BigInt(number) <= to);
}

/** The logs that were asked for; what a node gives beside them is no row, and is told. */
function askedOf(list: LogReading, blocks: Blocks, found: readonly Json[]): readonly Json[] {
  const asked = found.filter((log) => isAsked(list, blocks, log));
  const others = found.length - asked.length;
  if (others > 0) {
    const what = `eth_getLogs gave ${others} logs of other contracts or blocks than were asked for`;
    list.site.log.add("row_unasked", `${what}; they are left out`);
  }
  return asked;
}

function rowsOf(list: LogReading, logs: EventLogs, found: readonly Json[]) {
  const { site, evm } = list;
  return found.map((log, index) => {
    const { fields, problem } = logs.decode(log);
    if (problem !== null) site.log.add("value_unconverted", problem, index);
    return evmRow(site, evm, fields, null, index);
  });
}

async function readRange(list: LogReading, page: PageState): Promise<PageRead> {
  const { engine, site, evm } = list;
  const blocks = await blocksOf(list, page);
  const logs = await logsOf(list);
  const values = { next: String(blocks.to + 1n), last: String(blocks.last) };
  const ended = blocks.to >= blocks.last;
  const next = { ...page, page: page.page + 1, values, ended };
  if (blocks.from > blocks.last) return { rows: [], next, bytes: 0, repeated: false };
  const filter = {
    address: evm.contract,
    topics: [...logs.topics],
    fromBlock: hex(blocks.from),
    toBlock: hex(blocks.to),
  };
  const { result, bytes } = await askNode(engine, site, evm, "eth_getLogs", [filter]);
  if (!isArray(result)) {
    const what = `eth_getLogs gave ${typeName(result)}.`;
    throw new RunFailure(failure("decode", what, "set the backend to a JSON-RPC endpoint"));
  }
  requireFewer(result);
  const rows = rowsOf(list, logs, askedOf(list, blocks, result));
  return { rows, next, bytes, repeated: false };
}

/**
 * Reads the logs of an event range by range, from `from_block` to `to_block`, else to the chain's head
 * (RUN-075, MAP-054). Ranges without logs do not end it.
 */
export function logPages(
  engine: Engine,
  site: NodeContext,
  call: ReadCall,
  template: EvmLogsTemplate,
  from: ListState | null,
  mostPages: number,
): ListPages {
  let reading: LogReading | null = null;
  const source: PageSource = {
    engine,
    feed: site,
    digest: call.catalog.digest,
    first: firstPage(undefined, {}),
    mostPages,
    read: (page) => {
      reading ??= {
        engine,
        site,
        template,
        evm: prepareEvm(engine, call, template, null),
        logs: null,
      };
      return readRange(reading, page);
    },
  };
  return openPages(source, from);
}
