import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { StartError } from "../start-error.ts";
import { makeTemporaryDirectory, removeDirectory } from "../testing/start-for-test.ts";
import { openJsonFile } from "./json-file.ts";

interface Counter {
  readonly count: number;
  readonly filler: string;
}

const filler = "x".repeat(200_000);
const isCounter = (value: unknown): value is Counter =>
  typeof value === "object" && value !== null && "count" in value;

let directory = "";
const file = (): string => join(directory, "deep", "counter.json");
const open = () =>
  openJsonFile<Counter>({ file: file(), seed: () => ({ count: 0, filler }), accepts: isCounter });
const increment = (data: Counter) => ({
  data: { ...data, count: data.count + 1 },
  result: data.count + 1,
});
const stored = async (): Promise<Counter> => JSON.parse(await readFile(file(), "utf8")) as Counter;

beforeEach(async () => {
  directory = await makeTemporaryDirectory();
});
afterEach(() => removeDirectory(directory));

test("the first start makes directory and file, the second reads what the first left", async () => {
  const first = await open();
  expect(await stored()).toEqual({ count: 0, filler });
  await first.change(increment);
  expect((await open()).data.count).toBe(1);
});

test("changes begun together happen one after the other, each on disk when it resolves", async () => {
  const store = await open();
  const results = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const count = await store.change(increment);
      expect((await stored()).count).toBeGreaterThanOrEqual(count);
      return count;
    }),
  );
  expect(results).toEqual(Array.from({ length: 20 }, (_none, index) => index + 1));
});

test("whoever reads the file while it changes sees whole data", async () => {
  const store = await open();
  let writing = true;
  const writes = Promise.all(Array.from({ length: 40 }, () => store.change(increment))).finally(
    () => {
      writing = false;
    },
  );
  const seen = [];
  while (writing) {
    const data = await stored();
    expect(data.filler.length).toBe(filler.length);
    seen.push(data.count);
  }
  await writes;
  expect(new Set(seen).size).toBeGreaterThan(1);
  expect(seen).toEqual(seen.toSorted((a, b) => a - b));
  expect(await readdir(join(directory, "deep"))).toEqual(["counter.json"]);
});

test("a change that throws, or cannot be written, leaves memory and file as they were", async () => {
  const store = await open();
  const refuse = (): never => {
    throw new Error("refused");
  };
  await expect(store.change(refuse)).rejects.toThrow("refused");
  await mkdir(`${file()}.tmp`);
  await expect(store.change(increment)).rejects.toThrow("EISDIR");
  expect([store.data.count, (await stored()).count]).toEqual([0, 0]);
});

test("a later change succeeds after a failed one", async () => {
  const store = await open();
  await mkdir(`${file()}.tmp`);
  await expect(store.change(increment)).rejects.toThrow("EISDIR");
  await removeDirectory(`${file()}.tmp`);
  expect(await store.change(increment)).toBe(1);
});

test("a half-written temporary file of an earlier crash is of no consequence", async () => {
  const first = await open();
  await first.change(increment);
  await writeFile(`${file()}.tmp`, '{"count": 9');
  const second = await open();
  expect(second.data.count).toBe(1);
  expect(await second.change(increment)).toBe(2);
});

test.each([
  ["{", /Cannot read .*counter\.json: .*move it away to begin anew/],
  ["[]", /counter\.json is not data of this version\. Move it away/],
])("the damaged file %j is named and left alone", async (text, message) => {
  await open();
  await writeFile(file(), text);
  await expect(open()).rejects.toThrow(message);
  await expect(open()).rejects.toBeInstanceOf(StartError);
  expect(await readFile(file(), "utf8")).toBe(text);
});

test("a directory that cannot be made is a StartError", async () => {
  await writeFile(join(directory, "deep"), "a file in the way");
  await expect(open()).rejects.toBeInstanceOf(StartError);
});
