import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answerWith } from "../testing/answer-with.ts";
import { CTRL_C, onTerminal } from "../testing/on-terminal.ts";
import { runHere } from "../testing/run-here.ts";
import { cleanUp, type Ended, temporaryDirectory } from "../testing/spawn-plasm.ts";
import { startServer, type TestServer } from "../testing/start-server.ts";
import { writeProfile } from "../workspace/workspace.ts";

const POLICY = { default: { apis: { quay: { approval: { operator: ["update"] } }, yard: {} } } };

let server: TestServer;
let [dataDir, key] = ["", ""];

const keys = (...args: readonly string[]): Promise<Ended> =>
  runHere(["keys", ...args], { cwd: dataDir, env: { PLASM_DATA: dataDir } });

beforeAll(async () => {
  dataDir = await temporaryDirectory();
  const policyFile = join(dataDir, "policy.json");
  await writeFile(policyFile, JSON.stringify(POLICY));
  key = (await keys("add", "--subject", "ann")).stdout.trim();
  server = await startServer({ dataDir, policyFile });
}, 60_000);
afterAll(async () => {
  await server.close();
  await cleanUp();
});

/** The writes that the APIs were asked for since the last look. */
function writes(): readonly string[] {
  const seen = server.apis.requests.filter(({ method }) => method !== "GET");
  server.apis.forgetRequests();
  return seen.map(({ method, path }) => `${method} ${path}`);
}

/** Somebody with a session on quay's boats, whose profile holds the operator's key, too. */
async function workplace(intent: string) {
  const cwd = await temporaryDirectory();
  await writeProfile(join(cwd, ".plasm"), { server: server.url, api_key: key });
  const env = { PLASM_OPERATOR_KEY: key };
  await runHere(["context", "-i", intent, "quay:Boat"], { cwd });
  return {
    cwd,
    run: (...args: readonly string[]) => runHere(["run", ...args], { cwd }),
    approvals: (...args: readonly string[]) => runHere(["approvals", ...args], { cwd, env }),
    withoutKey: (...args: readonly string[]) => runHere(["approvals", ...args], { cwd }),
  };
}

const uuidIn = ({ stderr }: Ended): string => /approvals approve (\S+)/.exec(stderr)?.[1] ?? "";

describe("plasm approvals (SURF-20, OPS-36)", { timeout: 60_000 }, () => {
  it("run ends with 3 until an operator approves, and then runs (SURF-22, G5)", async () => {
    const { run, approvals } = await workplace("paint");
    const program = ["-e", 'Boat("b1").update(note="painted")'] as const;
    const held = await run(...program, "--force");
    expect([held.code, held.stdout]).toEqual([3, ""]);
    expect(held.stderr).toMatch(/\nHere: plasm run --commit pc0, once it is approved\n$/);
    const listed = await approvals();
    expect(listed.stdout).toContain(`${uuidIn(held)} · local · since `);
    expect(listed.stdout).toContain('\n  for: "paint"\n');
    expect(listed.stdout).toContain('effect quay.Boat("b1").update(note="painted")');
    const approved = await approvals("approve", uuidIn(held));
    expect([approved.code, approved.stdout]).toEqual([
      0,
      expect.stringMatching(/^pc0 is approved \(sha256:[0-9a-f]{64}\)\. Its agent may run it once/),
    ]);
    expect((await approvals()).stdout).toBe("No plan waits.\n");
    expect(writes()).toEqual([]);
    expect((await run(...program, "--commit", "pc0")).code).toBe(0);
    expect(writes()).toEqual(["PATCH /boats/b1"]);
  });

  it("reject is final, and run ends with 1", async () => {
    const { run, approvals } = await workplace("scrape");
    const program = ["-e", 'Boat("b1").update(note="scraped")'] as const;
    const held = await run(...program);
    expect((await approvals("reject", uuidIn(held))).stdout).toContain("That is final");
    const refused = await run(...program, "--commit", "pc0");
    expect([refused.code, refused.stderr]).toEqual([
      1,
      "Not run: an operator has rejected this plan in this session, and that is final. Change the program, or ask the operator.\n",
    ]);
    expect((await approvals("approve", uuidIn(held))).code).toBe(1);
    expect(writes()).toEqual([]);
  });

  it("takes a key that is typed on a terminal, and shows none of it", async () => {
    const { cwd, run } = await workplace("typed key");
    const program = ["-e", 'Boat("b1").update(note="typed")'] as const;
    const uuid = uuidIn(await run(...program));
    const terminal = onTerminal(["approvals", "approve", uuid], { cwd });
    await terminal.shows(/Key of an operator: /);
    terminal.type(`${key}\r`);
    const { code, screen } = await terminal.ended;
    expect([code, screen]).toEqual([0, expect.stringMatching(/pc0 is approved \(sha256:/)]);
    expect(screen).not.toContain(key.slice(-20));
    expect((await run(...program, "--commit", "pc0")).code).toBe(0);
    expect(writes()).toEqual(["PATCH /boats/b1"]);
    const given = onTerminal(["approvals", "reject", uuid], { cwd });
    await given.shows(/Key of an operator: /);
    given.type(CTRL_C);
    expect((await given.ended).code).toBe(2);
  });

  it("takes no key from .plasm/, only one that is set or typed", async () => {
    const { run, withoutKey } = await workplace("own key");
    const held = await run("-e", 'Boat("b1").update(note="mine")');
    for (const args of [[], ["approve", uuidIn(held)], ["reject", uuidIn(held)]]) {
      const { code, stderr } = await withoutKey(...args);
      expect([code, stderr]).toEqual([
        2,
        "plasm: PLASM_OPERATOR_KEY is not set, and nobody is here to type an operator's key.\n",
      ]);
    }
    expect(writes()).toEqual([]);
  });
});

it("18.16 a page says whose plans wait on others, and how to see them", async () => {
  const asked = {
    commit_uuid: "u1",
    state: "waiting",
    commit: "sha256:a",
    plan_commit_ref: "pc0",
    subject: "bob",
    intent: null,
    requested_at: "2026-01-05T10:00:00Z",
    expires_at: "2026-01-06T10:00:00Z",
    plan: "plan review pc0",
    program: "Boat",
  };
  const callers = [
    { subject: "bob", waiting: 60 },
    { subject: null, waiting: 1 },
  ];
  const paths: (string | undefined)[] = [];
  const own = await answerWith((request, response) => {
    paths.push(request.url);
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ approvals: [asked], total: 61, next: "u1", callers }));
  });
  const cwd = await temporaryDirectory();
  await writeProfile(join(cwd, ".plasm"), { server: own.url });
  const env = { PLASM_OPERATOR_KEY: "k" };
  const args = ["approvals", "--after", "u0", "--caller", "bob"];
  const { stdout } = await runHere(args, { cwd, env });
  await own.close();
  expect(stdout.trimEnd().split("\n").at(-1)).toBe(
    "1 of 61 plans (bob 60, anonymous 1). More: plasm approvals --after u1; of one caller: --caller NAME",
  );
  expect(paths.at(-1)).toBe("/v1/approvals?after=u0&caller=bob");
});

describe("what an agent wrote cannot deceive who decides (OPS-36, SURF-13)", () => {
  it("shows values in full, and no character that acts or hides another", async () => {
    const long = "x".repeat(200);
    const asked = {
      commit_uuid: "u1",
      state: "waiting",
      commit: "sha256:a",
      plan_commit_ref: "pc0",
      subject: "bob",
      intent: "paint\u001b[2J\u202e\nNo plan waits.",
      requested_at: "2026-01-05T10:00:00Z",
      expires_at: "2026-01-06T10:00:00Z",
      plan: 'plan review pc0\n\nn1 update quay.Boat\u009b2K · effect quay.Boat("b1")',
      program: `Boat("b1").update(note="${long}") ;; \u001b[1A\u202e`,
    };
    const own = await answerWith((_, response) => {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ approvals: [asked] }));
    });
    const cwd = await temporaryDirectory();
    await writeProfile(join(cwd, ".plasm"), { server: own.url });
    const env = { PLASM_OPERATOR_KEY: "k" };
    const { stdout } = await runHere(["approvals"], { cwd, env });
    await own.close();
    // eslint-disable-next-line no-control-regex
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
    expect(stdout.split("\n")).toEqual([
      "u1 · bob · since 2026-01-05T10:00:00Z · until 2026-01-06T10:00:00Z",
      '  for: "paint\\u001b[2J\\u202e\\nNo plan waits."',
      "  sha256:a",
      "  plan review pc0",
      "",
      '  n1 update quay.Boat\\u009b2K · effect quay.Boat("b1")',
      "",
      "  as the agent wrote it, values in full:",
      `  Boat("b1").update(note="${long}") ;; \\u001b[1A\\u202e`,
      "",
    ]);
  });
});

describe("plasm keys (SURF-23)", { timeout: 60_000 }, () => {
  it("prints a key once, lists it without itself, and removes it", async () => {
    const made = await keys("add", "--subject", "bea", "--tenant", "acme");
    expect(made.stdout).toMatch(/^plasm_[0-9a-f]{16}_[\w-]{43}\n$/);
    const [, id = ""] = made.stdout.split("_");
    const listed = await keys("list");
    expect(listed.stdout).toContain(`${id} · operator bea · tenant acme · `);
    expect(listed.stdout).not.toContain(made.stdout.trim().slice(-43));
    expect((await keys("remove", id)).code).toBe(0);
    expect((await keys("list")).stdout).not.toContain(id);
    expect((await keys("remove", id)).code).toBe(1);
  });

  it.each([
    ["the name of those who prove nothing", ["--subject", "local"]],
    ["the tenant of those who prove nothing", ["--subject", "ann", "--tenant", "anonymous"]],
    ["a name that no list can show", ["--subject", "ann\u001b[2J"]],
    ["no name", []],
  ])("refuses %s", async (_, args) => {
    expect((await keys("add", ...args)).code).toBe(2);
  });
});
