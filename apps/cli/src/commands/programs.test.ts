import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startHere } from "../testing/run-here.ts";
import { cleanUp } from "../testing/spawn-plasm.ts";
import { startServer, type TestServer } from "../testing/start-server.ts";
import { workplace, workplaceWithBoats } from "../testing/workplace.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(async () => {
  await server.close();
  await cleanUp();
});

const LOST = "long = 10\nboats = Boat{state=lost, length>=long}.limit(2)[id, length]\nboats";
const NOTED = 'which = "b4"\ntext = "needs paint"\nBoat(which).update(note=text)';

/** A workplace in which a plan was saved by this name. */
async function saved(name: string, program: string, ...more: readonly string[]) {
  const place = await workplaceWithBoats(server.url, `saves ${name}`);
  await place.done("run", "--mode", "plan", "-e", program);
  const said = await place.done("programs", "save", "pc0", "--name", name, ...more);
  return { ...place, said };
}

describe("SAV-08 plasm programs", () => {
  it("saves a plan, lists it, prints it as a text, and saves that again elsewhere", async () => {
    const more = ["--param", "long", "--description", "Lost boats from a length on"];
    const { done, said } = await saved("lost_boats", LOST, ...more);
    const line = "lost_boats(long=10) · reads · quay · yours: Lost boats from a length on";
    expect(said).toBe(`${line}\nRun it: plasm do lost_boats\n`);
    expect(await done("programs")).toContain(line);
    const text = await done("programs", "show", "lost_boats");
    expect(text).toContain(";; name: lost_boats\n");
    await done("programs", "remove", "lost_boats");
    expect(await done("programs")).not.toContain("lost_boats");
    const other = await workplace(server.url);
    await writeFile(join(other.cwd, "lost.plasm"), text);
    expect(await other.done("programs", "import", "lost.plasm")).toBe(`${line}\n`);
    const piped = await other.plasm(["programs", "import", "-"], { input: text });
    expect(piped.stdout).toBe(`${line}\n`);
    await other.done("programs", "remove", "lost_boats");
  });

  it("says what it is not, and that there is no such program", async () => {
    const { plasm } = await workplace(server.url);
    const wrong = await plasm(["programs", "shwo", "x"]);
    expect([wrong.code, wrong.stderr]).toEqual([
      2,
      expect.stringContaining("shwo is not a command"),
    ]);
    const unknown = await plasm(["programs", "show", "nobody_has_it"]);
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining("nobody_has_it")]);
    const none = await plasm(["programs", "save", "pc0", "--name", "x_y"]);
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining("no session")]);
  });
});

describe("SAV-08 plasm do", () => {
  it("runs a saved program with its defaults, and with values, from any directory", async () => {
    await saved("lost_ones", LOST, "--param", "long");
    const { done, plasm } = await workplace(server.url);
    expect(await done("do", "lost_ones")).toContain("b3");
    const longer = await done("do", "lost_ones", "--long", "20");
    expect(longer).toContain("b5");
    expect(longer).not.toContain("b3");
    const json = await done("do", "lost_ones", "--long=20", "--format", "json");
    expect(JSON.stringify(JSON.parse(json))).toContain("21.3");
    expect(await done("do", "lost_ones", "--mode", "plan")).toMatch(/^plan ok pc\d/);
    for (const [words, told] of [
      [["--short", "3"], "long"],
      [["--long"], "--long has no value"],
      [["--long", "1", "--long", "2"], "twice"],
      [["b3"], "b3 is no argument"],
      [["--long", "far"], "long"],
      [["--", "--mode", "fast"], "mode"],
    ] as const) {
      const { code, stderr } = await plasm(["do", "lost_ones", ...words]);
      expect([code, stderr]).toEqual([2, expect.stringContaining(told)]);
    }
  });

  it("reviews what changes something, each time, and runs it once by its ref", async () => {
    await saved("note_it", NOTED, "--param", "which", "--param", "text");
    const { done, plasm } = await workplace(server.url);
    const words = ["do", "note_it", "--text", 'a "b"\n\\ c', "--which", "b5"];
    const held = await plasm(words);
    expect(held.code).toBe(3);
    expect(held.stderr).toMatch(/^review pc0: not run/);
    server.apis.forgetRequests();
    await done(...words, "--commit", "pc0");
    await done(...words, "--commit", "pc0");
    const writes = server.apis.requests.filter(({ method }) => method === "PATCH");
    expect(writes).toHaveLength(1);
    const boat = (await (await fetch(`${server.apis.quay.url}/boats/b5`)).json()) as {
      note: string;
    };
    expect(boat.note).toBe('a "b"\n\\ c');
  });
});

describe("SAV-17 plasm programs schedule", () => {
  it("schedules a program, lists what is scheduled, pauses, resumes and removes it", async () => {
    await saved("lost_daily", LOST, "--param", "long");
    const { cwd, done, plasm } = await workplace(server.url);
    const words = ["0 7 * * 1", "--zone", "Europe/Berlin", "--param", "long=20"];
    const made = await done("programs", "schedule", "lost_daily", ...words);
    const [, id = ""] = /^([0-9a-f-]{36}) {2}lost_daily\(long="20"\) · /.exec(made) ?? [];
    expect(made).toMatch(/ · 0 7 \* \* 1 Europe\/Berlin · next \d{4}-/);
    expect(await done("programs", "schedules")).toContain(id);
    expect(await done("programs", "schedules", "lost_daily")).toBe(made);
    expect(await done("programs", "schedules", "lost_boats")).toMatch(/^Nothing is scheduled/);
    expect(await done("programs", "pause", id)).toContain(" · paused");
    expect(await done("programs", "resume", id)).toContain(" · next ");
    const watch = await done("programs", "watch", "lost_daily", "*/5 * * * *", "--key", "id");
    const [, watched = ""] = /^([0-9a-f-]{36}) /.exec(watch) ?? [];
    expect(await done("programs", "events", watched)).toBe("");
    const following = startHere(["programs", "events", watched, "--follow"], { cwd });
    await new Promise((resolve) => setTimeout(resolve, 500));
    following.stop("SIGINT");
    expect(await following.ended).toMatchObject({ code: 130, stdout: "" });
    const noWatch = await plasm(["programs", "events", id]);
    expect(noWatch.stderr).toContain("is no watch");
    await done("programs", "unschedule", watched);
    await done("programs", "remove", "lost_daily");
    expect(await done("programs", "schedules")).toContain("No saved program lost_daily");
    expect(await done("programs", "unschedule", id)).toBe(`The schedule ${id} is removed.\n`);
    for (const [given, told] of [
      [["schedule", "lost_daily", "0 7 * * 1"], "lost_daily"],
      [["pause", id], "No schedule"],
    ] as const) {
      const { code, stderr } = await plasm(["programs", ...given]);
      expect([code, stderr]).toEqual([1, expect.stringContaining(told)]);
    }
  });
});
