import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startServer } from "@plasm/testkit/servers";
import { run, type Setting } from "../../runtime/src/testing/fixture-run.ts";
import { ANN, ledger, TOKEN } from "./testing/ledger-catalog.ts";
import { planProgram } from "../../runtime/src/testing/run-program.ts";
import { padded, startNode, type TestNode, word } from "./testing/start-node.ts";
import { evmReaders } from "./evm-readers.ts";

const BALANCE_OF = "0x70a08231";
const SYMBOL = "0x95d89b41";
const STATE = "0x2acac610";

let node: TestNode;
let setting: Setting;

beforeAll(async () => {
  node = await startNode();
});
beforeEach(() => {
  node.asked.splice(0);
  node.chain = "0x1";
  node.calls = new Map();
  setting = {
    catalogs: [ledger()],
    backends: { ledger: `${node.url}/v2/key` },
    readers: evmReaders,
  };
});
afterAll(() => node.close());

async function result(program: string, own: Setting = setting) {
  const { nodes, returns, summary } = planProgram(program, own.catalogs);
  const outcome = await run(own, nodes, returns);
  const error = outcome.nodes.find((each) => each.error !== null)?.error ?? null;
  return { rows: outcome.results[0]?.rows, error, bill: summary.bill };
}

const methods = (): readonly string[] => node.asked.map(({ method }) => method);

describe("evm_call (mapping format, section 5)", () => {
  test("MAP-053, MAP-054: a get with the effective backend for endpoint, integers as decimal text", async () => {
    const huge = 2n ** 255n + 7n;
    node.calls = new Map([[BALANCE_OF + word(ANN), `0x${word(huge)}${word(3)}`]]);
    const { rows, bill } = await result(`Holding("${ANN}")`);
    expect(rows).toEqual([
      { ref: `Holding:${ANN}`, values: { who: ANN, amount: huge.toString(), rank: 3 } },
    ]);
    expect(node.log.map(({ method, path }) => `${method} ${path}`)).toEqual(
      Array.from({ length: 2 }, () => "POST /v2/key"),
    );
    expect(node.asked).toEqual([
      { method: "eth_chainId", params: [] },
      { method: "eth_call", params: [{ to: TOKEN, data: BALANCE_OF + word(ANN) }, "latest"] },
    ]);
    expect(bill.requests).toEqual({ exact: 1 });
  });

  test.each([
    ['"1234"', "0x4d2"],
    ['"safe"', "safe"],
  ])("at the block %s", async (given, sent) => {
    node.calls = new Map([[BALANCE_OF + word(ANN), `0x${word(1)}${word(1)}`]]);
    await result(`Holding("${ANN}").get(at=${given})`);
    expect(node.asked.at(-1)?.params[1]).toBe(sent);
  });

  test("bytes as 0x hex, lists, tuples with names, text and booleans; the identity of the request", async () => {
    // bytes4, (uint8, int256)[], bool, string: a head of four words, two of them offsets in bytes.
    const head = `${"c0ffee00".padEnd(64, "0")}${word(0x80)}${word(1)}${word(0x120)}`;
    const parts = `${word(2)}${word(1)}${word(-5)}${word(255)}${word(2n ** 200n)}`;
    const tag = `${word(4)}${padded("grö")}`;
    const flags = `${word(0x20)}${word(2)}${word(1)}${word(0)}`;
    node.calls = new Map([
      [`${STATE}${word(0x20)}${word(0)}`, `0x${head}${parts}${tag}`],
      [
        `${STATE}${flags}`,
        `0x${"00".repeat(32)}${word(0x80)}${word(0)}${word(0xa0)}${word(0)}${word(0)}`,
      ],
    ]);
    const pool = "0xabcdef0123456789abcdef0123456789abcdef01";
    const { rows, error } = await result(`Pool("${pool}")[id, mark, parts, open, tag]`);
    expect(error).toBeNull();
    const found = [
      { low: "1", high: "-5" },
      { low: "255", high: (2n ** 200n).toString() },
    ];
    expect(rows).toEqual([
      {
        ref: `Pool:${pool}`,
        values: { id: pool, mark: "0xc0ffee00", parts: found, open: true, tag: "grö" },
      },
    ]);
    const other = await result(`Pool("${pool}").get(flags=[true, false])[parts, open, tag]`);
    expect(other.rows?.map(({ values }) => values)).toEqual([{ parts: [], open: false, tag: "" }]);
  });

  test("a query is a list of one row", async () => {
    node.calls = new Map([[SYMBOL, `0x${word(0x20)}${word(3)}${padded("DAI")}`]]);
    const { rows } = await result("Coin{symbol=DAI}");
    expect(rows).toEqual([{ ref: "Coin:DAI", values: { symbol: "DAI" } }]);
  });
});

describe("MAP-053: the chain of the endpoint", () => {
  test("is checked once per session, however many runs it has", async () => {
    node.calls = new Map([[SYMBOL, `0x${word(0x20)}${word(1)}${padded("A")}`]]);
    const session = { ...setting, endpoints: new Map<string, Promise<string>>() };
    await result("Coin", session);
    await result("Coin", session);
    expect(methods()).toEqual(["eth_chainId", "eth_call", "eth_call"]);
    await result("Coin");
    expect(methods().slice(3)).toEqual(["eth_chainId", "eth_call"]);
  });

  test("another chain is refused before anything is asked of it", async () => {
    node.chain = "0x2105";
    const { error } = await result("Coin");
    expect(error).toMatchObject({
      code: "upstream_error",
      message: "The node serves chain 8453, and query is for chain 1.",
      correction: "set the backend of ledger to a node of chain 1",
    });
    expect(methods()).toEqual(["eth_chainId"]);
  });

  test.each([
    ["base", "0x2105"],
    ["Sepolia", "0xaa36a7"],
    ['"10"', "0xa"],
  ])("chain: %s", async (chain, id) => {
    node.chain = id;
    node.calls = new Map([[SYMBOL, `0x${word(0x20)}${word(1)}${padded("A")}`]]);
    const own = { ...setting, catalogs: [ledger(chain)] };
    expect((await result("Coin", own)).rows).toHaveLength(1);
  });

  test("an unknown name is an error that lists those known", async () => {
    const { error } = await result("Coin", { ...setting, catalogs: [ledger("narnia")] });
    expect(error).toMatchObject({ code: "argument_invalid" });
    expect(error?.correction).toContain("mainnet");
  });
});

describe("MAP-053: an engine without a reader of chains", () => {
  test("says which reader is missing, and asks nothing", async () => {
    const { readers: _, ...bare } = setting;
    const { error } = await result("Coin", bare);
    expect(error).toMatchObject({
      code: "argument_invalid",
      message: "query reads over evm_call, for which no reader is registered here.",
      correction: "let the operator register a reader of evm_call among the ports of the engine",
    });
    expect(methods()).toEqual([]);
  });
});

describe("what a node and its callers may get wrong", () => {
  test("RUN-041: a JSON-RPC error is a failure with its text", async () => {
    node.calls = new Map([[SYMBOL, "execution reverted: paused"]]);
    const { error } = await result("Coin");
    expect(error).toMatchObject({ code: "upstream_error" });
    expect(error?.message).toMatch(
      /^POST http:.*#eth_call reports a failure: ".*execution reverted: paused/,
    );
    expect(error?.message).not.toContain("/v2/key");
  });

  test.each<[string, string, string]>([
    ["no such contract", "0x", "is empty"],
    ["something else", `0x${word(5)}`, "is no symbol result"],
  ])("%s: decode", async (_what, data, says) => {
    node.calls = new Map([[SYMBOL, data]]);
    const { error } = await result("Coin");
    expect([error?.code, error?.message.includes(says)]).toEqual(["decode", true]);
  });

  test.each<[string, string]>([
    ['Holding("0x12")', "balanceOf(address who) does not take"],
    ['Pool("ann")', "The contract of pool_get is ann, which is no address"],
    [`Holding("${ANN}").get(at="soon")`, "The block is soon"],
  ])("%s: argument_invalid, and nothing is asked", async (program, says) => {
    const { error } = await result(program);
    expect([error?.code, error?.message.includes(says)]).toEqual(["argument_invalid", true]);
    expect(methods().filter((method) => method === "eth_call")).toEqual([]);
  });

  test("an endpoint that speaks no JSON-RPC", async () => {
    const api = await startServer(() => ({ json: { hello: "world" } }));
    const { error } = await result("Coin", { ...setting, backends: { ledger: api.url } });
    await api.close();
    expect(error).toMatchObject({
      code: "decode",
      correction: "set the backend to a JSON-RPC endpoint",
    });
  });
});
