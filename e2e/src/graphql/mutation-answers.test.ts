import { afterAll, beforeAll, expect, it } from "vitest";
import { type ServedSchema, serveSchema } from "./served-schema.ts";

/** How APIs answer a mutation that was refused, with a 200 and no error of GraphQL's own. */
interface Refusal {
  readonly field: string;
  readonly type: string;
  readonly types?: string;
  readonly answer: unknown;
  /** the same when it was done */
  readonly done: unknown;
}

const SHORT = "name is too short";
const boat = { id: "b1", name: "One" };
const done = (more: object = {}) => ({ boat, ...more });
const payload = (name: string, members: string) => `type ${name} { boat: Boat ${members} }`;

const REFUSALS: Readonly<Record<string, Refusal>> = {
  "a union with what went wrong": {
    field: "addOne",
    type: "OneResult!",
    types:
      "union OneResult = Boat | ValidationError | NameTaken type ValidationError { message: String! field: String } type NameTaken { message: String name: String }",
    answer: { __typename: "ValidationError", message: SHORT },
    done: { __typename: "Boat", ...boat },
  },
  "another type of that union": {
    field: "addTwo",
    type: "TwoResult!",
    types: "union TwoResult = Boat | NameTaken | ValidationError",
    answer: { __typename: "NameTaken", message: SHORT },
    done: { __typename: "Boat", ...boat },
  },
  "a union of success and an error by its interface": {
    field: "addThree",
    type: "ThreeResult!",
    types:
      "interface Failure { reason: String! } type TooShort implements Failure { reason: String! } type BoatAdded { boat: Boat! } union ThreeResult = BoatAdded | TooShort",
    answer: { __typename: "TooShort", reason: SHORT },
    done: { __typename: "BoatAdded", boat },
  },
  "errors that are texts": {
    field: "addFour",
    type: "FourPayload",
    types: payload("FourPayload", "errors: [String!]!"),
    answer: { boat: null, errors: [SHORT] },
    done: done({ errors: [] }),
  },
  "a flag and a message": {
    field: "addFive",
    type: "FivePayload",
    types: payload("FivePayload", "success: Boolean! message: String"),
    answer: { success: false, message: SHORT },
    done: done({ success: true, message: "added" }),
  },
  "a flag and an error in words": {
    field: "addSix",
    type: "SixPayload",
    types: payload("SixPayload", "ok: Boolean! error: String"),
    answer: { ok: false, error: SHORT },
    done: done({ ok: true, error: "" }),
  },
  "one error that is an object": {
    field: "addSeven",
    type: "SevenPayload",
    types: `${payload("SevenPayload", "error: Mishap")} type Mishap { message: String! code: String }`,
    answer: { error: { message: SHORT } },
    done: done(),
  },
  "errors by field, without a message": {
    field: "addEight",
    type: "EightPayload",
    types: `${payload("EightPayload", "errors: [FieldError!]")} type FieldError { field: String! messages: [String!]! }`,
    answer: { errors: [{ field: "name", messages: [SHORT] }] },
    done: done({ errors: [] }),
  },
  "user errors that are an interface": {
    field: "addNine",
    type: "NinePayload",
    types: payload("NinePayload", "userErrors: [Failure!]!"),
    answer: { userErrors: [{ __typename: "TooShort", reason: SHORT }] },
    done: done({ userErrors: [] }),
  },
  "errors that are a union": {
    field: "addTen",
    type: "TenPayload",
    types: `${payload("TenPayload", "status: Int errors: [TenError!]!")} union TenError = ValidationError | NameTaken`,
    answer: { status: 400, errors: [{ __typename: "NameTaken", message: SHORT }] },
    done: done({ status: 200, errors: [] }),
  },
  "a flag without a row": {
    field: "addEleven",
    type: "ElevenResponse",
    types: "type ElevenResponse { code: String! success: Boolean! message: String! }",
    answer: { success: false, code: "400", message: SHORT },
    done: { success: true, code: "200", message: "added" },
  },
};

const ALL = Object.values(REFUSALS);
const SCHEMA = `
  type Query { boat(id: ID!): Boat }
  type Boat { id: ID! name: String }
  type Mutation {
    ${ALL.map(({ field, type }) => `${field}(name: String!): ${type}`).join("\n")}
    deleteBoat(id: ID!): Boolean
    deleteBoats(where: BoatFilter!): Sweep
    boatOperations: BoatOperations
  }
  input BoatFilter { name: String and: [BoatFilter!] }
  type Sweep { affected: Int! }
  type BoatOperations { sink(id: ID!): Boat }
  ${ALL.map(({ types = "" }) => types).join("\n")}
`;

let served: ServedSchema;

beforeAll(async () => {
  const answered = ALL.map(
    (one) =>
      [
        one.field,
        (_: unknown, { name }: { name: string }) => (name === "" ? one.answer : one.done),
      ] as const,
  );
  served = await serveSchema(
    SCHEMA,
    {
      Failure: { __resolveType: () => "TooShort" },
      Mutation: {
        ...Object.fromEntries(answered),
        deleteBoat: (_: unknown, { id }: { id: string }) => id === "b1",
        deleteBoats: () => ({ affected: 1 }),
        boatOperations: () => ({}),
      },
    },
    ["Boat", "Api"],
  );
});
afterAll(() => served.close());

/** The name of a mutation's effect in a program. */
function effectOf(field: string): string {
  const label = field.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`);
  return served.made.domain.includes("  boat_" + label.replace("-", "_"))
    ? `Boat.${label}`
    : `Api.${label}`;
}

it.each(Object.entries(REFUSALS))(
  "RUN-041, RUN-193: %s: a mutation that is refused so has failed, in its API's words",
  async (_name, { field }) => {
    const refused = await served.run(`${effectOf(field)}(name="")`);
    expect(refused).toContain("upstream_error");
    expect(refused).toContain(SHORT);
    const whole = await served.run(`${effectOf(field)}(name="One")`);
    expect(whole).toContain("done add");
    expect(whole).toMatch(field === "addEleven" ? /added/ : /b1\tOne/);
  },
);

it("RUN-193: a delete that answers false has failed", async () => {
  expect(await served.run('Boat("b2").delete()')).toContain("upstream_error");
  expect(await served.run('Boat("b1").delete()')).toContain("done delete");
});

it("RUN-193: what chooses the rows of a change is named by the program, and is not empty unasked", async () => {
  expect(await served.run("Boat.deleteboats()")).toContain("where");
  expect(served.asked).toEqual([]);
  expect(await served.run('Boat.deleteboats(where={name: "One"})')).toContain("done delete");
  expect(served.asked[0]?.variables).toEqual({ where: { name: "One" } });
});

it("a group of mutations, which does nothing by itself, is left out", () => {
  expect(served.made.left).toEqual([
    "mutation boatOperations: it only groups what stands in BoatOperations, which is not asked for",
  ]);
});
