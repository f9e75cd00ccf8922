import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BEGUN, type GatedBoats, handleIn, LONG, startGatedBoats } from "../testing/gated-boats.ts";
import { CTRL_C, onTerminal } from "../testing/on-terminal.ts";
import { cleanUp } from "../testing/spawn-plasm.ts";
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

const QUESTION =
  /s\d+_o1 goes on by itself\. c cancels it, Enter leaves it running, Ctrl-C leaves at once: /;

/** A long run whose results go to a file, on a terminal of 40 columns, once its first step shows. */
async function begun(intent: string, ...more: readonly string[]) {
  const place = await workplaceWithBoats(server.url, intent);
  const stdout = join(place.cwd, "rows.txt");
  const args = ["run", "--force", "-e", LONG, ...more];
  const terminal = onTerminal(args, { cwd: place.cwd, stdout, columns: 40 });
  const handle = handleIn(await terminal.shows(BEGUN));
  const ended = async () => {
    const { code, screen } = await terminal.ended;
    return { code, screen, rows: await readFile(stdout, "utf8") };
  };
  return { ...place, terminal, handle, ended };
}

/** The gate opens for good at the last test that needs it shut. */
describe("plasm run on a terminal (OPS-22, SURF-20)", { timeout: 60_000 }, () => {
  it("Ctrl-C and c cancel it: exit code 130, and what it has is told", async () => {
    const { terminal, handle, ended, done } = await begun("cancelled");
    terminal.type(CTRL_C);
    await terminal.shows(QUESTION);
    terminal.type("c\n");
    const { code, screen, rows } = await ended();
    expect([code, rows]).toEqual([130, ""]);
    expect(screen).toMatch(/cancelled/);
    expect(await done("run", "-e", `cancel(${handle})`)).toMatch(/^s\d+_o1 x /);
  });

  it("a second Ctrl-C leaves at once, and the run goes on", async () => {
    const { terminal, handle, ended, done } = await begun("left at once");
    terminal.type(CTRL_C);
    await terminal.shows(QUESTION);
    terminal.type(CTRL_C);
    expect(await ended()).toMatchObject({ code: 130, rows: "" });
    expect(await done("run", "--wait=false", "-e", `wait(${handle})`)).toMatch(/^s\d+_o1 [~=]/);
    await done("run", "-e", `cancel(${handle})`);
  });

  it("Ctrl-C and Enter leave it running: its handle brings its results", async () => {
    const { terminal, handle, ended, done } = await begun("left running");
    terminal.type(CTRL_C);
    await terminal.shows(QUESTION);
    terminal.type("\n");
    await terminal.shows(/How far it is: plasm run -e 'wait\(s\d+_o1\)'/);
    expect(await ended()).toMatchObject({ code: 130, rows: "" });
    boats.open();
    expect(await done("run", "--wait", "-e", `wait(${handle})`)).toMatch(/^Boat · \d+ rows\n/);
  });

  it("shows one line, rewritten in place and gone in the end; results go to stdout", async () => {
    const place = await workplaceWithBoats(server.url, "in place");
    const stdout = join(place.cwd, "rows.txt");
    const args = ["run", "--wait", "-e", LONG, "--force", "--format", "ndjson"];
    const terminal = onTerminal(args, { cwd: place.cwd, stdout, columns: 12 });
    const { code, screen } = await terminal.ended;
    expect(code).toBe(0);
    // Every line begins at the left, on a cleared line, and is cut to fit it; no line is ever left.
    const shown = screen.split("\r\u001b[K");
    expect([shown[0], shown.at(-1)]).toEqual(["", ""]);
    expect(shown.length).toBeGreaterThan(2);
    for (const one of shown) expect(one).toMatch(/^(s\d+_o1 [+~=!].{0,4})?$/);
    const lines = (await readFile(stdout, "utf8")).trimEnd().split("\n");
    expect(lines.length).toBeGreaterThan(40);
  });
});
