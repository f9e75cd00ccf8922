import type { Json } from "@plasm/core";
import type { EvmCallTemplate } from "@plasm/core/internal";
import type { EntityRow, Identity } from "../../decode/entity-row.ts";
import { callData } from "../../evm/call-data.ts";
import { quantityOf } from "../../evm/abi-value.ts";
import { jsonText, typeName } from "../../base/json-kinds.ts";
import { firstPage } from "../../decode/page-state.ts";
import { failure, RunFailure } from "../../base/run-failure.ts";
import type { Engine, ReadCall } from "../engine.ts";
import type { NodeContext } from "../feed.ts";
import { type ListPages, type ListState, openPages } from "../list-pages.ts";
import { askNode } from "./ask-node.ts";
import { type EvmCall, prepareEvm } from "./evm-call.ts";
import { evmRow } from "./evm-row.ts";

interface ContractRow {
  readonly row: EntityRow;
  readonly bytes: number;
}

const BLOCK_TAGS = ["latest", "earliest", "pending", "safe", "finalized"];

/** The block a call is made at: a number, or a word of JSON-RPC; the latest by default. */
function blockOf(value: Json | undefined): string {
  if (value === undefined) return "latest";
  const quantity = quantityOf(value);
  if (quantity !== null) return quantity;
  if (typeof value === "string" && BLOCK_TAGS.includes(value)) return value;
  throw new RunFailure(
    failure(
      "argument_invalid",
      `The block is ${jsonText(value)}, which is no block.`,
      `give a block's number, or ${BLOCK_TAGS.join(", ")}`,
    ),
  );
}

/** The values of a call's arguments and its block, apart. */
function partsOf({ values }: EvmCall, template: EvmCallTemplate) {
  const count = template.args.length;
  const args = values.slice(0, count).map((value, at): Json => {
    if (value !== undefined) return value;
    const what = `Argument ${at + 1} of ${template.function} has no value.`;
    throw new RunFailure(failure("argument_missing", what, "give all that the function takes"));
  });
  return { args, block: blockOf(values[count]) };
}

async function callContract(
  engine: Engine,
  site: NodeContext,
  call: ReadCall,
  template: EvmCallTemplate,
  requested: Identity | null,
): Promise<ContractRow> {
  const evm = prepareEvm(engine, call, template, requested);
  const { args, block } = partsOf(evm, template);
  const { data, decode } = await callData(template, args);
  const params = [{ to: evm.contract, data }, block];
  const { result, bytes } = await askNode(engine, site, evm, "eth_call", params);
  if (typeof result !== "string") {
    const what = `eth_call gave ${typeName(result)}.`;
    throw new RunFailure(failure("decode", what, "set the backend to a JSON-RPC endpoint"));
  }
  return { row: evmRow(site, evm, decode(result), requested, 0), bytes };
}

/** Reads one row by a call of a contract (mapping format, section 5). Throws RunFailure or RunStop. */
export async function readContract(
  engine: Engine,
  site: NodeContext,
  call: ReadCall,
  template: EvmCallTemplate,
  requested: Identity | null,
): Promise<EntityRow> {
  const { row, bytes } = await callContract(engine, site, call, template, requested);
  engine.budget.takeRows(1);
  engine.cache.put(call.catalog.digest, row, bytes);
  return row;
}

/** A query by a call of a contract: a list of one row. */
export function contractPages(
  engine: Engine,
  site: NodeContext,
  call: ReadCall,
  template: EvmCallTemplate,
  from: ListState | null,
): ListPages {
  const source = {
    engine,
    feed: site,
    digest: call.catalog.digest,
    first: firstPage(undefined, {}),
    read: async () => {
      const { row, bytes } = await callContract(engine, site, call, template, null);
      const next = { ...firstPage(undefined, {}), page: 1, ended: true };
      return { rows: [row], next, bytes, repeated: false };
    },
  };
  return openPages(source, from);
}
