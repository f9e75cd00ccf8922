import { expect, test } from "vitest";
import { answering, integer, list, made, object, query, taking, text } from "../testing/made.ts";

type Slot = Readonly<Record<string, unknown>>;

const said = (word: string) => ({
  type: "string",
  description: `What is said of ${word} takes about as many letters as a table shows of it, or more`,
});
const many = (prefix: string, count: number): object =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`${prefix}${at}`, said(`${prefix}${at}`)]),
  );

const boat = object({ id: text, name: text, hull: object({ colour: text }) });
const engine = object(
  { power: integer, maker: object({ town: text, ...many("maker", 4) }), ...many("engine", 4) },
  ["power"],
);

const paths = (body: object, filters: readonly object[] = []) => ({
  "/boats": {
    get: answering(list(boat), { parameters: filters }),
    post: taking(object(body, ["berth"])),
  },
  "/boats/{id}": {
    parameters: [{ name: "id", in: "path", required: true, schema: text }],
    get: answering(boat),
    put: taking(object({ hull: object({ colour: text }), fast: { type: "boolean" } })),
  },
});

/** The arguments of a capability, those that tables leave out apart. */
async function argumentsOf(body: object, name: string, filters: readonly object[] = []) {
  const { domain, diagnostics } = await made(paths(body, filters));
  expect(diagnostics).toEqual([]);
  const slots = (domain.capabilities[name]?.["parameters"] ?? []) as readonly Slot[];
  const names = (rare: boolean) =>
    slots.filter(({ detail }) => (detail === true) === rare).map((slot) => slot["name"]);
  return { shown: names(false), rare: names(true), slots };
}

const membersOf = (slots: readonly Slot[], name: string): readonly Slot[] => {
  const form = slots.find((slot) => slot["name"] === name)?.["input_type"];
  return (form as { readonly fields: readonly Slot[] }).fields;
};
const rareIn = (slots: readonly Slot[]) =>
  slots.filter(({ detail }) => detail === true).map((slot) => slot["name"]);

const FITTING = { berth: text, name: text, engine };

test("of a table that fits all is taught", async () => {
  const { rare, slots } = await argumentsOf(FITTING, "boat_create");
  expect(rare).toEqual([]);
  expect(rareIn(membersOf(slots, "engine"))).toEqual([]);
});

test("members two objects deep are the first to be left out, then all optional members", async () => {
  const deep = await argumentsOf({ ...FITTING, ...many("name_", 11) }, "boat_create");
  expect(deep.rare).toEqual([]);
  expect(rareIn(membersOf(deep.slots, "engine"))).toEqual([]);
  expect(rareIn(membersOf(membersOf(deep.slots, "engine"), "maker"))).toHaveLength(5);
  const all = await argumentsOf({ ...FITTING, ...many("name_", 17) }, "boat_create");
  expect(all.rare).toEqual([]);
  const members = membersOf(all.slots, "engine");
  expect(rareIn(members)).toEqual(expect.arrayContaining(["maker", "engine0"]));
  expect(rareIn(members)).not.toContain("power");
});

test("then what an effect takes that rows do not have; what is demanded, and what rows have, stay", async () => {
  const { shown, rare } = await argumentsOf({ ...FITTING, ...many("extra", 40) }, "boat_create");
  expect(shown).toEqual(["berth", "name"]);
  expect(rare).toHaveLength(41);
  // An effect of few arguments is not what makes the table large.
  const update = await argumentsOf({ ...FITTING, ...many("extra", 40) }, "boat_update");
  expect(update.rare).toEqual([]);
});

test("conditions of lists are left out last, and their order and words that a search needs never", async () => {
  const filters = Object.entries(many("where", 30)).map(([name, schema]) =>
    query(name, schema as object),
  );
  const own = [query("names"), query("sort"), query("q", text, { required: true })];
  const { shown, rare } = await argumentsOf({ berth: text }, "boat_search", [...own, ...filters]);
  // Rows have a name, and `names` asks for it.
  expect(shown).toEqual(["names", "q", "sort"]);
  expect(rare).toHaveLength(30);
});
