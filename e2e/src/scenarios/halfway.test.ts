import { beforeEach, describe, expect, test } from "vitest";
import { openTalk, OWN_CALLERS } from "../harness/callers.ts";
import { seedsOf } from "../harness/open-session.ts";
import { useWorld } from "../harness/use-world.ts";
import { expectHalfway, type Halfway, type Witness } from "./halfway.ts";

const world = useWorld();
const seeds = seedsOf("quay", "Boat");

const boat = (id: string): string => `${world().apis.quay.url}/boats/${id}`;

async function note(id: string, text: string): Promise<void> {
  const body = JSON.stringify({ note: text });
  const headers = { "content-type": "application/json" };
  const response = await fetch(boat(id), { method: "PATCH", headers, body });
  if (!response.ok) throw new Error(`${id} answered ${response.status}`);
}

/** The boats as the API itself has them; its own look at them is no request of Plasm's. */
const witness = (): Witness => {
  const { apis } = world();
  const looks = (path: string): boolean => /^GET \/boats\/b[123]$/.test(path);
  return {
    forgetRequests: () => apis.forgetRequests(),
    requests: () =>
      apis.requests.map(({ method, path }) => `${method} ${path}`).filter((one) => !looks(one)),
    state: () =>
      Promise.all(["b1", "b2", "b3"].map(async (id) => (await fetch(boat(id))).json() as unknown)),
  };
};

/** Three boats in a row; the second has a note that is no name. */
const PER_ROW: Halfway = {
  catalog: "quay",
  program: `three = Boat.limit(3)
named = three[id, note]
named => Boat(_.id).update(name=_.note)`,
  effects: ["n3[0] update quay.Boat b1", "n3[1] update quay.Boat b2", "n3[2] update quay.Boat b3"],
  said: "must be text that is not empty",
  writes: ["PATCH /boats/b1", "PATCH /boats/b2"],
};

const STATEMENTS: Halfway = {
  catalog: "quay",
  program: `Boat("b1").update(state=lost)
Boat("b2").update(name="")
Boat("b3").update(state=lost)`,
  effects: ["n1 update quay.Boat b1", "n2 update quay.Boat b2", "n3 update quay.Boat b3"],
  said: "must be text that is not empty",
  writes: ["PATCH /boats/b1", "PATCH /boats/b2"],
};

beforeEach(async () => {
  await world().apis.reset();
  for (const [id, text] of [
    ["b1", "Ada"],
    ["b2", ""],
    ["b3", "Cleo"],
  ] as const) {
    await note(id, text);
  }
});

describe.each(OWN_CALLERS)("%s, the second of three effects fails", (caller) => {
  test.each([
    ["in =>", PER_ROW],
    ["in three statements", STATEMENTS],
  ])("F20 G1 P27 %s: all is told, nothing is repeated", async (how, halfway) => {
    const talk = await openTalk(caller, world(), { intent: `${caller}: ${how}`, seeds });
    try {
      expect(await expectHalfway(talk, halfway, witness())).toBe("pc0");
    } finally {
      await talk.close();
    }
  });
});
