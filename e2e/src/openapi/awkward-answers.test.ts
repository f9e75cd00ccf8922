import { catalogFromOpenApi } from "@plasm/importers";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type ServedCatalog, serveCatalog } from "../engine/served-catalog.ts";

/** An inn whose API behaves as many do: what its document says and what it answers are not the same. */
const GUESTS = ["ann", "bob", "cyd"];
const STATES = ["CONFIRMED", "Checked-Out", "pending"];

interface Booking {
  readonly id: number;
  guest_id: string;
  status: string;
  readonly total: string;
  readonly labels: readonly { readonly name: string }[];
}

const fresh = (): Booking[] =>
  Array.from({ length: 12 }, (_none, at) => ({
    id: at + 1,
    guest_id: GUESTS[at % 3] ?? "",
    status: STATES[at % 3] ?? "",
    total: (80 + at * 5).toFixed(2),
    labels: [{ name: at % 2 === 0 ? "late" : "vip" }, ...(at % 4 === 0 ? [{ name: "pet" }] : [])],
  }));

let bookings = fresh();
const sent: string[] = [];

type Answer = readonly [status: number, body: unknown];

/** Answers as if `guest_id` had not been there, takes no `status`, refuses with 200, counts pages from 0. */
function answer(method: string, url: URL): Answer {
  const [first = "", id = "", last = ""] = url.pathname.split("/").slice(1);
  const booking = bookings.find((each) => String(each.id) === id);
  switch (`${method} ${first}${last === "" ? "" : `/${last}`}`) {
    case "GET bookings":
      if (id !== "") return booking === undefined ? [404, { message: "none" }] : [200, booking];
      return [200, { bookings: filtered(url.searchParams.get("status")) }];
    case "PATCH bookings":
      return [200, booking];
    case "DELETE bookings":
      return id === "1"
        ? [200, { status: "error", message: "it is paid" }]
        : [200, { deleted: false }];
    case "GET rates": {
      const page = Number(url.searchParams.get("page") ?? 0);
      const rates = [1, 2, 3].map((n) => ({ id: page * 3 + n, price: n }));
      return [
        200,
        { content: page > 1 ? [] : rates, number: page, first: page === 0, last: page > 0 },
      ];
    }
    case "GET fees":
      return [200, { code: 1001, msg: "not allowed for this key", data: null }];
    default:
      return [404, { message: "no such place" }];
  }
}

const filtered = (status: string | null) =>
  bookings.filter(
    (each) => status === null || each.status.toLowerCase().replace("-", "_") === status,
  );

const told = (schema: object) => ({
  responses: { "200": { description: "", content: { "application/json": { schema } } } },
});
const text = { type: "string" };
const integer = { type: "integer" };
const query = (name: string, schema: object) => ({ name, in: "query", schema });
const listOf = (name: string, items: object, more: object = {}) =>
  told({ type: "object", properties: { [name]: { type: "array", items }, ...more } });
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const status = { type: "string", enum: ["confirmed", "checked_out", "pending"] };
const id = { name: "id", in: "path", required: true, schema: integer };

const DOCUMENT = {
  openapi: "3.0.3",
  info: { title: "Inn", version: "1" },
  paths: {
    "/bookings": {
      get: {
        parameters: [query("guest_id", text), query("status", status)],
        ...listOf("bookings", ref("Booking")),
      },
    },
    "/bookings/{id}": {
      parameters: [id],
      get: told(ref("Booking")),
      patch: {
        requestBody: {
          content: { "application/json": { schema: { type: "object", properties: { status } } } },
        },
        ...told(ref("Booking")),
      },
      delete: { responses: { "200": { description: "gone" } } },
    },
    "/rates": {
      get: {
        parameters: [query("page", integer)],
        ...listOf("content", ref("Rate"), { number: integer, first: { type: "boolean" } }),
      },
    },
    "/fees": { get: listOf("data", ref("Fee"), { code: integer, msg: text }) },
  },
  components: {
    schemas: {
      Booking: {
        type: "object",
        properties: {
          id: integer,
          guest_id: text,
          status,
          total: text,
          labels: { type: "array", items: { type: "object", properties: { name: text } } },
        },
      },
      Rate: { type: "object", properties: { id: integer, price: integer } },
      Fee: { type: "object", properties: { id: integer, price: integer } },
    },
  },
};

let served: ServedCatalog;

beforeAll(async () => {
  served = await serveCatalog({
    listener: (request, response) => {
      const url = new URL(request.url ?? "/", "http://inn.example");
      if (request.method !== "GET") sent.push(`${request.method} ${url.pathname}`);
      const [code, body] = answer(request.method ?? "", url);
      response.writeHead(code, { "content-type": "application/json" });
      response.end(JSON.stringify(body));
    },
    make: (options) => catalogFromOpenApi(DOCUMENT, options),
    entities: ["Booking", "BookingLabel", "Rate", "Fee"],
  });
});

afterAll(() => served.close());

beforeEach(() => {
  bookings = fresh();
  sent.length = 0;
});

/** The cells of the one table of an answer. */
const cells = (answered: string): string =>
  /```tsv\n[^\n]*\n([\s\S]*?)\n```/.exec(answered)?.[1] ?? "";

it("RUN-111: a filter that the API ignores is told, and no effect runs on what it gives", async () => {
  const read = await served.run("Booking{guest_id=ann}.aggregate(n=count)");
  expect(read).toContain("partial (condition_unmet)");
  expect(read).toContain("guest_id=ann was sent, and rows have another guest_id");
  expect(cells(await served.run("Booking{not{guest_id!=ann}}.aggregate(n=count)"))).toBe("4");
  expect(await served.run("Booking{guest_id=ann} => Booking(_.id).delete()")).toMatch(
    /condition_unmet/,
  );
  expect(sent).toEqual([]);
});

it.each([
  ["Booking{status=checked_out}.aggregate(n=count)", "4"],
  ["Booking{status!=confirmed}.aggregate(n=count)", "8"],
  ["Booking{status in [confirmed, pending]}.aggregate(n=count)", "8"],
  ["Booking.aggregate(n=count(status=confirmed))", "4"],
])("RUN-033: options in another spelling are options: %s", async (program, expected) => {
  const answered = await served.run(program);
  expect(answered).not.toContain("partial");
  expect(cells(answered)).toBe(expected);
});

it.each([
  ["Booking{labels.name=pet}.aggregate(n=count)", "3"],
  ["Booking.filter{exists(labels{name=pet})}.aggregate(n=count)", "3"],
  ["Booking.labels.group_by(name, n=count).sort(name)", "late\t6\npet\t3\nvip\t6"],
  ['Booking.limit(1) => {l: join(_.labels.name, "+")}', "late+pet"],
])(
  "LANG-053: a key behind a list leads into each of its objects: %s",
  async (program, expected) => {
    expect(cells(await served.run(program))).toBe(expected);
  },
);

it("LANG-065: money that is text is not silently ordered by its characters", async () => {
  const sorted = await served.run("Booking.sort(total desc).limit(1)[total]");
  expect(sorted).toContain("text_order: total: its texts are numbers");
  expect(cells(await served.run("Booking.sort(number(total) desc).limit(1)[total]"))).toBe(
    "135.00",
  );
  expect(await served.run("Booking.aggregate(m=max(total))")).toContain("text_order");
  expect(await served.run("Booking{total>100}.aggregate(n=count)")).toMatch(
    /number\(total\) > 100/,
  );
  expect(cells(await served.run("Booking{number(total)>100}.aggregate(n=count)"))).toBe("7");
});

it("RUN-040: an update that is answered with the row as it was is told, whether it is a result or not", async () => {
  const says = "status=pending was sent, and the answer has status=confirmed";
  expect(await served.run("Booking(1).update(status=pending)")).toContain(says);
  expect(
    await served.run("u = Booking(1).update(status=pending)\nb = Booking(2)[id]\nb"),
  ).toContain(says);
});

it("RUN-041: a 200 that says otherwise is a failure, or told", async () => {
  expect(await served.run("Booking(1).delete()")).toMatch(/it is paid/);
  expect(await served.run("Booking(2).delete()")).toContain(
    'delete was answered {"deleted":false}',
  );
  const fees = await served.run("Fee.aggregate(n=count)");
  expect(fees).toContain("partial (collection_null)");
  expect(fees).toContain("not allowed for this key");
});

it("RUN-077: pages that are counted from 0 are all read", async () => {
  expect(cells(await served.run("Rate.aggregate(n=count, s=sum(id))"))).toBe("6\t21");
});
