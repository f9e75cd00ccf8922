import type { Catalog } from "@plasm/core";
import { afterEach, describe, expect, test } from "vitest";
import type { Engine } from "../engine.ts";
import { Failure } from "../errors/problem.ts";
import { LOCAL } from "../identity/caller.ts";
import { formsApi, formsEngine } from "../../test/forms-api.ts";
import { testStore } from "../../test/test-store.ts";
import { checkPins } from "./pins.ts";

const engines: Engine[] = [];
afterEach(() => Promise.all(engines.splice(0).map((engine) => engine.close())));

const OTHER = `sha256:${"0".repeat(64)}`;

/** An engine with one catalog, whose sessions have an overlay, and so another effective digest. */
async function setUp() {
  const engine = formsEngine(testStore(), formsApi());
  engines.push(engine);
  const own = (await engine.registry(LOCAL))[0]?.["digest"] as string;
  const seeds = [{ api: "forms", entity: "Entry__trees" }];
  const open = async (pins: unknown, intent = "a") => {
    const { meta } = await engine.context(LOCAL, { intent, seeds, notation: "names", pins });
    return meta["waves"] as readonly { digest: string }[];
  };
  const refused = async (pins: unknown): Promise<string> => {
    try {
      await open(pins);
    } catch (thrown) {
      if (thrown instanceof Failure) return `${thrown.problem.code}: ${thrown.problem.text}`;
      throw thrown;
    }
    throw new Error("it was opened");
  };
  return { own, open, refused };
}

describe("RUN-172: a client pins the catalogs that it means", () => {
  test("by the digest of the files, with and without its prefix, whatever the overlay", async () => {
    const { own, open } = await setUp();
    expect(own).toMatch(/^sha256:[0-9a-f]{64}$/);
    const [wave] = await open([{ api: "forms", digest: own }]);
    expect(wave?.digest).not.toBe(own);
    expect(await open([{ api: "forms", digest: own.slice("sha256:".length) }], "b")).toHaveLength(
      1,
    );
    // The session that stands keeps its catalog, which is still the one that is meant.
    expect(await open([{ api: "forms", digest: own }])).toEqual([]);
  });

  test("a mismatch shows both digests, and opens nothing", async () => {
    const { own, open, refused } = await setUp();
    expect(await refused([{ api: "forms", digest: OTHER }])).toBe(
      `plasm-bad-request: The catalogs are not those of the pins: forms is ${own} here and pinned as ${OTHER}.`,
    );
    expect(await open(undefined)).toHaveLength(1);
  });

  test("a missing pin shows the digest that there is", async () => {
    const { own, refused } = await setUp();
    expect(await refused([])).toContain(`forms is ${own} here and not pinned.`);
  });

  test.each([
    ["pins are no list", { forms: OTHER }, "plasm-bad-request: pins"],
    ["no digest", [{ api: "forms" }], 'pins[0] needs "api" and "digest"'],
    ["no whole digest", [{ api: "forms", digest: "sha256:12" }], "64 hexadecimal digits"],
    ["an api that is none", [{ api: "froms", digest: OTHER }], "plasm-unknown-catalog"],
  ])("%s", async (_what, pins, said) => {
    const { refused } = await setUp();
    expect(await refused(pins)).toContain(said);
  });

  test("a pin of a catalog that is not seeded shows what it pins", () => {
    const catalog = { entryId: "a", digest: OTHER } as Catalog;
    const pins = new Map([
      ["a", OTHER],
      ["b", OTHER],
    ]);
    const check = () =>
      checkPins(pins, [{ entryId: "a", entities: [] }], new Map([["a", catalog]]));
    expect(check).toThrow(`of the pins: b is pinned as ${OTHER} and not seeded.`);
  });

  test("one catalog twice", async () => {
    const { own, refused } = await setUp();
    const pin = { api: "forms", digest: own };
    expect(await refused([pin, pin])).toContain("pins name forms twice");
  });
});
