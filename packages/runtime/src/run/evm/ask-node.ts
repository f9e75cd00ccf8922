import type { Json } from "@plasm/core";
import { apiText } from "../../decode/api-text.ts";
import { chainId } from "../../evm/chain-id.ts";
import { quantityText } from "../../evm/abi-value.ts";
import { hasMember, typeName } from "../../base/json-kinds.ts";
import { failure, RunFailure } from "../../base/run-failure.ts";
import type { Engine } from "../engine.ts";
import type { NodeContext } from "../feed.ts";
import { type Answer, performRead } from "../perform-read.ts";
import type { EvmCall } from "./evm-call.ts";

/** An answer of a node, with the size it had on the wire. */
export interface NodeAnswer {
  readonly result: Json;
  readonly bytes: number;
}

function resultOf(engine: Engine, answer: Answer, method: string): Json {
  const { body, request } = answer;
  if (hasMember(body, "result") && !hasMember(body, "error")) return body["result"] ?? null;
  const name = `${request.method} ${request.origin}${request.pathTemplate}`;
  const said = hasMember(body, "error") ? apiText(body, engine.redactor.redact) : null;
  if (said === null) {
    const what = answer.missing ? "404" : `${typeName(body)} without result`;
    const message = `${name} answered ${what}, where JSON-RPC was expected.`;
    throw new RunFailure(
      failure("decode", message, "set the backend to a JSON-RPC endpoint", { request }),
    );
  }
  throw new RunFailure(
    failure(
      "upstream_error",
      `${name} reports a failure: "${said}".`,
      `check the arguments of ${method} against what the node says`,
      { request: { ...request, apiText: said } },
    ),
  );
}

/** Asks the node one thing; equal questions are asked once between two effects (RUN-023, RUN-041). */
async function ask(
  engine: Engine,
  site: NodeContext,
  { prepared, template }: EvmCall,
  method: string,
  params: readonly Json[],
): Promise<NodeAnswer> {
  const value: Json = { jsonrpc: "2.0", id: 1, method, params };
  const answer = await performRead(engine, site.id, prepared, {
    transport: template.transport,
    method: "POST",
    path: "",
    pathTemplate: `#${method}`,
    query: [],
    headers: [],
    body: { format: "json", value },
  });
  return { result: resultOf(engine, answer, method), bytes: answer.bytes };
}

function wrongChain(call: EvmCall, entryId: string, found: string, wanted: string): RunFailure {
  return new RunFailure(
    failure(
      "upstream_error",
      `The node serves chain ${found}, and ${call.prepared.call.capability.label} is for chain ${wanted}.`,
      `set the backend of ${entryId} to a node of chain ${wanted}`,
    ),
  );
}

/** Checks the node's chain, once per session and backend (MAP-053). */
async function checkChain(engine: Engine, site: NodeContext, call: EvmCall): Promise<void> {
  const { entryId } = call.prepared.call.catalog;
  const { backend } = await engine.party(entryId, site.id);
  const { chains } = engine;
  const known = chains.get(backend.base) ?? readChain(engine, site, call);
  chains.set(backend.base, known);
  let found: string;
  try {
    found = await known;
  } catch (error) {
    chains.delete(backend.base);
    throw error;
  }
  const wanted = chainId(call.template.chain);
  if (found !== wanted) throw wrongChain(call, entryId, found, wanted);
}

async function readChain(engine: Engine, site: NodeContext, call: EvmCall): Promise<string> {
  const { result } = await ask(engine, site, call, "eth_chainId", []);
  const found = quantityText(result);
  if (found !== null) return found;
  throw new RunFailure(
    failure("decode", "eth_chainId gave no number.", "set the backend to a JSON-RPC endpoint"),
  );
}

/** Asks the node of a call, on the chain that the mapping means. Throws RunFailure or RunStop. */
export async function askNode(
  engine: Engine,
  site: NodeContext,
  call: EvmCall,
  method: "eth_call" | "eth_getLogs" | "eth_blockNumber",
  params: readonly Json[],
): Promise<NodeAnswer> {
  await checkChain(engine, site, call);
  return ask(engine, site, call, method, params);
}
