import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Engine } from "@plasm/agent-core";
import { fixtureCatalogsDir, readTaught } from "@plasm/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { caller } from "../engine/engine-under-test.ts";
import { openEngine } from "../engine/open-engine.ts";
import { MUSEUM, type Museum, startMuseum } from "./museum-server.ts";

let root: string;
let museum: Museum;
let engine: Engine;
let taught: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "plasm-museum-"));
  museum = await startMuseum();
  engine = await openEngine({
    dataDir: join(root, "data"),
    catalogs: [join(fixtureCatalogsDir(), "../formats/museum")],
    backends: new Map([["museum", museum.url]]),
  });
  const seeds = ["Piece", "Maker", "Loan", "Letter", "Curator"].map((entity) => ({
    api: "museum",
    entity,
  }));
  const asked = { intent: "pieces", seeds, notation: "names" as const };
  taught = (await engine.context(caller(), asked)).text;
});
afterEach(async () => {
  await engine.close();
  await museum.close();
  await rm(root, { recursive: true });
});

interface Said {
  readonly text: string;
  readonly rows: readonly object[];
}

/** What a program is answered with; the text of the problem if it is one. */
async function run(program: string): Promise<Said> {
  try {
    const ref = { kind: "ref", ref: "s0" } as const;
    const input = { program, force: true, wait: true };
    const { text, results } = await engine.run(caller(), ref, input);
    return { text, rows: results[0]?.rows ?? [] };
  } catch (thrown) {
    return { text: engine.problemOf(thrown).text, rows: [] };
  }
}

const { pieces: PIECES, makers: MAKERS } = MUSEUM;
const ids = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => ({ id }));
const loanOf = (id: string) => {
  const { piece, to, until } = MUSEUM.loans.find((each) => each.id === id) ?? {};
  return { id, piece, to, until };
};

/** Rows of the table as an agent fills them, and what the museum's own data say to it. */
const READS: readonly (readonly [left: string, program: string, rows: readonly object[]])[] = [
  ["Piece[id,made,maker,note,room,tags,title]", "Piece.limit(9)[id]", ids(PIECES)],
  [
    "Piece[id,made,maker,note,room,tags,title]",
    'Piece{room=north, maker=Maker("m2")}[id,title,made]',
    [{ id: "p3", title: "Blue net", made: 1955 }],
  ],
  [
    "Piece[id,made,maker,note,room,tags,title]",
    "Piece{made_from=1941, tags=clay}[id]",
    [{ id: "p2" }],
  ],
  [
    "Piece[id,made,maker,note,room,tags,title]",
    "Piece.group_by(room, n=count, last=max(made)).sort(room)",
    [
      { room: "cellar", n: 1, last: 1960 },
      { room: "north", n: 3, last: 1988 },
      { room: "south", n: 1, last: 1941 },
    ],
  ],
  [
    "Piece[id,made,maker,note,room,tags,title]",
    "Piece{made>=1955}.sort(made, desc)[id,maker.name]",
    [
      { id: "p5", "maker.name": "Cy" },
      { id: "p4", "maker.name": "Ada" },
      { id: "p3", "maker.name": "Bo" },
    ],
  ],
  [
    "Piece~$",
    'Piece~"blue".limit(9)[id]',
    ids(PIECES.filter(({ title }) => title.startsWith("Blue"))),
  ],
  ["Piece~$", 'Piece~"mask"{room=north}[id,note]', [{ id: "p5", note: "# Blue mask" }]],
  ["Piece($)", 'Piece("p4")[id,note,tags]', [{ id: "p4", note: "# Mask", tags: ["wood"] }]],
  [
    "Maker[id,born,country,name]",
    "Maker.limit(9)[id,born,country,name]",
    MAKERS.map((m) => ({ ...m })),
  ],
  ["Maker[id,born,country,name]", "Maker{country=north, born_after=1910}[id]", [{ id: "m3" }]],
  [
    "Maker[id,born,country,name]",
    "Maker.aggregate(count, sum(born))",
    [{ count: 3, sum_born: 5770 }],
  ],
  ["Maker($)", 'Maker("m2")[name]', [{ name: "Bo" }]],
  ["Maker($).pieces", 'Maker("m1").pieces[id]', [{ id: "p1" }, { id: "p4" }]],
  ["Maker($).pieces", "Maker{born>1910}.pieces{room=north}[id]", [{ id: "p3" }, { id: "p5" }]],
  ["Maker($).loans", 'Maker("m1").loans[id,piece,to,until]', [loanOf("a1"), loanOf("a2")]],
  ["Maker($).letters", 'Maker("m2").letters[id,line]', [{ id: "l4", line: "about l4" }]],
  [
    "Loan{maker=Maker($)}[id,back,piece,to,until]",
    'Loan{maker=Maker("m2")}[id,back]',
    [{ id: "a3", back: "2026-03-30" }],
  ],
  ["Loan($)", 'Loan("a2")[id,piece,to,until]', [loanOf("a2")]],
  ["Curator.me()[id,name]", "Curator.me()[id,name]", [{ ...MUSEUM.me }]],
];

describe("17: POST searches and GraphQL connections, read as a museum's own data say", () => {
  it.each(READS)("the row %s, run as %s", async (left, program, rows) => {
    expect(readTaught(taught).rows.map((row) => row.left)).toContain(left);
    const said = await run(program);
    expect(said.text).not.toContain("partial");
    expect(said.rows).toEqual(rows);
  });

  it("has every read row of the table in the list above", () => {
    const reads = readTaught(taught).rows.filter(({ result }) => result !== "()");
    const others = reads.filter(({ left }) => !/\.(?:update|create|extend)\(/.test(left));
    expect(new Set(others.map(({ left }) => left))).toEqual(new Set(READS.map(([left]) => left)));
  });
});

describe("17: what the museum does not tell whole is told", () => {
  it.each([
    ['Piece~"blue"[id]', "Piece · 2 rows", "next: page("],
    ['Maker("m1").letters[id]', "Letter · 2 rows, partial (rows_unread)", "pageInfo.hasNextPage"],
    ["Maker.letters[id]", "Letter · 3 rows, partial (rows_unread)", "pageInfo.hasNextPage"],
    ['Maker("m1").letters.aggregate(count)', "1 row, partial (rows_unread)", "≥ 2"],
    ["Maker{country=south}[id]", "1 row, partial (graphql_errors)", "not to be told"],
    ["Maker{country=south}.aggregate(count)", "1 row, partial (graphql_errors)", "≥ 1"],
    ['Maker("none").loans', "0 rows, partial (collection_missing)", "data.maker.loans.edges"],
  ])("%s", async (program, head, says) => {
    const { text } = await run(program);
    expect(text.split("\n")[0]).toContain(head);
    expect(text).toContain(says);
  });

  it.each([
    ['Maker("sealed")', "upstream_error", '"the file of this maker is sealed"'],
    ["Maker{country=nowhere}", "upstream_error", '"there is no country nowhere"'],
    ['Maker("none")', "not_found", "Maker:none"],
    ['Piece("none")', "not_found", "Piece:none"],
  ])("%s fails with the API's own words", async (program, code, says) => {
    const { text } = await run(program);
    expect(text).toContain(code);
    expect(text).toContain(says);
  });
});

describe("17: effects of the museum", () => {
  it.each([
    ['Loan("a3").extend(until=2026-09-01)', '"the loan a3 is back already"'],
    ['Loan.create(piece=Piece("p9"), to="School")', '"no piece p9"'],
  ])("%s is refused with the API's own words, and changes nothing", async (program, says) => {
    const { text } = await run(program);
    expect(text).toContain("effects: 1 failed");
    expect(text).toContain(says);
    expect(museum.loans).toEqual(MUSEUM.loans);
  });

  it("what is lent and extended is there, once, and read again", async () => {
    const program = [
      'lent = Loan.create(piece=Piece("p2"), to="School")',
      'Loan("a1").extend(until=2026-09-01)',
      'Maker("m2").loans.limit(9)[id,to]',
    ].join("\n");
    const ref = { kind: "ref", ref: "s0" } as const;
    const input = { program, force: true, wait: true };
    const { results } = await engine.run(caller(), ref, input);
    expect(museum.loans).toEqual([
      { ...MUSEUM.loans[0], until: "2026-09-01" },
      MUSEUM.loans[1],
      MUSEUM.loans[2],
      { id: "a4", piece: "p2", to: "School", until: null, back: null },
    ]);
    expect(results.at(-1)?.rows).toEqual([
      { id: "a3", to: "Harbour" },
      { id: "a4", to: "School" },
    ]);
  });

  it("conditions are sent in the body, and only those that were asked", async () => {
    await run('Piece{room=north, maker=Maker("m2"), made_from=1950}.limit(1)');
    await run("Piece.limit(1)");
    const sent = museum.asked.map(({ body }) => JSON.parse(body) as { query: object });
    expect(sent.map(({ query }) => query)).toEqual([
      { bool: { filter: { room: "north", maker: "m2", made: { gte: 1950 } } } },
      { bool: { filter: {} } },
    ]);
  });
});
