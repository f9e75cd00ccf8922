import { afterEach, describe, expect, test } from "vitest";
import { makeBoats, type Reply, startQuay, type TestServer } from "@plasm/testkit/servers";
import { fixture, quickClock, run } from "../testing/fixture-run.ts";
import { boats, compute } from "../testing/nodes.ts";

const COUNT = 20;
const busy = (status: number, headers: Reply["headers"] = {}): Reply => ({
  status,
  headers,
  text: "",
  delay: 1,
});

let quay: TestServer;
afterEach(() => quay.close());

/** What is refused of the reads of single boats, and with what; null lets a read through. */
type Limit = (boat: string) => Reply | null;

/** Reads the note of every boat by a request of its own, at an API that limits its callers. */
async function notes(limit: Limit, clock = quickClock()) {
  let refused = 0;
  quay = await startQuay(makeBoats(COUNT), ({ path }) => {
    const [, kind, id] = path.split("/");
    if (kind !== "boats" || id === undefined) return null;
    const refusal = limit(id);
    if (refusal !== null) refused += 1;
    return refusal ?? { json: { id, note: `note of ${id}` }, delay: 3 };
  });
  const setting = { catalogs: [fixture("quay")], backends: { quay: quay.url }, clock };
  const { results, nodes } = await run(setting, [
    boats(),
    compute("n2", "n1", { project: [["id"], ["note"]] }),
  ]);
  const [result] = results;
  const read = result?.rows.filter(
    ({ values }) => values["note"] === `note of ${values["id"] as string}`,
  ).length;
  return { read, partial: result?.partial ?? null, refused, errors: nodes.map((n) => n.error) };
}

describe("RUN-213: an API that limits its callers gives all its rows", () => {
  test.each<[string, Reply["headers"]]>([
    ["Retry-After", { "retry-after": "1" }],
    ["the seconds that are left", { "x-ratelimit-reset": "1", "x-ratelimit-remaining": "0" }],
    ["no time", {}],
  ])("three requests a second, told with %s", async (_told, headers) => {
    const clock = quickClock();
    let second = 0;
    let used = 0;
    const seen = await notes(() => {
      const now = Math.floor(clock.now() / 1_000);
      if (now !== second) [second, used] = [now, 0];
      used += 1;
      return used > 3 ? busy(429, headers) : null;
    }, clock);
    expect([seen.read, seen.partial]).toEqual([COUNT, null]);
    expect(seen.refused).toBeLessThan(2 * COUNT);
  });

  test.each([429, 503])("two at once, else %i", async (status) => {
    let open = 0;
    const seen = await notes(() => {
      if (open >= 2) return busy(status);
      open += 1;
      setTimeout(() => (open -= 1), 3);
      return null;
    });
    expect([seen.read, seen.partial]).toEqual([COUNT, null]);
    expect(seen.refused).toBeLessThan(COUNT / 2);
  });

  test("a row that is always refused is given up, after ten requests", async () => {
    let asked = 0;
    let passes = 0;
    await notes((boat) => {
      if (boat === "b3") {
        asked += 1;
        passes = 1;
        return busy(503);
      }
      // One other passes between any two requests for that row.
      if (passes === 0) return busy(503);
      passes -= 1;
      return null;
    });
    expect(asked).toBe(10);
  });

  test("where nothing passes, three requests of each of six are enough", async () => {
    const seen = await notes(() => busy(503));
    expect([seen.read, seen.refused]).toEqual([0, 3 * COUNT]);
  });
});
