import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BEGUN, type GatedBoats, handleIn, LONG, startGatedBoats } from "../testing/gated-boats.ts";
import { startHere, type Running } from "../testing/run-here.ts";
import { cleanUp, spawnPlasm } from "../testing/spawn-plasm.ts";
import { startServer, type TestServer } from "../testing/start-server.ts";
import { workplaceWithBoats } from "../testing/workplace.ts";

let server: TestServer;
let boats: GatedBoats;
beforeAll(async () => {
  boats = await startGatedBoats();
  server = await startServer({ quay: boats.url });
});
afterAll(async () => {
  await server.close();
  await boats.close();
  await cleanUp();
});

const LONG_RUN = ["run", "--force", "-e", LONG] as const;

const hint = (handle: string): string =>
  `${handle} goes on by itself. How far it is: plasm run -e 'wait(${handle})'; stop it: plasm run -e 'cancel(${handle})'\n`;

/** The handle of a run, once its first page is read. */
async function handleOf({ remarks }: Running): Promise<string> {
  await expect.poll(remarks, { timeout: 20_000 }).toMatch(BEGUN);
  return handleIn(remarks());
}

describe("plasm run --wait without a terminal (OPS-22, OPS-35)", () => {
  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)("%s leaves it running and tells its handle: exit code %i", async (signal, code) => {
    const { cwd, done } = await workplaceWithBoats(server.url, signal);
    const running = startHere([...LONG_RUN, "--wait"], { cwd });
    const handle = await handleOf(running);
    running.stop(signal);
    const ended = await running.ended;
    expect([ended.code, ended.stdout]).toEqual([code, ""]);
    expect(ended.stderr.endsWith(`plasm: ${signal}. ${hint(handle)}`)).toBe(true);
    expect(await done("run", "-e", `cancel(${handle})`)).toMatch(/^s\d+_o1 x /);
  });

  it("a process does so, too", async () => {
    const { cwd, done } = await workplaceWithBoats(server.url, "a process");
    const running = spawnPlasm([...LONG_RUN, "--wait"], cwd);
    const handle = handleIn(await running.remarked(BEGUN));
    running.stop("SIGTERM");
    const { code, stderr } = await running.ended;
    expect([code, stderr.endsWith(`plasm: SIGTERM. ${hint(handle)}`)]).toEqual([143, true]);
    await done("run", "-e", `cancel(${handle})`);
  });

  it("one cancelled by somebody else has failed: exit code 1", async () => {
    const { cwd, done } = await workplaceWithBoats(server.url, "somebody else");
    const running = startHere([...LONG_RUN, "--wait"], { cwd });
    const handle = await handleOf(running);
    await done("run", "-e", `cancel(${handle})`);
    const { code, stdout, stderr } = await running.ended;
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/\ns\d+_o1 x step .* rows kept\nfailed at n2: cancelled\n/);
  });

  it("L31 with --wait=false the handle is the answer (OPS-9)", async () => {
    const { done } = await workplaceWithBoats(server.url, "unasked");
    expect(await done("run", "--mode", "plan", "-e", LONG)).toMatch(/^plan ok pc0 /);
    const accepted = await done("run", "--wait=false", "-e", LONG, "--commit", "pc0");
    const [, handle] = /^wait\((s\d+_o1)\) · verdict ok · plan `pc0`\n$/.exec(accepted) ?? [];
    expect(await done("run", "--wait=false", "-e", `wait(${handle})`)).toMatch(/^s\d+_o1 [~+=]/);
    await done("run", "-e", `cancel(${handle})`);
  });

  it("shows one line an event on stderr, and the results on stdout; then the results again", async () => {
    boats.open();
    const { plasm } = await workplaceWithBoats(server.url, "events");
    const { code, stdout, stderr } = await plasm([...LONG_RUN, "--wait"]);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^Boat · \d+ rows\n/)]);
    const lines = stderr.trimEnd().split("\n");
    for (const line of lines) expect(line).toMatch(/^s\d+_o1 [+~=!]( |$)/);
    const last = lines.at(-1) ?? "";
    expect(last).toMatch(/^s\d+_o1 ! \d+ rows$/);
    expect(new Set(lines).size).toBe(lines.length);
    const [handle = ""] = last.split(" ");
    const again = await plasm(["run", "--wait", "-e", ` wait(${handle}) `]);
    expect(again).toEqual({ code: 0, stderr: `${last}\n`, stdout });
    const unknown = await plasm(["run", "--wait", "-e", "wait(s99_o9)"]);
    expect([unknown.code, unknown.stdout]).toEqual([1, ""]);
  });
});
