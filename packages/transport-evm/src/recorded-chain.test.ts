import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { run } from "../../runtime/src/testing/fixture-run.ts";
import { ANN, BOB, ledger, TOKEN } from "./testing/ledger-catalog.ts";
import { planProgram } from "../../runtime/src/testing/run-program.ts";
import { startNode, type TestNode, word } from "./testing/start-node.ts";
import { openRecording, type RecordingMode } from "@plasm/runtime";
import { evmReaders } from "./evm-readers.ts";

const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const OLD = "Transfer{from_block=5, to_block=2100}.sort(block)";
const NEW = "Transfer{from_block=5, to_block=5}";

let node: TestNode;
let directory: string;

beforeEach(async () => {
  node = await startNode();
  directory = await mkdtemp(join(tmpdir(), "plasm-chain-"));
  node.logs = [5, 2_050].map((block) => ({
    block,
    index: 0,
    address: TOKEN,
    topics: [TRANSFER, `0x${word(ANN)}`, `0x${word(BOB)}`],
    data: `0x${word(block)}`,
  }));
});
afterEach(async () => {
  await node.close();
  await rm(directory, { recursive: true, force: true });
});

async function under(mode: RecordingMode, program: string) {
  const recording = await openRecording({ directory: join(directory, "it"), mode });
  const catalogs = [ledger()];
  const { nodes, returns } = planProgram(program, catalogs);
  const setting = { catalogs, backends: { ledger: node.url }, readers: evmReaders, recording };
  const { results, nodes: ends } = await run(setting, nodes, returns);
  const asked = node.asked.splice(0).map(({ method }) => method);
  const codes = ends.flatMap(({ error }) => (error === null ? [] : [error.code]));
  return { rows: results[0]?.rows, asked, codes };
}

describe("RUN-162: requests to chains are recorded, too", () => {
  test("a replay gives the same rows, range by range, and asks no node (RUN-161)", async () => {
    const live = await under("record", OLD);
    expect(live.asked).toEqual(["eth_chainId", "eth_getLogs", "eth_getLogs", "eth_getLogs"]);
    expect(live.rows).toHaveLength(2);
    node.logs = [];
    expect(await under("replay", OLD)).toEqual({ ...live, asked: [] });
  });

  test("what was not recorded is a replay_miss; hybrid asks for that alone, and keeps it", async () => {
    await under("record", OLD);
    expect(await under("replay", NEW)).toMatchObject({ asked: [], codes: ["replay_miss"] });
    const hybrid = await under("hybrid", NEW);
    expect(hybrid.asked).toEqual(["eth_getLogs"]);
    expect(hybrid.rows).toHaveLength(1);
    expect(await under("replay", NEW)).toEqual({ ...hybrid, asked: [] });
  });
});
