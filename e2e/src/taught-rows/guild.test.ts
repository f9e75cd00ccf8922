import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Engine } from "@plasm/agent-core";
import { fixtureCatalogsDir, readTaught } from "@plasm/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { caller } from "../engine/engine-under-test.ts";
import { openEngine } from "../engine/open-engine.ts";
import { GUILD, startGuild } from "./guild-server.ts";

let root: string;
let guild: Awaited<ReturnType<typeof startGuild>>;
let engine: Engine;
let taught: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "plasm-guild-"));
  guild = await startGuild();
  engine = await openEngine({
    dataDir: join(root, "data"),
    catalogs: [join(fixtureCatalogsDir(), "../formats/guild")],
    backends: new Map([["guild", guild.url]]),
  });
  const entities = ["Member", "Story", "Chapter", "Prop", "Evening"];
  const seeds = entities.map((entity) => ({ api: "guild", entity }));
  const asked = { intent: "stories", seeds, notation: "names" as const };
  taught = (await engine.context(caller(), asked)).text;
});
afterAll(async () => {
  await engine.close();
  await guild.close();
  await rm(root, { recursive: true });
});

async function rowsOf(program: string): Promise<readonly object[]> {
  const ref = { kind: "ref", ref: "s0" } as const;
  const { text, results } = await engine.run(caller(), ref, { program, force: true, wait: true });
  expect(text).not.toContain("partial");
  return results[0]?.rows ?? [];
}

const short = (ids: readonly number[]) =>
  ids.map((id) => ({ id, title: `Story ${id}`, year: 2020 + id }));

const member = (id: string) => {
  const { name, role, tags } = GUILD.members.find((each) => each.id === id) ?? {};
  return { id, name, role, tags };
};

/** Each read row of the table as an agent fills it, and what the guild's own data say to it. */
const READS: readonly (readonly [left: string, program: string, rows: readonly object[]])[] = [
  [
    "Member[id,name,role,tags]",
    "Member.limit(9)[id,name,role,tags]",
    GUILD.members.map(({ id }) => member(id)),
  ],
  [
    "Member[id,name,role,tags]",
    "Member{role=teller, tag=old}[id,name,role,tags]",
    [member("ada"), member("cy")],
  ],
  ["Member($)", 'Member("ada")[id,name,role,tags]', [member("ada")]],
  ["Member.me()", "Member.me()[id,name,role,tags]", [member(GUILD.me)]],
  ["Member($).stories", 'Member("ada").stories.limit(9)[id,title,year]', short([1, 2, 3])],
  [
    "Story[id,body,genres,teller,title,year]",
    "Story.limit(9)[id,title,year]",
    short(GUILD.popular),
  ],
  ["Story.upcoming()", "Story.upcoming().limit(9)[id,title,year]", short(GUILD.upcoming)],
  ["Story{teller=Member($)}", 'Story{teller=Member("cy"), id="5"}[id,title,year]', short([5])],
  ["Story($)", "Story(2)[id,body,genres]", [{ id: 2, body: "# 2", genres: ["sad"] }]],
  [
    "Story($).chapters",
    "Story(2).chapters[no,name]",
    [
      { no: 1, name: "2.1" },
      { no: 2, name: "2.2" },
    ],
  ],
  [
    "Story($).props",
    "Story(2).props[name,pieces]",
    [
      { name: "lantern", pieces: 2 },
      { name: "book 2", pieces: 1 },
    ],
  ],
  [
    "Story[id,body,genres,teller,title,year]",
    "Story.limit(9)[id,body]",
    GUILD.popular.map((id) => ({ id, body: `# ${id}` })),
  ],
  [
    "Chapter{story=Story($)}[story,no,name]",
    'Chapter{story=Story(3), name="3.2"}[no,name]',
    [{ no: 2, name: "3.2" }],
  ],
  [
    "Chapter(story=Story($), no=$)",
    "Chapter(story=Story(3), no=1)[no,name]",
    [{ no: 1, name: "3.1" }],
  ],
  ["Evening[id,place]", "Evening.limit(9)[id,place]", GUILD.evenings],
];

it.each(READS)(
  "17.16 TEACH-19 the row %s, run as %s, says what the guild knows",
  async (left, program, rows) => {
    expect(readTaught(taught).rows.map((row) => row.left)).toContain(left);
    expect(await rowsOf(program)).toEqual(rows);
  },
);

it("has every read row of the table in the list above", () => {
  const reads = readTaught(taught).rows.filter(({ result }) => result !== "()");
  expect(new Set(reads.map(({ left }) => left))).toEqual(new Set(READS.map(([left]) => left)));
});
