import type { Json } from "@plasm/core";
import { RunFailure, type TransportAnswer, failure } from "@plasm/runtime";
import { hasMember, typeName } from "@plasm/runtime/internal";
import { quantityText } from "./abi-coder.ts";
import type { EvmRead } from "./contract-values.ts";

/** Chains by the names their own documentation gives them. */
const CHAINS: Readonly<Record<string, number>> = Object.freeze({
  arbitrum: 42161,
  avalanche: 43114,
  base: 8453,
  blast: 81457,
  bsc: 56,
  celo: 42220,
  ethereum: 1,
  fantom: 250,
  gnosis: 100,
  holesky: 17000,
  hoodi: 560048,
  linea: 59144,
  mainnet: 1,
  mantle: 5000,
  optimism: 10,
  polygon: 137,
  scroll: 534352,
  sepolia: 11155111,
  zksync: 324,
});

/** The id of a chain that a mapping names, as decimal text (MAP-053). Throws RunFailure. */
function chainId(chain: string | number): string {
  if (typeof chain === "number") return String(chain);
  if (/^\d+$/.test(chain)) return BigInt(chain).toString();
  const name = chain.toLowerCase();
  const id = Object.hasOwn(CHAINS, name) ? CHAINS[name] : undefined;
  if (id !== undefined) return String(id);
  throw new RunFailure(
    failure(
      "argument_invalid",
      `The mapping's chain is ${chain}, which is no known chain.`,
      `correct the mapping: a chain's number, or ${Object.keys(CHAINS).join(", ")}`,
    ),
  );
}

/** An answer of a node, with the size it had on the wire. */
export interface NodeAnswer {
  readonly result: Json;
  readonly bytes: number;
}

/** Asks the node of a read, on the chain that the mapping means. Throws RunFailure or RunStop. */
export async function askNode(
  read: EvmRead,
  method: "eth_call" | "eth_getLogs" | "eth_blockNumber",
  params: readonly Json[],
): Promise<NodeAnswer> {
  await checkChain(read);
  return ask(read, method, params);
}

/** Checks the node's chain, once per session and backend (MAP-053). */
async function checkChain(read: EvmRead): Promise<void> {
  const found = await read.call.oncePerEndpoint(() => readChain(read));
  const wanted = chainId(read.template.chain);
  if (found === wanted) return;
  const { capability, entryId } = read.call;
  throw new RunFailure(
    failure(
      "upstream_error",
      `The node serves chain ${found}, and ${capability.label} is for chain ${wanted}.`,
      `set the backend of ${entryId} to a node of chain ${wanted}`,
    ),
  );
}

async function readChain(read: EvmRead): Promise<string> {
  const { result } = await ask(read, "eth_chainId", []);
  const found = quantityText(result);
  if (found !== null) return found;
  throw new RunFailure(
    failure("decode", "eth_chainId gave no number.", "set the backend to a JSON-RPC endpoint"),
  );
}

/** Asks the node one thing; equal questions are asked once between two effects (RUN-023, RUN-041). */
async function ask(
  { call }: EvmRead,
  method: string,
  params: readonly Json[],
): Promise<NodeAnswer> {
  const answer = await call.post(method, { jsonrpc: "2.0", id: 1, method, params });
  return { result: resultOf(answer, method), bytes: answer.bytes };
}

function resultOf({ body, request, missing, said }: TransportAnswer, method: string): Json {
  if (hasMember(body, "result") && !hasMember(body, "error")) return body["result"] ?? null;
  const name = `${request.method} ${request.origin}${request.pathTemplate}`;
  const apiText = hasMember(body, "error") ? said() : null;
  if (apiText === null) {
    const what = missing ? "404" : `${typeName(body)} without result`;
    const message = `${name} answered ${what}, where JSON-RPC was expected.`;
    throw new RunFailure(
      failure("decode", message, "set the backend to a JSON-RPC endpoint", { request }),
    );
  }
  throw new RunFailure(
    failure(
      "upstream_error",
      `${name} reports a failure: "${apiText}".`,
      `check the arguments of ${method} against what the node says`,
      { request: { ...request, apiText } },
    ),
  );
}
