import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answerWith, type OwnServer } from "../testing/answer-with.ts";
import { LONG } from "../testing/gated-boats.ts";
import { onTerminal } from "../testing/on-terminal.ts";
import { cleanUp, spawnPlasm } from "../testing/spawn-plasm.ts";
import { startServer, type TestServer } from "../testing/start-server.ts";
import { workplaceWithBoats } from "../testing/workplace.ts";

const PER_PAGE = 20;
const TOTAL = 130;

/**
 * A quay of some boats on several pages; `fails` says from which page on it answers an error, `gate` what all
 * pages but the first wait for.
 */
function boatsOf(
  total: number,
  fails = Number.POSITIVE_INFINITY,
  gate: Promise<void> = Promise.resolve(),
): Promise<OwnServer> {
  return answerWith((request, response) => {
    const page = Number(new URL(request.url ?? "", "http://quay").searchParams.get("page") ?? 1);
    response.setHeader("content-type", "application/json");
    if (page >= fails) {
      response.statusCode = 422;
      response.end(JSON.stringify({ message: "the page is worn out" }));
      return;
    }
    const start = (page - 1) * PER_PAGE;
    const count = Math.max(0, Math.min(PER_PAGE, total - start));
    const items = Array.from({ length: count }, (_, row) => ({
      id: `b${start + row + 1}`,
      name: "Alma",
      built: "1981-04-02",
    }));
    const answer = (): void => void response.end(JSON.stringify({ items, page, total }));
    if (page === 1) answer();
    else void gate.then(answer);
  });
}

let boats: OwnServer;
let worn: OwnServer;
let server: TestServer;
let failing: TestServer;
beforeAll(async () => {
  boats = await boatsOf(TOTAL);
  worn = await boatsOf(TOTAL, 3);
  server = await startServer({ quay: boats.url });
  failing = await startServer({ quay: worn.url });
});
afterAll(async () => {
  await server.close();
  await failing.close();
  await boats.close();
  await worn.close();
  await cleanUp();
});

interface Line {
  readonly result?: string;
  readonly row?: { readonly id: string };
  readonly _meta?: { readonly plasm: { readonly paging?: readonly unknown[] } };
}

const linesOf = (stdout: string): readonly Line[] =>
  stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);

const idsOf = (lines: readonly Line[]): readonly string[] =>
  lines.flatMap(({ row }) => (row === undefined ? [] : [row.id]));

const ALL = Array.from({ length: TOTAL }, (_none, at) => `b${at + 1}`);

describe("17.10 a format for programs has every row, or the command ends with 4 (SURF-20, SURF-22)", () => {
  it("ndjson: every page, each row once and in order, and one line of meta that leaves nothing", async () => {
    const { cwd } = await workplaceWithBoats(server.url, "ndjson");
    const { code, stdout, stderr } = await spawnPlasm(
      ["run", "-e", "Boat[id]", "--format", "ndjson"],
      cwd,
    ).ended;
    const lines = linesOf(stdout);
    expect([code, stderr, idsOf(lines)]).toEqual([0, "", ALL]);
    expect(lines.filter(({ _meta }) => _meta !== undefined)).toHaveLength(1);
    expect(lines.at(-1)?._meta?.plasm.paging ?? []).toEqual([]);
    expect(await readFile(join(cwd, ".plasm/outputs/run.ndjson"), "utf8")).toBe(stdout);
  });

  it("json: one document with all rows", async () => {
    const { cwd } = await workplaceWithBoats(server.url, "json");
    const { code, stdout, stderr } = await spawnPlasm(
      ["run", "-e", "a = Boat[id]\nb = Boat.limit(3)[id]\na, b", "--format", "json"],
      cwd,
    ).ended;
    const { results, text } = JSON.parse(stdout) as {
      readonly results: readonly {
        readonly name: string;
        readonly rows: readonly { readonly id: string }[];
        readonly row_count: number;
        readonly next: string | null;
      }[];
      readonly text: string;
    };
    expect([code, stderr]).toEqual([0, ""]);
    expect(results.map(({ name, rows }) => [name, rows.map(({ id }) => id)])).toEqual([
      ["a", ALL],
      ["b", ALL.slice(0, 3)],
    ]);
    expect(results.map(({ row_count, next }) => [row_count, next])).toEqual([
      [TOTAL, null],
      [3, null],
    ]);
    expect(text).not.toContain("page(");
  });

  it.each(["json", "ndjson"])("%s stops at --max-rows, and says where to go on", async (format) => {
    const { plasm } = await workplaceWithBoats(server.url, `most as ${format}`);
    const run = ["run", "-e", "Boat[id]", "--format", format, "--max-rows"];
    const { code, stdout, stderr } = await plasm([...run, "50"]);
    expect([code, stderr]).toEqual([4, expect.stringContaining("--max-rows 50 is reached")]);
    const count = stdout.match(/"id":"b\d+"/g)?.length;
    expect(count).toBe(50);
    const [, handle = ""] = /page\((s\d+_pg\d+)\)/.exec(stderr) ?? [];
    expect(stdout).toContain(handle);
    const rest = await plasm(["run", "-e", `page(${handle})`, "--format", "ndjson"]);
    expect([rest.code, idsOf(linesOf(rest.stdout))]).toEqual([0, ALL.slice(50)]);
    expect((await plasm([...run, "0"])).code).toBe(2);
  });

  it.each(["json", "ndjson"])("%s keeps what it has when a page fails", async (format) => {
    const { plasm } = await workplaceWithBoats(failing.url, `worn as ${format}`);
    const { code, stdout, stderr } = await plasm(["run", "-e", "Boat[id]", "--format", format]);
    expect([code, stderr]).toEqual([
      4,
      expect.stringMatching(/rows are missing: Boat: rows_unread: .*the page is worn out/),
    ]);
    expect(stdout.match(/"id":"b\d+"/g)).toHaveLength(PER_PAGE * 2);
  });

  it("a continuation that says how many rows it wants has those; text shows a page, as ever", async () => {
    const { plasm } = await workplaceWithBoats(server.url, "text");
    const text = await plasm(["run", "-e", "Boat[id]"]);
    expect([text.code, text.stderr]).toEqual([0, ""]);
    const [, handle = ""] = /next: page\((s\d+_pg\d+)\)/.exec(text.stdout) ?? [];
    const some = ["run", "-e", `page(${handle}, limit=7)`, "--format", "ndjson"];
    const { code, stdout } = await plasm(some);
    expect([code, idsOf(linesOf(stdout))]).toEqual([0, ALL.slice(20, 27)]);
    expect(linesOf(stdout).at(-1)?._meta?.plasm.paging).toHaveLength(1);
  });

  it("rows come out while later pages are still read", async () => {
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const gated = await boatsOf(TOTAL, Number.POSITIVE_INFINITY, gate);
    const own = await startServer({ quay: gated.url });
    const { cwd } = await workplaceWithBoats(own.url, "streamed");
    const running = spawnPlasm(["run", "-e", "Boat[id]", "--format", "ndjson"], cwd);
    const early = await running.said('"b20"');
    expect(early).not.toContain('"b21"');
    open();
    const { code, stdout } = await running.ended;
    expect([code, idsOf(linesOf(stdout)).length]).toEqual([0, TOTAL]);
    await own.close();
    await gated.close();
  });

  it("on a terminal, too", async () => {
    const { cwd } = await workplaceWithBoats(server.url, "terminal");
    const stdout = join(cwd, "rows.ndjson");
    const args = ["run", "-e", "Boat[id]", "--format", "ndjson"];
    const { code } = await onTerminal(args, { cwd, stdout }).ended;
    expect([code, idsOf(linesOf(await readFile(stdout, "utf8")))]).toEqual([0, ALL]);
  });
});

describe("17.10 without a terminal a long run is waited for (OPS-9)", () => {
  it.each(["text", "json", "ndjson"])("%s has its rows, and no handle", async (format) => {
    const { cwd, done } = await workplaceWithBoats(server.url, `long as ${format}`);
    await done("run", "--mode", "plan", "-e", LONG);
    const args = ["run", "-e", LONG, "--commit", "pc0", "--format", format];
    const followed = await spawnPlasm([...args, "--wait"], cwd).ended;
    expect(followed.stderr).toMatch(/^(s\d+_o1 [+~=!].*\n)+$/);
    // Without it, what ends at once needs no following (OPS-13).
    const { code, stdout, stderr } = await spawnPlasm(args, cwd).ended;
    expect(stderr).toMatch(/^(s\d+_o2 [+~=!].*\n)*$/);
    expect([code, stdout]).toEqual([0, expect.stringContaining("b50")]);
    const rows = stdout.match(/"id":"b\d+"/g)?.length ?? 0;
    expect(rows).toBe(format === "text" ? 0 : TOTAL);
    expect([followed.code, followed.stdout.match(/"id":"b\d+"/g)?.length ?? 0]).toEqual([0, rows]);
    for (const told of [stdout, followed.stdout]) expect(told).not.toMatch(/wait\(/);
  });

  it("--wait=false answers the handle; a format for programs says that rows are missing", async () => {
    const { plasm } = await workplaceWithBoats(server.url, "handles");
    const text = await plasm(["run", "--force", "--wait=false", "-e", LONG]);
    expect([text.code, text.stdout]).toEqual([0, expect.stringMatching(/^wait\(s\d+_o1\)/)]);
    const run = ["run", "--force", "--wait=false", "-e", LONG, "--format"];
    for (const format of ["json", "ndjson"]) {
      const { code, stderr } = await plasm([...run, format]);
      expect([code, stderr]).toEqual([
        4,
        expect.stringMatching(
          /^plasm: rows are missing: (s\d+_o\d) goes on by itself; .*wait\(\1\)/,
        ),
      ]);
    }
  });

  it("wait(h) waits, and has every row", async () => {
    const { plasm } = await workplaceWithBoats(server.url, "waits");
    const { stdout } = await plasm(["run", "--force", "--wait=false", "-e", LONG]);
    const [handle = ""] = /s\d+_o1/.exec(stdout) ?? [];
    const whole = await plasm(["run", "-e", `wait(${handle})`, "--format", "ndjson"]);
    expect([whole.code, idsOf(linesOf(whole.stdout))]).toEqual([0, ALL]);
  });
});
