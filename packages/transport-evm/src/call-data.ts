import type { Json, JsonObject } from "@plasm/core";
import type { EvmCallTemplate } from "@plasm/core/internal";
import type { FunctionFragment } from "ethers/abi";
import { failure, RunFailure } from "@plasm/runtime";
import { jsonText } from "@plasm/runtime/internal";
import { abiCoder, abiOf } from "./abi-coder.ts";
import { abiJson } from "./abi-value.ts";

/** A call of a contract's function: what it sends, and how its answer is read. */
export interface CallData {
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
