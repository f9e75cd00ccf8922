import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runHere } from "../testing/run-here.ts";
import { cleanUp, type Ended, temporaryDirectory } from "../testing/spawn-plasm.ts";
import { startServer, type TestServer } from "../testing/start-server.ts";
import { writeProfile } from "../workspace/workspace.ts";

let server: TestServer;
let cwd = "";
let key = "";

const plasm = (...args: readonly string[]): Promise<Ended> =>
  runHere(args, { cwd, env: { PLASM_OPERATOR_KEY: key } });
const audit = (...args: readonly string[]): Promise<Ended> => plasm("audit", ...args);

beforeAll(async () => {
  const dataDir = await temporaryDirectory();
  cwd = await temporaryDirectory();
  const env = { PLASM_DATA: dataDir };
  const added = await runHere(["keys", "add", "--subject", "ann"], { cwd, env });
  key = added.stdout.trim();
  server = await startServer({ dataDir });
  await writeProfile(join(cwd, ".plasm"), { server: server.url });
  await plasm("context", "-i", "paint", "quay:Boat");
  for (const id of ["b1", "b2"]) {
    await plasm("run", "-e", `Boat("${id}").update(note="=HYPERLINK(1)")`, "--force");
  }
}, 60_000);
afterAll(async () => {
  await server.close();
  await cleanUp();
});

describe("plasm audit (SURF-20, OPS-42)", { timeout: 60_000 }, () => {
  it("list shows the newest lines first, and those that are asked for", async () => {
    const { stdout, code } = await audit("list");
    const lines = stdout.trim().split("\n");
    expect([code, lines.map((line) => line.split(" · ")[2])]).toEqual([
      0,
      ["effect_ended", "effect_started", "effect_ended", "effect_started", "key_added"],
    ]);
    expect(lines[0]).toMatch(
      /^5 · \S+Z · effect_ended · local · quay boat_update Boat:b2 · pc1 · done · 20\d$/,
    );
    const some = await audit("list", "--kind", "effect_ended", "--limit", "1");
    expect(some.stdout).toMatch(/^5 · [^\n]+\n$/);
    expect(some.stderr).toContain("more with --limit");
    expect((await audit("list", "--catalog", "yard")).stdout).toContain("No line");
    const wrong = await audit("list", "--kind", "everything");
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("effect_started")]);
  });

  it("export prints JSON Lines and CSV; verify checks a file and names the first line that does not fit", async () => {
    const { stdout } = await audit("export");
    const file = join(cwd, "audit.jsonl");
    await writeFile(file, stdout);
    const ok = await audit("verify", file);
    expect([ok.code, ok.stdout]).toEqual([0, expect.stringMatching(/^5 lines fit, 1 to 5\./)]);
    const [, head = ""] = /--head (\S+)/.exec(ok.stdout) ?? [];
    await writeFile(file, (await readFile(file, "utf8")).replace("Boat:b1", "Boat:b9"));
    const forged = await audit("verify", file);
    expect([forged.code, forged.stderr]).toEqual([
      1,
      "plasm: Line 2 does not fit: its hash is not that of its content.\n",
    ]);
    await writeFile(file, stdout.split("\n").slice(0, 3).join("\n"));
    expect((await audit("verify", file)).code).toBe(0);
    const cut = await audit("verify", file, "--head", head);
    expect([cut.code, cut.stderr]).toEqual([1, "plasm: Line 5, the one of --head, is missing.\n"]);
    await writeFile(file, "no line\n");
    expect((await audit("verify", file)).stderr).toContain("it is not a line of an audit log");

    const table = (await audit("export", "--format", "csv", "--kind", "key_added")).stdout;
    const [names = "", row = ""] = table.split("\n");
    expect(names.split(",").slice(0, 5)).toEqual(["n", "at", "happened_at", "tenant", "kind"]);
    expect(row).toMatch(/^1,[^,]+Z,[^,]+Z,anonymous,key_added,command line \(\w+\),/);
    // Neither what was written nor a key is in it.
    for (const secret of ["HYPERLINK", key, key.slice(-43)]) expect(stdout).not.toContain(secret);
  });

  it("verify checks the server's log, against a line that was kept, too", async () => {
    const { stdout, code } = await audit("verify");
    const [, head = ""] = /--head (\S+)/.exec(stdout) ?? [];
    expect([code, head]).toEqual([0, expect.stringMatching(/^5:[0-9a-f]{64}$/)]);
    expect((await audit("verify", "--head", head)).code).toBe(0);
    const other = await audit("verify", "--head", `5:${"0".repeat(64)}`);
    expect([other.code, other.stderr]).toContain(
      "plasm: Line 5 does not fit: it is not the one of --head.\n",
    );
    const forged = await audit("verify", "--head", `4:${"0".repeat(64)}`);
    expect(forged.code).toBe(1);
    // A file that begins behind the kept line fits behind it, or it does not.
    const { stdout: all } = await audit("export");
    const file = join(cwd, "behind.jsonl");
    const [first = "", ...rest] = all.trim().split("\n");
    await writeFile(file, rest.join("\n"));
    const { hash } = JSON.parse(first) as { hash: string };
    expect((await audit("verify", file, "--head", `1:${hash}`)).code).toBe(0);
    const changed = await audit("verify", file, "--head", `1:${"0".repeat(64)}`);
    expect([changed.code, changed.stderr]).toEqual([
      1,
      "plasm: Line 2 does not fit: its prev is not the hash of --head.\n",
    ]);
    expect((await audit("verify", "--head", "5")).code).toBe(2);
  });
});
