import type { Json } from "@plasm/core";
import type { EvmCallTemplate, EvmLogsTemplate } from "@plasm/core/internal";
import { failure, RunFailure, type TransportCall } from "@plasm/runtime";
import { jsonText } from "@plasm/runtime/internal";

export type EvmTemplate = EvmCallTemplate | EvmLogsTemplate;

/** A read of a contract: its call, its address, and the values of the other expressions of its template. */
export interface EvmRead<T extends EvmTemplate = EvmTemplate> {
  readonly call: TransportCall;
  readonly template: T;
  /** lower-case 0x address */
  readonly contract: string;
  /** in the order of the format's keys; undefined is nothing */
  readonly values: readonly (Json | undefined)[];
}

/** Takes a call apart. Throws RunFailure where its contract is no address. */
export function evmRead<T extends EvmTemplate>(call: TransportCall, template: T): EvmRead<T> {
  const [contract, ...values] = call.values;
  return { call, template, contract: contractOf(contract, call.capability.name), values };
}

function contractOf(value: Json | undefined, name: string): string {
  if (typeof value === "string" && /^0x[0-9a-f]{40}$/i.test(value)) return value.toLowerCase();
  const found = value === undefined ? "nothing" : jsonText(value);
  throw new RunFailure(
    failure(
      "argument_invalid",
      `The contract of ${name} is ${found}, which is no address.`,
      "give an address of 40 hex digits after 0x",
    ),
  );
}
