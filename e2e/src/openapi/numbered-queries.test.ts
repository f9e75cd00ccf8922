import { catalogFromOpenApi } from "@plasm/importers";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type ServedCatalog, serveCatalog } from "../engine/served-catalog.ts";

/** A harbour whose calls are named in the query, whose lists have numbers there, and that answers XML. */
const came: (readonly (readonly [string, string])[])[] = [];

const text = { type: "string" };
const listOf = (items: object, more: object = {}) => ({ type: "array", items, ...more });
const tag = { type: "object", properties: { Key: text, Value: text } };
const tagCalled = (name: string) => ({
  allOf: [{ $ref: "#/components/schemas/Tag" }, { xml: { name } }],
});
const boat = { type: "object", properties: { BoatName: text, Berth: text } };
const asked = (name: string, schema: object, required = false) => ({
  name,
  in: "query",
  required,
  schema,
});

const call = (action: string, parameters: readonly object[], answer: object) => {
  const common = [
    asked("Action", { type: "string", enum: [action] }, true),
    asked("Version", { type: "string", enum: ["2010-12-01"] }, true),
  ];
  const responses = { "200": { description: "", content: { "text/xml": { schema: answer } } } };
  const requestBody = { content: { "text/xml": { schema: { type: "object" } } } };
  return {
    get: { operationId: `GET_${action}`, parameters: [...common, ...parameters], responses },
    post: { operationId: `POST_${action}`, parameters: common, requestBody, responses },
  };
};

/** The same without an answer. */
const silent = (action: string) => {
  const parameters = [asked("BoatName", text, true), asked("Tags", listOf(text), true)];
  const { get, post } = call(action, parameters, boat);
  const responses = { "200": { description: "done" } };
  return { get: { ...get, responses }, post: { ...post, responses } };
};

const DOCUMENT = {
  openapi: "3.0.3",
  info: { title: "Harbour", version: "1" },
  paths: {
    "/#Action=ListBoats": call("ListBoats", [], {
      type: "object",
      properties: { Boats: listOf(boat) },
    }),
    "/#Action=GetBoat": call("GetBoat", [asked("BoatName", text, true)], {
      type: "object",
      properties: { Boat: boat },
    }),
    "/#Action=CreateBoat": call(
      "CreateBoat",
      [
        asked("BoatName", text, true),
        asked("Berths", listOf(text)),
        asked("Tags", listOf(tagCalled("Tag"))),
        asked("Items", listOf(tagCalled("Item"), { xml: { wrapped: false } })),
        asked("Where", { type: "object", properties: { Pier: text, Marks: listOf(text) } }),
        asked("Attributes", { type: "object", additionalProperties: text }),
      ],
      { type: "object", properties: { Boat: boat } },
    ),
    "/#Action=GetLimits": call("GetLimits", [], {
      type: "object",
      properties: {
        Region: text,
        Limits: { type: "object", additionalProperties: { type: "integer" } },
      },
    }),
    // What answers nothing says by its body alone that it speaks XML.
    "/#Action=TagBoat": silent("TagBoat"),
  },
  components: { schemas: { Tag: tag } },
};

let served: ServedCatalog;

beforeAll(async () => {
  served = await serveCatalog({
    listener: (request, response) => {
      const url = new URL(request.url ?? "/", "http://harbour.example");
      const action = url.searchParams.get("Action") ?? "";
      came.push([...url.searchParams].filter(([name]) => !/^(?:Action|Version)$/.test(name)));
      response.writeHead(200, { "content-type": "text/xml" });
      const boats = "<BoatName>Tern</BoatName><Berth>a1</Berth>";
      const limit = "<entry><key>boats</key><value>12</value></entry>";
      const answers: Readonly<Record<string, string>> = {
        ListBoats: `<Boats><member>${boats}</member></Boats>`,
        GetLimits: `<Region>north</Region><Limits>${limit}</Limits>`,
      };
      const inner = answers[action] ?? `<Boat>${boats}</Boat>`;
      response.end(
        `<${action}Response><${action}Result>${inner}</${action}Result></${action}Response>`,
      );
    },
    make: (options) => catalogFromOpenApi(DOCUMENT, options),
    entities: ["Boat", "Limit"],
  });
});

afterAll(() => served.close());

beforeEach(() => {
  came.length = 0;
});

it("21 nothing of such a call is left out", () => {
  expect(served.made.left).toEqual([]);
});

it.each<[string, string, readonly (readonly [string, string])[]]>([
  [
    "a list of texts",
    "Berths=[a1, b2]",
    [
      ["Berths.member.1", "a1"],
      ["Berths.member.2", "b2"],
    ],
  ],
  [
    "a list of objects, called as the document says",
    'Tags=[{Key: "k", Value: "a & b"}, {Key: "l", Value: "c"}]',
    [
      ["Tags.Tag.1.Key", "k"],
      ["Tags.Tag.1.Value", "a & b"],
      ["Tags.Tag.2.Key", "l"],
      ["Tags.Tag.2.Value", "c"],
    ],
  ],
  [
    "a list whose items stand in its own name",
    'Items=[{Key: "k", Value: "v"}]',
    [
      ["Item.1.Key", "k"],
      ["Item.1.Value", "v"],
    ],
  ],
  [
    "an object with a list in it",
    "Where={Pier: p1, Marks: [x, y]}",
    [
      ["Where.Marks.member.1", "x"],
      ["Where.Marks.member.2", "y"],
      ["Where.Pier", "p1"],
    ],
  ],
  [
    "names that the caller chooses",
    'Attributes={Colour: "red"}',
    [
      ["Attributes.entry.1.key", "Colour"],
      ["Attributes.entry.1.value", "red"],
    ],
  ],
])("MAP-026: %s", async (_, argument, sent) => {
  const answered = await served.run(`Boat.create(BoatName="Tern", ${argument})`);
  expect(answered).toContain("Tern");
  const pairs = (came[0] ?? []).filter(([name]) => name !== "BoatName");
  expect(pairs.toSorted(([a], [b]) => (a < b ? -1 : 1))).toEqual(sent);
});

it("MAP-026: what a call takes that answers nothing", async () => {
  await served.run('Boat("Tern").tag(Tags=[red])');
  expect(came).toEqual([
    [
      ["BoatName", "Tern"],
      ["Tags.member.1", "red"],
    ],
  ]);
});

it("21 MAP-035: a map in an answer is an object of its entries", async () => {
  expect(await served.run("Limit.get()")).toContain('{"boats":12}\tnorth');
});
