import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fixtureCatalogDir } from "@plasm/testkit";
import { SkillsClient } from "@modelcontextprotocol/client/ext/skills";
import { afterEach, describe, expect, it } from "vitest";
import { tokenCounter } from "@plasm/agent-core/internal";
import { connectTo } from "./testing/http-client.ts";
import { cleanUp, realHost, temporaryDirectory } from "./testing/real-host.ts";

afterEach(cleanUp);

const connect = async (era: "legacy" | "modern") => {
  const { handler } = await realHost(await temporaryDirectory());
  const { client } = await connectTo(handler, era);
  return { client, skills: new SkillsClient(client) };
};

describe.each(["legacy", "modern"] as const)("skills over MCP, %s era (SURF-37)", (era) => {
  it("lists the server's own and one for each catalog, each as its entry says", async () => {
    const { client, skills } = await connect(era);
    const { skills: listed } = await skills.list();
    expect(listed.map(({ uri }) => uri)).toEqual([
      "skill://plasm/SKILL.md",
      "skill://plasm-quay/SKILL.md",
      "skill://plasm-yard/SKILL.md",
    ]);
    const count = await tokenCounter();
    for (const skill of listed) {
      // The client compares size, digest and front matter with the entry.
      const { text, verified } = await skills.read(skill, skill.uri);
      expect(verified).toBe(true);
      expect(count(text ?? "")).toBeLessThan(600);
    }
    await client.close();
  });

  it("what a catalog's skill says begins a session", async () => {
    const { client, skills } = await connect(era);
    const { skill } = await skills.get("skill://plasm-quay/SKILL.md");
    const { text = "" } = await skills.read(skill, skill.uri);
    expect(text).toContain("- Boat: ");
    const [, seeds = ""] = /seeds: (\[[^`]*?\])\}/.exec(text) ?? [];
    const args = { intent: "which boats are moored", seeds: JSON.parse(seeds) as unknown };
    const opened = await client.callTool({ name: "plasm_context", arguments: args });
    expect(opened._meta).toMatchObject({
      plasm: { chosen_seeds: expect.arrayContaining([{ api: "quay", entity: "Boat" }]) as unknown },
    });
    await client.close();
  });

  it.each(["skill://plasm-nope/SKILL.md", "skill://plasm/../etc", "skill://plasm-quay/other.md"])(
    "%s is none, and says where those are named",
    async (uri) => {
      const { client, skills } = await connect(era);
      await expect(skills.get(uri)).rejects.toThrow();
      await expect(client.readResource({ uri })).rejects.toThrow(/No skill .*skills\/list/);
      await client.close();
    },
  );
});

it("lists may be kept by everybody: a day, or ten minutes where a setting changes them (SURF-1)", async () => {
  const { client } = await connect("modern");
  for (const listed of [await client.listResources(), await client.listResourceTemplates()])
    expect(listed).toMatchObject({ ttlMs: 86_400_000, cacheScope: "public" });
  expect(await client.listTools()).toMatchObject({ ttlMs: 600_000, cacheScope: "public" });
  await client.close();
});

it("what never changes may be kept for a day by its reader, and the server's own skill by everybody (SURF-1)", async () => {
  const { client } = await connect("modern");
  const { rows, skill } = await readBoth(client);
  expect(rows).toMatchObject({ ttlMs: 86_400_000, cacheScope: "private" });
  expect(skill).toMatchObject({ ttlMs: 600_000, cacheScope: "public" });
  const table = await client.readResource({ uri: "plasm://session/s0/table" });
  expect(table).toMatchObject({ ttlMs: 0, cacheScope: "private" });
  await client.close();
  const { client: older } = await connect("legacy");
  expect(Object.keys((await readBoth(older)).rows)).toEqual(["contents"]);
  await older.close();
});

/** Reads the snapshot of a run, and the server's own skill. */
async function readBoth(client: Awaited<ReturnType<typeof connect>>["client"]) {
  const seeds = [{ api: "quay", entity: "Boat" }];
  await client.callTool({ name: "plasm_context", arguments: { intent: "boats", seeds } });
  const program = { logical_session_ref: "s0", program: 'b = "Alma"\nb' };
  await client.callTool({ name: "plasm_run", arguments: program });
  const rows = await client.readResource({ uri: "plasm://session/s0/r/1" });
  return { rows, skill: await client.readResource({ uri: "skill://plasm/SKILL.md" }) };
}

it("a catalog that says no name for people has its id in its skill (SURF-37)", async () => {
  const catalog = join(await temporaryDirectory(), "kiln");
  await cp(fixtureCatalogDir("quay"), catalog, { recursive: true });
  const file = join(catalog, "domain.yaml");
  await writeFile(file, (await readFile(file, "utf8")).replace(/^label: .*\n/mu, ""));
  const { handler } = await realHost(await temporaryDirectory(), {}, undefined, [catalog]);
  const { client } = await connectTo(handler, "modern");
  const { contents } = await client.readResource({ uri: "skill://plasm-kiln/SKILL.md" });
  expect(JSON.stringify(contents)).toContain("# kiln through Plasm");
  await client.close();
});
