import type { Json, JsonObject } from "@plasm/core";
import type { EvmCallTemplate } from "@plasm/core/internal";
import { RunFailure, type TransportPage, failure } from "@plasm/runtime";
import { jsonText, typeName } from "@plasm/runtime/internal";
import type { FunctionFragment } from "ethers/abi";
import { abiCoder, abiJson, abiOf, quantityOf } from "./abi-coder.ts";
import { askNode } from "./ask-node.ts";
import type { EvmRead } from "./contract-values.ts";

/** A call of a contract's function: what it sends, and how its answer is read. */
interface CallData {
  /** selector and arguments, 0x hex */
  readonly data: string;
  /** The decoded fields of an answer (MAP-054). Throws RunFailure. */
  decode(answer: string): JsonObject;
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? (error.message.split(" (")[0]?.slice(0, 200) ?? "") : "";

/** Why an argument is refused: by the first that its type does not take. */
function unfit(fragment: FunctionFragment, args: readonly Json[], error: unknown): RunFailure {
  const types = fragment.inputs.map(({ type, name }) => `${type} ${name}`.trim()).join(", ");
  return new RunFailure(
    failure(
      "argument_invalid",
      `${fragment.name}(${types}) does not take ${jsonText(args)}: ${messageOf(error)}.`,
      "give values of these types; addresses have 40 hex digits after 0x",
    ),
  );
}

/** Encodes a call's arguments in the order of the function (MAP-051). Throws RunFailure. */
export async function callData(
  template: Pick<EvmCallTemplate, "function" | "decode">,
  args: readonly Json[],
): Promise<CallData> {
  const abi = abiOf(await abiCoder(), template.function);
  const [fragment] = abi.fragments as readonly [FunctionFragment];
  const decode = (answer: string): JsonObject => {
    const found = decodedOutputs(abi, fragment, answer);
    const fields = [...template.decode].map(([field, { type, index }]): [string, Json] => {
      const param = fragment.outputs[index];
      if (type === "input") return [field, givenArgument(args[index])];
      return [field, param === undefined ? null : abiJson(found[index], param)];
    });
    return Object.fromEntries(fields);
  };
  try {
    return { data: abi.encodeFunctionData(fragment, [...args]), decode };
  } catch (error) {
    throw unfit(fragment, args, error);
  }
}

/** An argument as it was given, so that identities stay what the caller wrote. */
const givenArgument = (value: Json | undefined): Json =>
  typeof value === "number" ? String(value) : (value ?? null);

function decodedOutputs(
  abi: ReturnType<typeof abiOf>,
  fragment: FunctionFragment,
  answer: string,
): readonly unknown[] {
  const empty = answer === "0x" && fragment.outputs.length > 0;
  try {
    if (!empty) return Array.from(abi.decodeFunctionResult(fragment, answer));
  } catch (error) {
    throw undecodable(fragment, `is no ${fragment.name} result: ${messageOf(error)}`);
  }
  throw undecodable(fragment, "is empty: there is no such contract or function");
}

function undecodable(fragment: FunctionFragment, why: string): RunFailure {
  return new RunFailure(
    failure(
      "decode",
      `The answer to ${fragment.name} ${why}.`,
      "check contract, function and chain of the mapping",
    ),
  );
}

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
