import { type Received, type Reply, startServer, type TestServer } from "@plasm/testkit/servers";

/** A log as a node has it, its block as a number. */
export interface NodeLog {
  readonly block: number;
  readonly index: number;
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
}

/** A call of a node. */
export interface Asked {
  readonly method: string;
  readonly params: readonly unknown[];
}

export interface TestNode extends TestServer {
  readonly asked: Asked[];
  chain: string;
  head: number;
  logs: readonly NodeLog[];
  /** gives all logs, whatever is asked for */
  careless: boolean;
  /** data of a call → what it gives; a text that does not begin with 0x is an error's message */
  calls: ReadonlyMap<string, string>;
}

/** A 32-byte word of the contract ABI. */
export const word = (value: bigint | number | string): string =>
  typeof value === "string"
    ? value.replace(/^0x/, "").padStart(64, "0")
    : BigInt.asUintN(256, BigInt(value)).toString(16).padStart(64, "0");

/** Text or bytes, padded to whole words on the right. */
export const padded = (text: string): string => {
  const hex = Buffer.from(text, "utf8").toString("hex");
  return hex.padEnd(Math.ceil(hex.length / 64) * 64, "0");
};

interface Filter {
  readonly address: string;
  readonly topics: readonly (string | null)[];
  readonly fromBlock: string;
  readonly toBlock: string;
}

function matching(logs: readonly NodeLog[], filter: Filter): readonly NodeLog[] {
  return logs
    .filter(({ block }) => block >= Number(filter.fromBlock) && block <= Number(filter.toBlock))
    .filter(({ address }) => address.toLowerCase() === filter.address)
    .filter(({ topics }) =>
      filter.topics.every((topic, at) => topic === null || topic === topics[at]),
    );
}

const wireLog = ({ block, index, address, topics, data }: NodeLog): object => ({
  address,
  topics,
  data,
  blockNumber: `0x${block.toString(16)}`,
  logIndex: `0x${index.toString(16)}`,
  transactionHash: `0x${"AB".repeat(31)}${block.toString(16).padStart(2, "0")}`,
  removed: false,
});

/** A node that speaks JSON-RPC over real HTTP; what it answers is ABI data written out by hand. */
export async function startNode(): Promise<TestNode> {
  const asked: Asked[] = [];
  const logs: readonly NodeLog[] = [];
  const state = { chain: "0x1", head: 0, careless: false, logs, calls: new Map() };
  const resultOf = ({ method, params }: Asked): unknown => {
    if (method === "eth_chainId") return node.chain;
    if (method === "eth_blockNumber") return `0x${node.head.toString(16)}`;
    if (method === "eth_getLogs") {
      const found = node.careless ? node.logs : matching(node.logs, params[0] as Filter);
      return found.map(wireLog);
    }
    const found = node.calls.get((params[0] as { data: string }).data);
    return found ?? "0x";
  };
  const answer = ({ method, body }: Received): Reply => {
    if (method !== "POST") return { status: 405, json: {} };
    const call = JSON.parse(body) as Asked & { readonly id: unknown };
    asked.push({ method: call.method, params: call.params });
    const result = resultOf(call);
    const isError = typeof result === "string" && !result.startsWith("0x");
    const error = { code: 3, message: result };
    return { json: { jsonrpc: "2.0", id: call.id, ...(isError ? { error } : { result }) } };
  };
  const server = await startServer(answer);
  const node: TestNode = Object.assign(state, server, { asked });
  return node;
}
