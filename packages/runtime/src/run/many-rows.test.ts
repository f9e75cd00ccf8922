import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ownerAt, OWNERS, parcelAt, startParcels } from "@plasm/testkit/servers";

const PROGRAM = fileURLToPath(new URL("../testing/many-rows.ts", import.meta.url));
const MIB = 1024 * 1024;

/** More than may be arguments of a call; `bench many-rows` runs the same with a million. */
const COUNT = 140_000;

/** By how much a process may grow whose heap may have 192 MB, which 1.2 kB a row were too much for. */
const MOST = 300 * MIB;

interface Ran {
  readonly grown: number;
  readonly failed: readonly string[];
  readonly partial: readonly unknown[];
  readonly results: readonly (readonly Readonly<Record<string, unknown>>[])[];
}

const directory = mkdtempSync(join(tmpdir(), "plasm-rows-"));
const api = { url: "", close: async (): Promise<void> => undefined };
beforeAll(async () => {
  Object.assign(api, await startParcels(COUNT));
});
afterAll(() => api.close());

/** Runs a program over all parcels in a process of its own with a small heap. */
async function ran(program: string): Promise<Ran> {
  const args = ["--max-old-space-size=192", "--conditions=@plasm/source", PROGRAM];
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...args, api.url, program, directory],
    { maxBuffer: 64 * MIB },
  );
  return JSON.parse(stdout) as Ran;
}

const parcels = Array.from({ length: COUNT }, (_none, at) => parcelAt(at));
const cityOf = ({ owner }: (typeof parcels)[number]): string =>
  ownerAt(Number(owner.slice(1))).city;
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

test("18.6 26.10 many rows are filtered, sorted and grouped in a small memory, and right", async () => {
  const { failed, partial, results, grown } = await ran(
    [
      "large = Parcel{size > 100}",
      "large.sort(size desc, name).limit(200)[id, size, name, day]",
      "large.group_by(owner, n=count, total=sum(size), last=max(day))",
    ].join("\n"),
  );
  expect(failed).toEqual([]);
  expect(partial).toEqual([null, null]);
  const large = parcels.filter(({ size }) => size > 100);
  const sorted = large.toSorted((a, b) => b.size - a.size || compare(a.name, b.name));
  expect(results[0]).toEqual(
    sorted.slice(0, 200).map(({ id, size, name, day }) => ({ id, size, name, day })),
  );
  const groups = Array.from({ length: OWNERS }, (_none, at) => {
    const own = large.filter(({ owner }) => owner === `o${at}`);
    const total = own.reduce((sum, { size }) => sum + size, 0);
    const last = own
      .map(({ day }) => day)
      .toSorted(compare)
      .at(-1);
    return { owner: `o${at}`, n: own.length, total, last };
  });
  const byOwner = (all: readonly Readonly<Record<string, unknown>>[] = []) =>
    all.toSorted((a, b) => compare(String(a["owner"]), String(b["owner"])));
  expect(byOwner(results[1])).toEqual(byOwner(groups));
  expect(readdirSync(directory)).toEqual([]);
  expect(grown).toBeLessThan(MOST);
}, 600_000);

test("18.6 26.10 many rows are joined in a small memory, and right", async () => {
  const { failed, results, grown } = await ran(
    "Parcel.sort(day desc, id)[id, day, owner.city].limit(50)",
  );
  expect(failed).toEqual([]);
  const latest = parcels.toSorted((a, b) => compare(b.day, a.day) || compare(a.id, b.id));
  expect(results[0]).toEqual(
    latest.slice(0, 50).map((each) => ({ id: each.id, day: each.day, "owner.city": cityOf(each) })),
  );
  expect(grown).toBeLessThan(MOST);
}, 600_000);
