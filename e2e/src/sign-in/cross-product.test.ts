import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ACCOUNTS, crossProduct, type CrossOutcome } from "./cross-product.ts";
import { SignInWorld } from "./sign-in-world.ts";
import { foreignRows, isRightAnswer, wrongTokens } from "./witness.ts";

let world: SignInWorld;
let outcome: CrossOutcome;
beforeAll(async () => {
  world = await SignInWorld.start(["ann", "bob"]);
  outcome = await crossProduct(world, { programs: 2, kills: 1 });
}, 240_000);
afterAll(() => world.close());

describe("RUN-129: two principals with two accounts each, over MCP, HTTP and embedding, with a kill", () => {
  test("every program gets its own row, and refresh tokens rotate meanwhile", () => {
    expect(outcome.failed).toEqual([]);
    expect([outcome.programs, outcome.kills]).toEqual([24, 1]);
    expect(outcome.persons).toEqual(ACCOUNTS.map(({ person }) => person).toSorted());
    // Four sign-ins give twelve; the rest came by refreshes.
    expect(outcome.issued).toBeGreaterThan(13);
    expect(outcome.requests).toBeGreaterThanOrEqual(24);
  });

  test("by the API's own log no request ever came with another's token, and nobody saw another's row", () => {
    expect(outcome.wrong).toEqual([]);
    expect(outcome.foreign).toEqual([]);
    // The witness speaks up.
    const mixed = [
      { path: "/boats/ann-home.3", person: "ann-work" },
      { path: "/boats/ann-home.3", person: null },
      { path: "/boats/ann-home.3", person: "ann-home" },
    ];
    expect(wrongTokens(mixed)).toEqual(mixed.slice(0, 1));
    const [first] = ACCOUNTS;
    if (first === undefined) throw new Error("an account");
    expect(foreignRows("of bob-home", first, ACCOUNTS)).toEqual(["bob-home"]);
    const table = (...rows: readonly string[]) =>
      JSON.stringify({ text: ["Boat", "```tsv", "id\tname", ...rows, "```"].join("\n") });
    const isRight = (told: string) => isRightAnswer(told, first, "ann-home.3", false);
    expect(isRight(table("ann-home.3\tann-home"))).toBe(true);
    for (const other of [
      table("ann-home.3\tann-work"),
      table("ann-home.30\tann-home"),
      table("ann-home.3\tann-home", "ann-home.4\tann-home"),
      table(),
      JSON.stringify({ detail: 'failed: Boat("ann-home.3") ann-home' }),
    ])
      expect(isRight(other)).toBe(false);
  });

  test("no token and no code stands in any answer, page, log, file, store or backup", async () => {
    expect(outcome.leaks).toEqual([]);
    const [token = ""] = world.oauth.issued;
    await writeFile(join(world.directory, "data", "planted"), `x${token}y`);
    expect((await world.leaks()).map(({ writing }) => writing)).toContain("raw");
  });
});
