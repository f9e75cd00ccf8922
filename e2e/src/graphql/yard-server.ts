import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { GraphQLError } from "graphql";
import { createSchema, createYoga } from "graphql-yoga";

/** The schema of a yard of boats: connections, pages of two kinds, payloads with faults, an enumeration. */
export const YARD_SCHEMA = `
  type Query {
    boat(id: ID!): Boat
    boats(filter: BoatFilter, first: Int = 20, after: String): BoatConnection!
    people(limit: Int, offset: Int): [Person!]!
    person(id: ID!): Person
    viewer: Person
    version: String!
  }
  type Mutation {
    createBoat(input: CreateBoatInput!): CreateBoatPayload
    updateBoat(id: ID!, name: String, state: State): Boat
    paintBoat(input: PaintInput!): PaintPayload
    deleteBoat(id: ID!): Boolean
    sinkBoat(id: ID!): Boat
    inspectBoat(id: ID!): Inspection
  }
  enum State { MOORED OUT }
  input BoatFilter { state: State, ownerId: ID }
  input CreateBoatInput { name: String!, state: State, ownerId: ID }
  input PaintInput { boatId: ID!, colour: String! }
  type CreateBoatPayload { boat: Boat }
  type PaintPayload { boat: Boat, userErrors: [UserError!]! }
  type Inspection { score: Int!, remark: String, hull: String! }
  type UserError { message: String! }
  type BoatConnection { edges: [BoatEdge!]!, pageInfo: PageInfo! }
  type BoatEdge { node: Boat! }
  type PageInfo { hasNextPage: Boolean!, endCursor: String }
  type Boat { id: ID!, name: String!, state: State!, colour: String, papers: String, draught: Float!, owner: Person, crew(first: Int!, after: String): PersonConnection!, size: Size }
  type Size { length: Float }
  type Person { id: ID!, name: String! }
  type PersonConnection { nodes: [Person!]!, pageInfo: PageInfo! }
`;

interface Boat {
  readonly id: string;
  name: string;
  state: string;
  colour: string | null;
  readonly owner: string | null;
}

interface Slice {
  readonly first?: number | null;
  readonly after?: string | null;
}

function page<Row>(rows: readonly Row[], { first, after }: Slice) {
  // The most that one request gets.
  const end = Number(after ?? 0) + Math.min(first ?? 20, 50);
  const some = rows.slice(Number(after ?? 0), end);
  return {
    nodes: some,
    edges: some.map((node) => ({ node })),
    pageInfo: { hasNextPage: end < rows.length, endCursor: String(end) },
  };
}

const boatAt = (at: number): Boat => ({
  id: `b${at + 1}`,
  name: `Boat ${at + 1}`,
  state: at % 2 === 0 ? "MOORED" : "OUT",
  colour: null,
  owner: `p${(at % 60) + 1}`,
});

/** Members of boats that are the same for all, or fail for some. */
const BOAT = {
  size: () => ({ length: 4.5 }),
  papers: ({ colour }: Boat) => {
    if (colour === "secret") throw new GraphQLError("papers are locked");
    return null;
  },
  draught: ({ colour, id }: Boat) => {
    if (colour === "sunk") throw new GraphQLError(`${id} has no draught`);
    return 1.5;
  },
};

const INSPECTION = {
  score: () => 7,
  remark: () => {
    throw new GraphQLError("remarks are private");
  },
  hull: () => "sound",
};

/** A running server of the yard, with 120 boats and 60 people. */
export interface Yard {
  readonly url: string;
  readonly operations: string[];
  readonly close: () => Promise<void>;
}

/** Starts the yard's server. */
export async function startYard(): Promise<Yard> {
  const people = Array.from({ length: 60 }, (_, at) => ({
    id: `p${at + 1}`,
    name: `Person ${at + 1}`,
  }));
  const boats = Array.from({ length: 120 }, (_, at) => boatAt(at));
  const operations: string[] = [];
  const found = (id: string): Boat => {
    const boat = boats.find((one) => one.id === id);
    if (boat === undefined)
      throw new GraphQLError(`there is no boat ${id}`, { extensions: { code: "NOT_FOUND" } });
    return boat;
  };
  const schema = createSchema({
    typeDefs: YARD_SCHEMA,
    resolvers: {
      Query: {
        boat: (_, { id }: { id: string }) => boats.find((one) => one.id === id) ?? null,
        boats: (
          _,
          { filter, ...slice }: Slice & { filter?: { state?: string; ownerId?: string } },
        ) =>
          page(
            boats.filter(
              ({ state, owner }) =>
                (filter?.state ?? state) === state && (filter?.ownerId ?? owner) === owner,
            ),
            slice,
          ),
        people: (_, { limit, offset }: { limit?: number; offset?: number }) =>
          people.slice(offset ?? 0, (offset ?? 0) + (limit ?? 10)),
        person: (_, { id }: { id: string }) => people.find((one) => one.id === id) ?? null,
        viewer: () => people[0],
        version: () => "7",
      },
      Mutation: {
        createBoat: (
          _,
          { input }: { input: { name: string; state?: string; ownerId?: string } },
        ) => {
          if (input.name === "") throw new GraphQLError("a boat needs a name");
          const boat = {
            id: `b${boats.length + 1}`,
            name: input.name,
            state: input.state ?? "MOORED",
            colour: null,
            owner: input.ownerId ?? null,
          };
          boats.push(boat);
          return { boat };
        },
        updateBoat: (_, { id, ...more }: { id: string; name?: string; state?: string }) =>
          Object.assign(found(id), more),
        paintBoat: (_, { input }: { input: { boatId: string; colour: string } }) => {
          if (input.colour === "grey")
            return { boat: null, userErrors: [{ message: "no grey here" }] };
          return {
            boat: Object.assign(found(input.boatId), { colour: input.colour }),
            userErrors: [],
          };
        },
        sinkBoat: (_, { id }: { id: string }) => {
          if (id === "b120") throw new GraphQLError("the sea is closed");
          return Object.assign(found(id), { colour: "sunk" });
        },
        inspectBoat: (_, { id }: { id: string }) => found(id),
        deleteBoat: (_, { id }: { id: string }) => {
          boats.splice(boats.indexOf(found(id)), 1);
          return true;
        },
      },
      Inspection: INSPECTION,
      Boat: {
        ...BOAT,
        owner: ({ owner }: Boat) => people.find(({ id }) => id === owner) ?? null,
        crew: (_: Boat, slice: Slice) => page(people, slice),
      },
    },
  });
  const yoga = createYoga({
    schema,
    logging: false,
    maskedErrors: false,
    plugins: [{ onParams: ({ params }) => void operations.push(params.query ?? "") }],
  });
  const server = createServer((request, response) => void yoga(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/graphql`,
    operations,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
