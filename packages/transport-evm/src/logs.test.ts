import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { goOn, run, type Setting } from "../../runtime/src/testing/fixture-run.ts";
import { ANN, BOB, ledger, TOKEN } from "./testing/ledger-catalog.ts";
import { planProgram } from "../../runtime/src/testing/run-program.ts";
import { type NodeLog, startNode, type TestNode, word } from "./testing/start-node.ts";
import { evmReaders } from "./evm-readers.ts";

/** keccak256("Transfer(address,address,uint256)"), as every token's logs begin. */
const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

const topic = (address: string): string => `0x${word(address)}`;

const log = (block: number, index: number, from: string, to: string, amount: bigint): NodeLog => ({
  block,
  index,
  address: TOKEN.toUpperCase().replace("0X", "0x"),
  topics: [TRANSFER, topic(from), topic(to)],
  data: `0x${word(amount)}`,
});

let node: TestNode;
let setting: Setting;

beforeAll(async () => {
  node = await startNode();
});
beforeEach(() => {
  node.asked.splice(0);
  node.head = 2_500;
  node.careless = false;
  node.logs = [
    log(5, 0, ANN, BOB, 1n),
    log(5, 12, BOB, ANN, 2n ** 90n),
    log(999, 1, ANN, BOB, 3n),
    log(2_400, 0, ANN, ANN, 4n),
  ];
  setting = { catalogs: [ledger()], backends: { ledger: node.url }, readers: evmReaders };
});
afterAll(() => node.close());

async function whole(program: string, own: Setting = setting) {
  const { nodes, returns, summary } = planProgram(program, own.catalogs);
  const outcome = await run(own, nodes, returns);
  const error = outcome.nodes.find((each) => each.error !== null)?.error ?? null;
  return { outcome, result: outcome.results[0], error, bill: summary.bill };
}

const ranges = (): readonly (readonly number[])[] =>
  node.asked
    .filter(({ method }) => method === "eth_getLogs")
    .map(({ params }) => {
      const { fromBlock, toBlock } = params[0] as { fromBlock: string; toBlock: string };
      return [Number(fromBlock), Number(toBlock)];
    });

describe("evm_logs (mapping format, section 5)", () => {
  test("RUN-003: logs of other contracts or blocks than were asked for are no rows, and told", async () => {
    node.careless = true;
    node.logs = [...node.logs, { ...log(5, 13, ANN, BOB, 9n), address: `0x${"9".repeat(40)}` }];
    const { result, outcome } = await whole("Transfer{from_block=5, to_block=5}");
    expect(result?.rows).toHaveLength(2);
    expect(result?.partial).toBeNull();
    expect(outcome.diagnostics).toMatchObject([
      {
        code: "row_unasked",
        detail:
          "eth_getLogs gave 3 logs of other contracts or blocks than were asked for; they are left out",
      },
    ]);
  });

  test("MAP-054: decoded topics, data and meta; event_id is txhash:logIndex", async () => {
    const { result, error } = await whole("Transfer{from_block=5, to_block=5}");
    expect(error).toBeNull();
    const hash = `0x${"ab".repeat(31)}05`;
    expect(result?.rows[1]).toEqual({
      ref: `Transfer:${hash}:12`,
      values: {
        event: `${hash}:12`,
        from: BOB,
        to: ANN,
        amount: (2n ** 90n).toString(),
        block: 5,
        contract: TOKEN,
        index: 12,
        hash,
        removed: false,
      },
    });
  });

  test("RUN-075, MAP-054: ranges of 1,000 blocks from from_block to the head, which is read once", async () => {
    const { result, bill } = await whole("Transfer{from_block=1}[amount].sort(amount)");
    expect(result?.rows).toHaveLength(4);
    expect(ranges()).toEqual([
      [1, 1_000],
      [1_001, 2_000],
      [2_001, 2_500],
    ]);
    const heads = node.asked.filter(({ method }) => method === "eth_blockNumber");
    expect(heads).toHaveLength(1);
    expect(bill.requests).toHaveProperty("unknown");
  });

  test("to_block ends it, and the head is not asked for", async () => {
    await whole("Transfer{from_block=900, to_block=1950}.sort(block)");
    expect(ranges()).toEqual([
      [900, 1_899],
      [1_900, 1_950],
    ]);
    expect(node.asked.map(({ method }) => method)).not.toContain("eth_blockNumber");
  });

  test("topics are sent in the order of indexed arguments, null for any", async () => {
    const sent = async (conditions: string): Promise<unknown> => {
      await whole(`Transfer{from_block=1, to_block=9, ${conditions}}`);
      return (node.asked.at(-1)?.params[0] as { topics: unknown } | undefined)?.topics;
    };
    expect(await sent(`from="${ANN}"`)).toEqual([TRANSFER, topic(ANN)]);
    expect(await sent(`to="${ANN}"`)).toEqual([TRANSFER, null, topic(ANN)]);
    expect(await sent(`from="${BOB}", to="${ANN}"`)).toEqual([TRANSFER, topic(BOB), topic(ANN)]);
  });

  test("a declared range and first block; ranges without logs are passed over", async () => {
    node.head = 2_450;
    node.logs = [log(95, 0, ANN, BOB, 1n), log(300, 0, ANN, BOB, 2n)];
    const { result } = await whole("Transfer.recent().limit(2)");
    expect(result?.rows.map(({ values }) => values["block"])).toEqual([95, 300]);
    expect(ranges().length).toBe(22);
    expect(ranges().slice(0, 2)).toEqual([
      [90, 99],
      [100, 109],
    ]);
  });

  test("from_block must be there, and be a block", async () => {
    expect(() => planProgram("Transfer.query()", setting.catalogs)).toThrow(/from_block/);
    const { error } = await whole("Transfer{from_block=-4}");
    expect([error?.code, error?.message]).toEqual([
      "argument_invalid",
      "from_block is -4, which is no block's number.",
    ]);
  });

  test("RUN-032: a log that is another event is a row with what can be read of it, and a diagnostic", async () => {
    node.logs = [{ ...log(5, 0, ANN, BOB, 1n), data: "0x12" }, log(5, 1, ANN, BOB, 2n)];
    const { result, outcome } = await whole("Transfer{from_block=5, to_block=5}[index, amount]");
    expect(result?.rows.map(({ values }) => values["index"])).toEqual([0, 1]);
    expect(result?.rows[1]?.values["amount"]).toBe("2");
    expect(outcome.diagnostics).toMatchObject([{ code: "value_unconverted", row: 0 }]);
  });

  test("RUN-076: a cursor goes on at the next block; pages together are the whole", async () => {
    const first = await whole("Transfer{from_block=1}.page_size(2)");
    expect(first.result?.rows).toHaveLength(2);
    const cursor = first.result?.cursor;
    if (cursor === undefined || cursor === null) throw new Error("no cursor");
    node.head = 9_000;
    const next = await goOn(setting, cursor, 10);
    if (next.status !== "succeeded") throw new Error(JSON.stringify(next));
    const amounts = [...(first.result?.rows ?? []), ...next.result.rows].map(
      ({ values }) => values["amount"],
    );
    expect(amounts).toEqual(["1", (2n ** 90n).toString(), "3", "4"]);
    expect(ranges().at(-1)).toEqual([2_001, 2_500]);
  });

  test("PLAN-051: the budget of pages cuts it", async () => {
    const { result } = await whole("Transfer{from_block=1}.sort(block)", {
      ...setting,
      limits: { pages: 1 },
    });
    expect([result?.rows.length, result?.partial]).toEqual([3, "pages"]);
  });
});

test("RUN-160, RUN-023: equal questions to a node are asked once, and run through the transport port", async () => {
  const text =
    "a = Transfer{from_block=1, to_block=9}[index]\nb = Transfer{from_block=1, to_block=9}[amount]\na\nb";
  await whole(text);
  expect(node.asked.map(({ method }) => method)).toEqual(["eth_chainId", "eth_getLogs"]);
});
