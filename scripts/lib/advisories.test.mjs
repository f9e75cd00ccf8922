import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { capture } from "../boot/capture.mjs";
import { judgeAdvisories, readListed } from "./advisories.mjs";
import { root } from "./workspace.mjs";

const ID = "GHSA-aaaa-bbbb-cccc";
const advisory = (severity) => ({
  id: 1,
  url: `https://github.com/advisories/${ID}`,
  title: "a door that is open",
  severity,
  vulnerable_versions: "<9999",
  cwe: [],
  cvss: { score: 0, vectorString: null },
});

const ends = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** A registry that answers so when it is asked for advisories. */
async function registry(status, body) {
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(body));
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  ends.push(() => new Promise((resolve) => server.close(resolve)));
  return `http://127.0.0.1:${server.address().port}/`;
}

/** The gate, asking this registry, with this list of what is accepted. */
async function gate(address, listed = []) {
  const directory = mkdtempSync(join(tmpdir(), "plasm-advisories-"));
  ends.push(() => rmSync(directory, { recursive: true, force: true }));
  const file = join(directory, "listed.json");
  writeFileSync(file, JSON.stringify(listed));
  const env = { ...process.env, pnpm_config_registry: address, pnpm_config_fetch_retries: "0" };
  const command = [process.execPath, "scripts/gates/advisories.mjs", "--list", file];
  const { code, stdout } = await capture(command, { cwd: root, env });
  return { code, stdout };
}

describe("18.20 the gate of known advisories", () => {
  test.each(["high", "critical"])(
    "is red for one of %s severity, and names it",
    async (severity) => {
      const { code, stdout } = await gate(await registry(200, { hono: [advisory(severity)] }));
      expect(stdout).toMatch(new RegExp(`FOUND hono .*: ${severity}: a door that is open`));
      expect(code).toBe(1);
    },
  );

  test("tells others, and those that are listed with a reason and a day", async () => {
    const moderate = await gate(await registry(200, { hono: [advisory("moderate")] }));
    expect([moderate.code, moderate.stdout]).toEqual([0, expect.stringContaining("told  hono")]);
    const listed = [{ id: ID, reason: "nothing of it is reached here", until: "9999-01-01" }];
    const known = await gate(await registry(200, { hono: [advisory("high")] }), listed);
    expect([known.code, known.stdout]).toEqual([0, expect.stringContaining("known hono")]);
  });

  test.each([
    ["a registry without the endpoint", () => registry(405, {})],
    ["nobody", async () => "http://127.0.0.1:9/"],
  ])("says that nothing was checked where it reaches %s, and passes", async (_, address) => {
    const { code, stdout } = await gate(await address());
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^not checked: no source/)]);
  });

  test("what was accepted until a day is found again after it", () => {
    const one = { ...advisory("high"), module_name: "hono", github_advisory_id: ID };
    const listed = [{ id: ID, reason: "nothing of it is reached here", until: "2026-01-01" }];
    const stdout = JSON.stringify({ advisories: { 1: one } });
    const judged = (day) =>
      judgeAdvisories({ stdout, stderr: "", listed, today: new Date(day) }).failed;
    expect([judged("2026-01-01"), judged("2026-01-02")]).toEqual([false, true]);
  });

  test("a list without a reason or a day is refused", () => {
    for (const one of [{ id: ID }, { id: ID, reason: "no", until: "2026-01-01" }, { id: "x" }]) {
      expect(() => readListed(JSON.stringify([one]))).toThrow("give id");
    }
  });
});
