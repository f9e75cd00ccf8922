import type { Json } from "@plasm/core";
import type { EvmCallTemplate } from "@plasm/core/internal";
import { failure, RunFailure, type TransportPage } from "@plasm/runtime";
import { jsonText, typeName } from "@plasm/runtime/internal";
import { quantityOf } from "./abi-value.ts";
import { askNode } from "./ask-node.ts";
import { callData } from "./call-data.ts";
import type { EvmRead } from "./contract-values.ts";

/** Calls a function of a contract: a list of one row (mapping format, section 5). Throws RunFailure or RunStop. */
export async function readContract(read: EvmRead<EvmCallTemplate>): Promise<TransportPage> {
  const { args, block } = partsOf(read);
  const { data, decode } = await callData(read.template, args);
  const params = [{ to: read.contract, data }, block];
  const { result, bytes } = await askNode(read, "eth_call", params);
  if (typeof result !== "string") {
    const what = `eth_call gave ${typeName(result)}.`;
    throw new RunFailure(failure("decode", what, "set the backend to a JSON-RPC endpoint"));
  }
  return { rows: [decode(result)], position: {}, ended: true, bytes };
}

/** The values of a call's arguments and its block, apart. */
function partsOf({ values, template }: EvmRead<EvmCallTemplate>) {
  const count = template.args.length;
  const args = values.slice(0, count).map((value, at): Json => {
    if (value !== undefined) return value;
    const what = `Argument ${at + 1} of ${template.function} has no value.`;
    throw new RunFailure(failure("argument_missing", what, "give all that the function takes"));
  });
  return { args, block: blockOf(values[count]) };
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
