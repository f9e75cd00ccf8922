import { execFile } from "node:child_process";
import { rm, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { startSampleApis } from "@plasm/sample-apis";
import { fixtureCatalogDir } from "@plasm/testkit";
import { expect, test } from "vitest";
import { AgentFailure } from "../harness/agent-failure.ts";
import { httpAgent } from "../harness/http-agent.ts";
import { openSession, seedsOf } from "../harness/open-session.ts";
import { startPlasmServer } from "../harness/plasm-server.ts";
import { useStarted } from "../servers/endings.ts";

const run = promisify(execFile);

/** A server whose data directory is a file system of a few megabytes, which only root can mount. */
const world = useStarted(async (endings) => {
  const dataDir = await endings.directory("small-disk");
  await run("mount", ["-t", "tmpfs", "-o", "size=24m", "tmpfs", dataDir]);
  endings.add(() => run("umount", [dataDir]));
  const apis = await startSampleApis({
    dataDir: await endings.directory("apis"),
    ports: { quay: 0, yard: 0 },
  });
  endings.add(() => apis.close());
  const server = await startPlasmServer({
    dataDir,
    catalogs: [fixtureCatalogDir("quay")],
    env: { PLASM_BACKEND_QUAY: apis.quay.url },
  });
  endings.add(() => server.stop());
  return { dataDir, server };
});

const health = async (url: string): Promise<{ status: number; body: string }> => {
  const response = await fetch(`${url}/v1/health`);
  return { status: response.status, body: await response.text() };
};

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (thrown: unknown) => thrown,
  );

/** Takes every byte that is left. */
async function fill(path: string): Promise<void> {
  const script = `dd if=/dev/zero of="$1" bs=4096 2>/dev/null; true`;
  await run("sh", ["-c", script, "sh", path]);
}

test("18.2 a full disk is 503 with its cause, in health and one line of the log; nothing is lost, and it passes by itself", async () => {
  const { dataDir, server } = world();
  const agent = httpAgent(server.url);
  const { ref } = await openSession(agent, "before the disk is full", seedsOf("quay", "Boat"));
  const before = await agent.run(ref, "e1.limit(2)[id]");
  expect(await health(server.url)).toMatchObject({ status: 200 });

  const filler = `${dataDir}/filler`;
  await fill(filler);
  // What SQLite's log has room for beside the filler is used up by plans.
  let failure: unknown = null;
  for (let n = 1; n <= 2_000 && failure === null; n += 1) {
    failure = await failureOf(agent.run(ref, `e1.limit(${n})`));
  }
  expect(failure).toBeInstanceOf(AgentFailure);
  expect(String(failure)).toContain("The disk that holds the data directory is full");
  for (let n = 0; n < 5; n += 1) await failureOf(agent.run(ref, "e1.limit(3)"));
  const ill = await health(server.url);
  expect([ill.status, ill.body]).toEqual([503, expect.stringContaining("is full")]);
  const lines = server.said().match(/The store cannot be used[^]*?\n/g) ?? [];
  expect(lines).toHaveLength(1);
  expect(server.said()).toContain("database or disk is full");

  await rm(filler);
  expect(await health(server.url)).toMatchObject({ status: 200 });
  expect(server.said()).toContain("The store can be used again");
  const after = await agent.run(ref, "e1.limit(2)[id]");
  expect(after.results).toEqual(before.results);
  await writeFile(`${dataDir}/room`, "there is room again");
});
