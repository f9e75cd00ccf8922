import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
import { isUsable, measure, type Measured } from "./measure.mjs";

/** What became of one document. */
type Figures = Measured & { readonly name: string };

const DIRECTORY = join(import.meta.dirname, "documents");

let all: readonly Figures[];

beforeAll(async () => {
  const measured: Figures[] = [];
  for (const file of globSync("*.json.gz", { cwd: DIRECTORY }).toSorted()) {
    const name = basename(file, ".json.gz");
    const text = gunzipSync(readFileSync(join(DIRECTORY, file))).toString("utf8");
    measured.push({ ...(await measure(text, name.replaceAll(/[^a-z0-9_.-]/g, "-"))), name });
  }
  all = measured;
}, 120_000);

const names = (figures: readonly Figures[]): readonly string[] => figures.map(({ name }) => name);

test("sixty public documents give catalogs that load strictly", () => {
  expect(all).toHaveLength(60);
  expect(all.flatMap(({ name, fault }) => (fault === null ? [] : [`${name}: ${fault}`]))).toEqual(
    [],
  );
});

/** What is not usable, and why it cannot be: a picture is no answer, and no answer has what its cursor takes. */
const NOT_USABLE = ["apideck.com-ecosystem", "color.pizza"];

test("all but two of them are usable: their operations are reached, and no list is a row or ends unseen", () => {
  expect(names(all.filter((one) => !isUsable(one)))).toEqual(NOT_USABLE);
});

test("99 % of their operations are reached, and the effects among them answer what they answer", () => {
  const sum = (figure: (one: Figures) => number): number =>
    all.reduce((total, one) => total + figure(one), 0);
  expect(sum(({ operations }) => operations)).toBeGreaterThan(1_500);
  expect(sum(({ reached }) => reached) / sum(({ operations }) => operations)).toBeGreaterThan(0.99);
  expect(
    all.flatMap(({ examples }) => examples.filter((one) => one.startsWith("no answer"))),
  ).toEqual([]);
});

test("what becomes of each is as it was", async () => {
  const lines = all.map(
    ({ name, operations, reached, entities, lists, paged, effects, left }) =>
      `${name}: ${reached} of ${operations} operations, ${entities} entities, ${lists} lists, ${paged} paged, ${effects} effects that answer${left.map((line) => `\n    ${line}`).join("")}`,
  );
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("documents.txt");
});
