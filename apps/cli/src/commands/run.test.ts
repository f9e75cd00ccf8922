import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answerWith, type OwnServer } from "../testing/answer-with.ts";
import { cleanUp, temporaryDirectory } from "../testing/spawn-plasm.ts";
import { startServer, type TestServer } from "../testing/start-server.ts";
import { workplace, workplaceWithBoats } from "../testing/workplace.ts";

let server: TestServer;
beforeAll(async () => {
  const policyFile = join(await temporaryDirectory(), "policy.json");
  await writeFile(policyFile, JSON.stringify({ default: { unreviewed_reads: { requests: 0 } } }));
  server = await startServer({ policyFile });
});
afterAll(async () => {
  await server.close();
  await cleanUp();
});

/** Reads every page, since its condition is tested here: it needs review by the policy here (OPS-6, PLAN-054). */
const NEEDS_REVIEW = "Boat{built<1987-01-01}[id]";
const reviewed = ["run", "-e", NEEDS_REVIEW] as const;

describe("a program that needs review (OPS-7, OPS-10)", () => {
  it("exits with 3, says its fresh ref and how to use it, and runs with it", async () => {
    const { plasm, done } = await workplaceWithBoats(server.url, "review");
    server.apis.forgetRequests();
    const blocked = await plasm(reviewed);
    expect([blocked.code, blocked.stdout]).toEqual([3, ""]);
    expect(blocked.stderr).toMatch(/^review pc0: not run \(no ref\)\nexpensive unbounded_read n1 /);
    expect(blocked.stderr).toMatch(/\nHere: plasm run --commit pc0\n$/);
    expect(server.apis.requests).toEqual([]);
    expect(await done(...reviewed, "--commit", "pc0", "--wait")).toContain("b38");
    expect(server.apis.requests.length).toBeGreaterThan(1);
  });

  it("exits with 3 for a ref that is unknown, or another program's", async () => {
    const { plasm, done } = await workplaceWithBoats(server.url, "other refs");
    const unknown = await plasm([...reviewed, "--commit", "pc7"]);
    expect(unknown.code).toBe(3);
    expect(unknown.stderr).toContain("unknown ref pc7");
    await done("run", "--mode", "plan", "-e", "Boat{built<1986-01-01}");
    const mismatch = await plasm([...reviewed, "--commit", "pc1"]);
    expect(mismatch.code).toBe(3);
    expect(mismatch.stderr).toContain("pc1 is of another program");
  });

  it("is planned with exit code 0, and runs by --force", async () => {
    const { done } = await workplaceWithBoats(server.url, "force");
    expect(await done("run", "--mode", "plan", "-e", NEEDS_REVIEW)).toMatch(/^plan review pc0 /);
    expect(await done(...reviewed, "--force", "--wait")).toContain("b38");
    expect(await done(...reviewed, "--force", "--wait=true")).toContain("b38");
  });
});

describe("a plan by its ref alone (OPS-3, SURF-20)", () => {
  it("runs without the program that was planned; stdin has nothing", async () => {
    const { done } = await workplaceWithBoats(server.url, "ref alone");
    expect(await done("run", "--mode", "plan", "-e", NEEDS_REVIEW)).toMatch(/^plan review pc0 /);
    expect(await done("run", "--commit", "pc0", "--wait")).toContain("b38");
    const rows = await done("run", "--commit", "pc0", "--wait", "--format", "ndjson");
    expect(rows).toContain('{"result":"Boat","row":{"id":"b38"}}');
  });

  it("a program that is given, by stdin too, must be of it", async () => {
    const { plasm, done } = await workplaceWithBoats(server.url, "ref and program");
    await done("run", "--mode", "plan", "-e", NEEDS_REVIEW);
    const alone = ["run", "--commit", "pc0", "--wait"] as const;
    expect((await plasm(alone, { input: NEEDS_REVIEW })).stdout).toContain("b38");
    const other = await plasm(alone, { input: "Boat{built<1986-01-01}[id]" });
    expect(other.code).toBe(3);
    expect(other.stderr).toContain("pc0 is of another program");
    const none = await plasm([...alone, "-e", ""]);
    expect([none.code, none.stdout]).toEqual([1, ""]);
    expect(none.stderr).toMatch(/^error empty_program/);
  });

  it("exits with 3 where it is unknown, and says to plan", async () => {
    const { plasm } = await workplaceWithBoats(server.url, "unknown ref alone");
    const { code, stdout, stderr } = await plasm(["run", "--commit", "pc7"]);
    expect([code, stdout]).toEqual([3, ""]);
    expect(stderr).toBe(
      "not run (unknown ref pc7)\nPlan the program, and run the ref of that plan\n",
    );
  });

  it.each([
    [["run"]],
    [["run", "--mode", "plan", "--commit", "pc0"]],
    [["run", "--mode", "explain", "--commit", "pc0"]],
  ])("%j has nothing to plan or run: misuse", async (args) => {
    const { plasm } = await workplaceWithBoats(server.url, "nothing to run");
    const { code, stderr } = await plasm(args);
    expect([code, stderr]).toEqual([
      2,
      "plasm: There is no program: -e PROGRAM, -f FILE, or on stdin; a plan runs by its --commit pcN alone.\n",
    ]);
  });
});

describe("a result cut by a budget (SURF-13, ERR-021)", () => {
  let endless: OwnServer;
  let cut: TestServer;
  beforeAll(async () => {
    endless = await answerWith((request, response) => {
      const page = new URL(request.url ?? "", "http://quay").searchParams.get("page");
      const items = Array.from({ length: 20 }, (_, row) => ({
        id: `${page}-${row}`,
        name: "Alma",
        built: "2011-04-02",
      }));
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ items, page: Number(page), total: 1_000_000 }));
    });
    cut = await startServer({ quay: endless.url });
  });
  afterAll(async () => {
    await cut.close();
    await endless.close();
  });

  it("PLAN-054 exits with 4 where nobody has reviewed it, and says what reads on", async () => {
    const { plasm } = await workplaceWithBoats(cut.url, "endless, unreviewed");
    const { code, stdout } = await plasm(["run", "-e", "Boat.sort(built)[id]"]);
    expect(code).toBe(4);
    expect(stdout).toContain("Boat · 400 rows, partial (requests)");
    expect(stdout).toContain("stopped at 20 requests; plan_commit_ref=pc0 reads");
  });

  it.each(["text", "json", "ndjson"])("exits with 4, as %s", async (format) => {
    const { plasm } = await workplaceWithBoats(cut.url, `endless as ${format}`);
    const { code, stdout, stderr } = await plasm(
      `run -e Boat.sort(built)[id] --force --wait --format ${format}`.split(" "),
    );
    expect(code).toBe(4);
    expect(stderr).toMatch(/^(s\d+_o1 [+~=!].*\n)+plasm: .*partial.*pages.*\n$/);
    expect(stdout).toContain("1-0");
    expect(stdout).toMatch(/pages/);
  });
});

describe("a session that is gone (SESS-26)", () => {
  it("exits with 5 when it expired; plasm context opens it again", async () => {
    const { plasm, done } = await workplaceWithBoats(server.url, "expiry");
    const store = new DatabaseSync(join(server.dataDir, "plasm.db"));
    store.exec("pragma busy_timeout = 5000; update execute_sessions set expires_at = 0");
    store.close();
    const { code, stdout, stderr } = await plasm(["run", "-e", "Boat.limit(1)"]);
    expect([code, stdout]).toEqual([5, ""]);
    expect(stderr).toContain("expired.");
    expect(stderr).toContain("plasm context API:ENTITY...");
    expect(await done("doctor")).toContain('note   session "expiry" is gone');
    expect(await done("context", "quay:Boat")).toContain("NOTICE: the earlier session of");
    expect(await done("run", "-e", "Boat.limit(1)[id]")).toContain("b1");
  });

  it("exits with 5 when the server has lost its data", async () => {
    const first = await startServer();
    const { plasm } = await workplaceWithBoats(first.url, "wiped");
    await first.close();
    await rm(first.dataDir, { recursive: true });
    const again = await startServer({ port: Number(new URL(first.url).port) });
    const { code, stderr } = await plasm(["run", "-e", "Boat.limit(1)"]);
    await again.close();
    expect(code).toBe(5);
    expect(stderr).toMatch(/^No such session\./);
  });
});

describe("a program that fails exits with 1", () => {
  it("because of its errors: their text is ERR-010's", async () => {
    const { plasm } = await workplaceWithBoats(server.url, "errors");
    const { code, stdout, stderr } = await plasm(["run", "-e", "Boat{state=moored}.sort(lenght)"]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^error unknown_column at 1:25\nBoat\{state=moored\}\.sort\(lenght\)\n/);
    expect(stderr).toContain("\nfix: use length.");
    expect(stderr).toMatch(/\ntry:\nBoat\{state=moored\}\.sort\(length\)\n$/);
  });

  it("because of the API it calls", async () => {
    const broken = await answerWith((_, response) => {
      response.statusCode = 400;
      response.end("{}");
    });
    const own = await startServer({ quay: broken.url });
    const { plasm } = await workplaceWithBoats(own.url, "broken API");
    const { code, stderr } = await plasm(["run", "-e", "Boat.limit(1)"]);
    await own.close();
    await broken.close();
    expect(code).toBe(1);
    expect(stderr).toMatch(/^failed at n1: upstream_error 400 from quay\n/);
  });
});

describe("misuse exits with 2", () => {
  it.each([
    [["run", "-e", "Boat"], "There is no session on"],
    [["run", "-e", "Boat", "-f", "x"], "cannot be used with option"],
    [["run", "-e", "Boat", "--mode", "dry"], "Allowed choices are plan, explain, run."],
    [["run", "-e", "Boat", "--format", "xml"], "Allowed choices are text, json, ndjson."],
    [["run", "-e", "Boat", "--wait=perhaps"], "It is true or false."],
    [["run", "-e", "Boat", "surplus"], "too many arguments"],
  ])("%j", async (args, said) => {
    const { code, stdout, stderr } = await (await workplace(server.url)).plasm(args);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(said);
  });

  it("a file that is not there, a ref that is none", async () => {
    const { plasm } = await workplaceWithBoats(server.url, "misuse");
    const file = await plasm(["run", "-f", "none.plasm"]);
    expect([file.code, file.stderr]).toEqual([2, "plasm: none.plasm cannot be read (ENOENT).\n"]);
    const ref = await plasm(["run", "-e", "Boat", "--commit", "seven"]);
    expect(ref.code).toBe(2);
    expect(ref.stderr).toContain("plan_commit_ref is the pcN of a plan");
  });
});
