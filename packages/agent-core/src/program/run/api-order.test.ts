import { describe, expect, it } from "vitest";
import { useServedCatalog } from "../../../test/served-catalog.ts";

const served = useServedCatalog();

const HEAD = `version: 1
http_backend: BACKEND
values:
  text: { type: string, string_semantics: short }
  count: { type: integer }
  day: { type: date, value_format: iso8601_date }
  order: { type: select, allowed_values: [length, built, length_down, name] }
  way: { type: select, allowed_values: [up, down] }
entities:
  Boat:
    fields: { id: { value_ref: text }, name: { value_ref: text }, length: { value_ref: count }, built: { value_ref: day } }
capabilities:
`;

const PARAMETERS =
  "parameters: [{ name: order, value_ref: order, role: sort }, { name: way, value_ref: way, role: sort_direction }]";

const TWO =
  "sort: { param: order, columns: { length: length, built: built }, direction: way, ascending: up, descending: down }";
const ONE =
  "sort: { param: order, columns: { length: { ascending: length, descending: length_down } } }";

const MAPPINGS = `boat_query:
  method: GET
  path: [{ type: literal, value: boats }]
  query:
    type: object
    fields:
      - [order, { type: var, name: order }]
      - [way, { type: var, name: way }]
  response: { items: boats }
  pagination: { params: { page: { counter: 1 }, per_page: { fixed: 2 } } }
`;

interface Boat {
  readonly id: string;
  readonly name: string;
  readonly length: number | null;
  readonly built: string;
}

const boat = (id: string, length: number | null, built = "2020-01-01"): Boat => ({
  id,
  name: `Boat ${id}`,
  length,
  built,
});

const BOATS = [boat("a", 3), boat("b", 9), boat("c", 7), boat("d", 9), boat("e", 1), boat("f", 8)];

type Sorted = (boats: readonly Boat[], order: string, down: boolean) => readonly Boat[];

const byLength = (boats: readonly Boat[], down: boolean): readonly Boat[] =>
  boats.toSorted((a, b) => (down ? -1 : 1) * ((a.length ?? 0) - (b.length ?? 0)));

/** Boats, two a page, in the order that is asked for. */
const serve = (sort: string, boats: readonly Boat[] = BOATS, sorted?: Sorted) =>
  served(
    {
      domain: `${HEAD}  boat_query: { kind: query, entity: Boat, ${PARAMETERS}, ${sort} }\n`,
      mappings: MAPPINGS,
      entity: "Boat",
    },
    (_method, url) => {
      const asked = new URL(url, "http://boats").searchParams;
      const order = asked.get("order") ?? "";
      const down = asked.get("way") === "down" || order.endsWith("_down");
      const all =
        order === "" ? boats : (sorted ?? ((all) => byLength(all, down)))(boats, order, down);
      const page = Number(asked.get("page") ?? 1);
      return { body: { boats: all.slice(2 * (page - 1), 2 * page) } };
    },
  );

describe("CAT-144 RUN-078: the first rows by a column that the API sorts by", () => {
  it("are asked of it in that order, and no further", async () => {
    const on = await serve(TWO);
    const { text } = await on.run("Boat.sort(length desc).limit(3)[id, length]");
    expect(text).toBe("Boat · 3 rows\n```tsv\nid\tlength\nb\t9\nd\t9\nf\t8\n```");
    expect(on.asked).toEqual([
      "GET /boats?order=length&way=down&page=1&per_page=2",
      "GET /boats?order=length&way=down&page=2&per_page=2",
    ]);
  });

  it("by what stands for both where there is one parameter", async () => {
    const on = await serve(ONE);
    expect((await on.run("Boat.sort(length).limit(1)[id]")).text).toContain("id\ne");
    expect((await on.run("Boat.sort(length desc).limit(1)[id]")).text).toContain("id\nb");
    expect(on.asked).toEqual([
      "GET /boats?order=length&page=1&per_page=2",
      "GET /boats?order=length_down&page=1&per_page=2",
    ]);
  });

  it("the plan says so, and what it costs", async () => {
    const { text } = await (await serve(TWO)).plan("Boat.sort(length desc).limit(3)");
    expect(text).toContain(
      "n1 query served.Boat query(order=length, way=down) · ≤3 rows · ≤2 pages",
    );
    expect(text).toContain("sort length desc, the first 3 as the API sorts");
    expect(text).not.toContain("sort reads all");
  });

  it.each([
    ["a column that it does not name", "Boat.sort(name).limit(1)"],
    ["a condition that is tested here", "Boat{length < 9}.sort(length).limit(1)"],
    ["several columns", "Boat.sort(length, name).limit(1)"],
    ["a computed value", "Boat.sort(length * 2).limit(1)"],
    ["no limit", "Boat.sort(length)"],
    ["rows that are used twice", "b = Boat\nx = b.sort(length).limit(1)\nx, b.aggregate(count)"],
    ["an order of its own", "Boat.query(order=built).sort(length).limit(1)"],
  ])("is sorted here where that cannot be asked: %s", async (_, program) => {
    const on = await serve(TWO);
    const { problem } = await on.run(program);
    expect(problem).toBeNull();
    expect(on.asked.some((each) => each.includes("order=length"))).toBe(false);
    expect(on.asked.length).toBeGreaterThanOrEqual(3);
  });

  const REFUSED =
    "the API was asked for this order and gave another one, or rows without length before others.";

  it("out of order they are not taken for the first, and the error says what to do", async () => {
    const on = await serve(TWO, BOATS, (boats) => boats);
    const { text } = await on.run("Boat.sort(length desc).limit(3)[id]");
    expect(text).toContain(`Boat.sort(length desc): ${REFUSED}`);
    expect(text).toContain("leave .limit() out, and all rows are read and sorted here");
    expect((await on.run("Boat.sort(length desc)[id]")).text).toContain("id\nb\nd\nf\nc\na\ne");
  });

  it("rows without a value among them say nothing of what follows; of all rows they come last", async () => {
    const boats = [boat("a", 3), boat("b", null), boat("c", 0), boat("d", -1), boat("e", 5)];
    const on = await serve(TWO, boats);
    expect((await on.run("Boat.sort(length desc).limit(3)[id]")).text).toContain(REFUSED);
    const whole = await on.run("Boat.sort(length desc).limit(9)[id]");
    expect(whole.text).toBe("Boat · 5 rows\n```tsv\nid\ne\na\nc\nd\nb\n```");
  });

  it.each([
    ["in another order it is refused", BOATS, REFUSED],
    ["in order it has all that was asked for", byLength(BOATS, true), "Boat · 2 rows\n"],
  ])("RUN-077 of a list that ends before the API's does: %s", async (_, boats, said) => {
    const on = await served(
      {
        domain: `${HEAD}  boat_query: { kind: query, entity: Boat, ${PARAMETERS}, ${TWO} }\n`,
        mappings: MAPPINGS.replace(/  pagination:.*\n/, ""),
        entity: "Boat",
      },
      () => ({ body: { boats, total: 500 } }),
    );
    expect((await on.run("Boat.sort(length desc).limit(2)[id]")).text).toContain(said);
  });
});
