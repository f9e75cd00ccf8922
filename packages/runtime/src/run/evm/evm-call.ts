import type { Json } from "@plasm/core";
import {
  evaluateValues,
  type EvmCallTemplate,
  type EvmLogsTemplate,
  type HttpTemplate,
  templateExpressions,
} from "@plasm/core/internal";
import type { Identity } from "../../decode/entity-row.ts";
import { jsonText } from "../../base/json-kinds.ts";
import { valueOf } from "../../request/build-request.ts";
import { type Call, type Environment, readEnvironment } from "../../request/environment.ts";
import { failure, RunFailure } from "../../base/run-failure.ts";
import type { Engine, ReadCall } from "../engine.ts";
import { prepareCall, type PreparedCall, templateNames } from "../perform-read.ts";
import { callIdentity } from "../read-get.ts";

export type EvmTemplate = EvmCallTemplate | EvmLogsTemplate;

/** A call of a read over JSON-RPC: its names, and the values of its template's expressions. */
export interface EvmCall {
  readonly template: EvmTemplate;
  readonly environment: Environment;
  /** what every request of the call has in common; its description is replaced */
  readonly prepared: PreparedCall;
  /** lower-case 0x address */
  readonly contract: string;
  /** the other expressions in the order of the format's keys; undefined is nothing */
  readonly values: readonly (Json | undefined)[];
}

/** A POST to the effective backend itself, which is the JSON-RPC endpoint (MAP-053). */
const RPC: HttpTemplate = Object.freeze({
  transport: "http",
  method: "POST",
  path: [],
  bodyFormat: "json",
  response: { single: true, wrapRootScalar: false, declared: false },
});

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

/** Evaluates a call's template over the names of a read (RUN-010). Throws RunFailure. */
export function prepareEvm(
  engine: Engine,
  call: ReadCall,
  template: EvmTemplate,
  requested: Identity | null,
): EvmCall {
  const identity = requested === null ? null : callIdentity(requested);
  const rpc: Call = { ...call, template: RPC, identity };
  const environment = readEnvironment(rpc);
  const prepared = prepareCall(engine, rpc, environment);
  const { rest, optional } = templateNames(engine, rpc, environment);
  const [contract, ...values] = valueOf(
    evaluateValues(templateExpressions(template), {
      bindings: new Map(Object.entries(rest)),
      optional,
      functions: engine.functions,
    }),
  );
  const name = call.capability.name;
  return { template, environment, prepared, contract: contractOf(contract, name), values };
}
