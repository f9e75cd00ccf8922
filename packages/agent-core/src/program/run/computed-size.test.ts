import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import type { Attack, Survived } from "../../../test/attacked-process.ts";

const PROGRAM = fileURLToPath(new URL("../../../test/attacked-process.ts", import.meta.url));

/** A process with a heap of 256 MB, which each attack finds as the one before has left it. */
let attacked: ChildProcess | null = null;

function attackedProcess(): ChildProcess {
  if (attacked !== null && attacked.exitCode === null && attacked.signalCode === null)
    return attacked;
  const args = ["--max-old-space-size=256", "--conditions=@plasm/source", PROGRAM];
  attacked = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "ignore"] });
  return attacked;
}

afterAll(() => void attacked?.kill("SIGKILL"));

/** What that process makes of a program; throws where the program ends it. */
function survive(attack: Attack): Promise<readonly Survived[]> {
  const { stdin, stdout } = attackedProcess();
  if (stdin === null || stdout === null) throw new Error("it was started without pipes");
  const told: Survived[] = [];
  return new Promise((resolve, reject) => {
    const lines = createInterface({ input: stdout });
    lines.on("line", (line) => {
      told.push(JSON.parse(line) as Survived);
      if (told.at(-1)?.call !== "other") return;
      resolve(told);
      lines.close();
    });
    lines.once("close", () => reject(new Error(`it ended after ${JSON.stringify(told)}`)));
    stdin.write(`${JSON.stringify(attack)}\n`);
  });
}

const times = (count: number, text: (at: number) => string, between = ", "): string =>
  Array.from({ length: count }, (_, at) => text(at)).join(between);

/** One row of the API, lines that each nest the one before twenty times. */
const nested = (line: (before: string) => string): string =>
  [
    "a0 = Boat.limit(1) => {v: _.id}",
    ...Array.from({ length: 7 }, (_, at) => `a${at + 1} = ${line(`a${at}`)}`),
  ].join("\n");

const ROWS = nested((before) => `${before} => {v: [${times(20, () => "_.v")}]}`);
const WHOLE = nested((before) => `${before} => {${times(20, (at) => `c${at}: _`)}}`);

/** A text of a million characters for each row, of a program of two thousand. */
const MEGABYTE = `replace(replace(_.id[:1], "b", "${"a".repeat(1_000)}"), "a", "${"c".repeat(1_000)}")`;

const CELLS_TOO = /With a\d this run would compute [\d,]+ cells, written out; at most [\d,]+ are/;

const ATTACKS: readonly (readonly [name: string, program: string, says: RegExp])[] = [
  ["a => that nests a value of rows twenty times a line", `${ROWS}\na7`, CELLS_TOO],
  ["a => that nests the row itself in twenty columns a line", `${WHOLE}\na7`, CELLS_TOO],
  [
    "a nested value as an argument of an effect",
    `${ROWS}\na7 => Boat("b1").update(note=_.v)`,
    CELLS_TOO,
  ],
  [
    "group_by with 3,000 aggregates of 3,000 groups",
    `g = Boat.group_by(id, ${times(3_000, (at) => `c${at}=min(name)`)})\ng`,
    /With g this run would compute [\d,]+ cells, written out; at most [\d,]+ are allowed/,
  ],
  [
    "3,000 rows of 4,000 columns",
    `g = Boat => {${times(4_000, (at) => `c${at}: _.id`)}}\ng`,
    /With g this run would compute [\d,]+ cells, written out; at most [\d,]+ are allowed/,
  ],
  [
    "a text of a million characters for each of 3,000 rows",
    `g = Boat => {a: ${MEGABYTE}}\ng`,
    /With g this run would compute [\d,]+ (?:MiB|bytes), written out; at most \d+ MiB are allowed/,
  ],
  [
    "3,000 rows that are sorted by 2,000 keys",
    `s = Boat.sort(${times(2_000, () => "name")})\ns[id]`,
    /With s the rows of this run would take \d+ MiB of memory; one run may have \d+ MiB/,
  ],
  [
    "3,000 rows under 240 labels",
    [
      "r = Boat => {id: _.id, name: _.name, all: _}",
      ...Array.from({ length: 240 }, (_, at) => `r${at} = r.sort(id)`),
      ...Array.from({ length: 240 }, (_, at) => `r${at}`),
    ].join("\n"),
    /the results of this run would be \d+ MiB, written out; at most \d+ MiB are allowed/,
  ],
];

/** A list of 90,000 parts of a text, of a program of two thousand characters. */
const parts = (sign: string): string =>
  `split(replace(replace(_.id[:1], "b", "${"a".repeat(300)}"), "a", "${`${sign} `.repeat(300)}"), " ")`;

/** A value that grows with each of its operators, and lists that are looked for in each other. */
const DEAR: readonly (readonly [name: string, program: string])[] = [
  [
    "fifty changes of a text of a million characters",
    `g = Boat.limit(20) => {a: length(${"replace(".repeat(50)}${MEGABYTE}${', "c", "d")'.repeat(50)})}\ng`,
  ],
  [
    "90,000 elements without 90,000 others",
    `g = Boat.limit(20) => {a: ${parts("a")} - ${parts("b")}}\ng`,
  ],
];

/** Literals and cells of one row: how many there are is known before anything is asked. */
const KNOWN = [
  'a0 = Boat("b1")[name]',
  `a1 = {v: [${times(20, () => "a0.name")}]}`,
  ...Array.from({ length: 6 }, (_, at) => `a${at + 2} = {v: [${times(20, () => `a${at + 1}.v`)}]}`),
  "a7",
].join("\n");

describe("18.13 a program that computes more than a process can hold", { timeout: 240_000 }, () => {
  it.each(ATTACKS)("18.13 %s is refused, and the process goes on", async (_, program, says) => {
    const told = await survive({ program, boats: 3_000 });
    const codes = told.map(({ call, code }) => [call, code]);
    expect(codes).toEqual([
      ["plan", "ok"],
      ["run", "plasm-run-failed"],
      ["operation", "plasm-run-failed"],
      ["other", "ok"],
    ]);
    for (const { call, text } of told.slice(1, 3))
      expect([call, text]).toEqual([call, expect.stringMatching(says)]);
  });

  it.each(DEAR)(
    "18.14 %s is null, and told as that, and the process goes on",
    async (_, program) => {
      const told = await survive({ program, boats: 30 });
      expect(told.map(({ call, code }) => [call, code])).toEqual([
        ["plan", "ok"],
        ["run", "ok"],
        ["operation", "ok"],
        ["other", "ok"],
      ]);
      for (const { text } of told.slice(1, 3)) {
        expect(text).toContain("g · 20 rows, partial (cell_unfit)");
        expect(text).toContain("it takes more work than the values of a row may, so it is null");
      }
    },
  );

  it("18.13 what literals come to is refused when it is planned", async () => {
    const told = await survive({ program: KNOWN, boats: 1 });
    expect(told.map(({ call, code }) => [call, code])).toEqual([
      ["plan", "plasm-too-large"],
      ["other", "ok"],
    ]);
    expect(told[0]?.text).toMatch(/at most [\d,]+ cells are allowed, this has [\d,]+/);
  });

  it("18.13 the process that met all of them ends by itself", async () => {
    const last = attackedProcess();
    const closed = once(last, "close");
    last.stdin?.end();
    expect(await closed).toEqual([0, null]);
  });
});
