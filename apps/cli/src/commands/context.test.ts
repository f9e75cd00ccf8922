import { afterAll, beforeAll, describe, expect, it } from "vitest";
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

describe("plasm context (SURF-21)", () => {
  it("extends the current session, and keeps its names", async () => {
    const { done, kept } = await workplaceWithBoats(server.url, "extend");
    const before = await kept("session.json");
    const delta = await done("context", "quay:Person", "yard:Boat");
    expect(delta).toContain("Added from quay: Person");
    expect(delta).toContain("yard: e3 Boat");
    expect(await kept("session.json")).toEqual(before);
    expect(await done("context", "quay:Boat")).toMatch(/^s\d+ unchanged: /);
  });

  it("another intent is another session, which is then the current one", async () => {
    const { done, kept } = await workplaceWithBoats(server.url, "one");
    const before = await kept("session.json");
    expect(await done("context", "-i", "two", "yard:Boat")).toContain("yard: Boat");
    const after = await kept("session.json");
    expect(after).toMatchObject({ intent: "two" });
    expect(after).not.toEqual(before);
  });

  it("--replay prints all tables again, wherever the session was opened", async () => {
    const mine = await workplaceWithBoats(server.url, "replay");
    const other = await workplace(server.url);
    const opened = await mine.done("context", "-i", "replay", "quay:Boat", "--replay");
    expect(opened).toContain("[Boat] · ");
    const elsewhere = await other.done("context", "-i", "replay", "quay:Boat", "--replay");
    expect(elsewhere).toContain("[Boat] · ");
    expect(await other.kept("session.json")).toEqual(await mine.kept("session.json"));
    const fresh = await other.done("context", "-i", "replay, fresh", "quay:Boat", "--replay");
    expect(fresh.match(/\t\[Boat\] · opt/g)).toHaveLength(1);
  });

  it("--detail prints the tables of what is named in full, and opens no other session (TEACH-46)", async () => {
    const { done, kept } = await workplace(server.url);
    await done("context", "-i", "in full", "quay:Boat");
    const before = await kept("session.json");
    for (const more of [[], ["--replay"]]) {
      const text = await done("context", "-i", "in full", "quay:Boat", "--detail", ...more);
      expect(text.match(/^In full: Boat$/gm)).toHaveLength(1);
    }
    expect(await kept("session.json")).toEqual(before);
    expect(await done("context", "-i", "in full", "quay:Boat")).not.toContain("In full");
  });

  it("teaches names, --symbols symbols", async () => {
    const { done } = await workplace(server.url);
    for (const names of [[], ["--names"]]) {
      const table = await done("context", "-i", "names", "quay:Person", "--replay", ...names);
      expect(table).toContain("\nPerson[login,boats,name]\t[Person] · ");
      expect(table).not.toMatch(/\be1\b/);
    }
    const table = await done("context", "-i", "symbols", "quay:Person", "--symbols");
    expect(table).toContain("quay: e1 Person");
  });

  it("--read-only opens a session that teaches and takes reads alone (TEACH-25)", async () => {
    const { done, plasm } = await workplace(server.url);
    const table = await done("context", "-i", "look", "quay:Boat", "--names", "--read-only");
    expect(table).toContain("\tBoat · ");
    expect(table).not.toMatch(/Boat\.create|Methods change data/);
    expect(await done("run", "-e", "Boat.limit(1)[id]")).toContain("Boat · 1 row");
    for (const mode of ["plan", "run"]) {
      const { code, stderr } = await plasm(["run", "--mode", mode, "-e", "Boat(b1).ping()"]);
      expect(code).toBe(1);
      expect(stderr).toContain("ping of Boat changes data, and this session only reads.");
      expect(stderr).toContain("open a session without read_only, with another intent");
    }
    // Whoever extends it says nothing of that, and who asks for more is told.
    expect(await done("context", "quay:Person", "--names")).not.toContain("read_only");
    await done("context", "-i", "change", "quay:Boat", "--names");
    const kept = await done("context", "quay:Boat", "--names", "--read-only");
    expect(kept).toContain("read_only stays false: it is fixed when a session opens.");
    const again = await done("context", "quay:Boat", "--names", "--read-only", "--replay");
    expect(again).toContain("read_only stays false: it is fixed when a session opens.");
  });

  it("an entity alone is one that the last search found once, else one that the server finds", async () => {
    const { done, plasm } = await workplace(server.url);
    await done("search", "boats");
    const twice = await plasm(["context", "--new", "Boat"]);
    expect([twice.code, twice.stdout]).toEqual([2, ""]);
    expect(twice.stderr).toMatch(/Write (quay:Boat or yard:Boat|yard:Boat or quay:Boat)\.\n$/);
    await done("search", "boats", "--api", "yard");
    expect(await done("context", "--new", "Boat")).toContain("yard: Boat");
    expect(await done("context", "-i", "what was paid", "visits")).toContain("quay: Visit");
  });

  it("without an entity the goal chooses (TEACH-47)", async () => {
    const { done } = await workplace(server.url);
    const text = await done("context", "-i", "visits of boats to the harbour");
    expect(text).toMatch(/^quay: .*Visit/m);
    expect(text).toMatch(/^Chosen for the goal: quay:/m);
  });

  it.each([
    [["context", "quay:Boat"], "There is no current intent"],
    [["context", "--new", "quay:Boat"], "plasm search INTENT first"],
    [["context", "--new", "-i", "x", "quay:Boat"], "cannot be used with option '--new'"],
    [["context", "-i", "x", ":Boat"], ":Boat is not API:ENTITY, as plasm search GOAL prints them."],
    [["context", "-i", " ", "quay:Boat"], "intent is blank"],
  ])("%j is misuse: exit code 2", async (args, said) => {
    const { code, stdout, stderr } = await (await workplace(server.url)).plasm(args);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(said);
  });

  it.each([
    ["nope:Boat", "No catalog nope."],
    ["boats", 'boats may be {"api":"quay","entity":"Boat"}, {"api":"yard","entity":"Boat"}:'],
    ["Zeppelin", "No catalog has an entity Zeppelin.\nDiscovery finds for this intent:\n"],
    ["Zeppelin", "\nHere: plasm context API:ENTITY..., as plasm search GOAL prints them\n"],
    ["quay:Nope", "quay has no entity Nope. Entities: Boat, Digest, Log"],
  ])("%s is unknown to the server: exit code 1, and no session", async (seed, said) => {
    const place = await workplace(server.url);
    const { code, stderr } = await place.plasm(["context", "-i", "unknown", seed]);
    expect(code).toBe(1);
    expect(stderr).toContain(said);
    await expect(place.kept("session.json")).rejects.toThrow("ENOENT");
  });
});
