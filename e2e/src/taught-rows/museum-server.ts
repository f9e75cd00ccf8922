import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { buildSchema, graphql, GraphQLError } from "graphql";

/** What the museum knows: its state at the start, which tests compare answers with. */
export const MUSEUM = {
  makers: [
    { id: "m1", name: "Ada", country: "north", born: 1900 },
    { id: "m2", name: "Bo", country: "south", born: 1920 },
    { id: "m3", name: "Cy", country: "north", born: 1950 },
  ],
  pieces: [
    { id: "p1", title: "Blue jar", room: "north", made: 1930, maker: "m1", tags: ["clay", "blue"] },
    { id: "p2", title: "Bowl", room: "south", made: 1941, maker: "m2", tags: ["clay"] },
    { id: "p3", title: "Blue net", room: "north", made: 1955, maker: "m2", tags: [] },
    { id: "p4", title: "Mask", room: "cellar", made: 1960, maker: "m1", tags: ["wood"] },
    {
      id: "p5",
      title: "Blue mask",
      room: "north",
      made: 1988,
      maker: "m3",
      tags: ["wood", "blue"],
    },
  ],
  letters: { m1: ["l1", "l2", "l3"], m2: ["l4"], m3: [] },
  loans: [
    { id: "a1", piece: "p1", to: "Harbour", until: "2026-03-01", back: null },
    { id: "a2", piece: "p4", to: "School", until: "2026-05-01", back: null },
    { id: "a3", piece: "p2", to: "Harbour", until: "2026-04-01", back: "2026-03-30" },
  ],
  me: { id: "c1", name: "Dot" },
} as const;

interface Loan {
  readonly id: string;
  readonly piece: string;
  readonly to: string;
  readonly until: string | null;
  readonly back: string | null;
}

const SCHEMA = buildSchema(`
  type Query { viewer: Curator, maker(id: ID!): Maker, loan(id: ID!): Loan, makers(filter: MakerFilter, first: Int!, after: String): Makers }
  type Mutation { extendLoan(id: ID!, until: String!): LoanPayload, lend(input: LoanInput!): LoanPayload }
  input MakerFilter { country: String, bornAfter: Int }
  input LoanInput { piece: ID!, to: String!, until: String }
  type LoanPayload { loan: Loan, userErrors: [UserError!]! }
  type UserError { field: String, message: String! }
  type PageInfo { hasNextPage: Boolean!, endCursor: String }
  type Curator { id: ID!, name: String }
  type Maker { id: ID!, name: String, country: String, born: Int, letters(first: Int!, after: String): Letters, loans(first: Int!, after: String): Loans }
  type Makers { edges: [MakerEdge], pageInfo: PageInfo! }
  type MakerEdge { node: Maker }
  type Letter { id: ID!, line: String }
  type Letters { edges: [LetterEdge], pageInfo: PageInfo! }
  type LetterEdge { node: Letter }
  type Piece { id: ID! }
  type Loan { id: ID!, until: String, to: String, back: String, piece: Piece }
  type Loans { edges: [LoanEdge], pageInfo: PageInfo! }
  type LoanEdge { node: Loan }
`);

interface Slice {
  readonly first: number;
  readonly after?: string | null;
}

/** A page of a connection; the cursor is the place behind its last node. */
function connection<Node>(nodes: readonly Node[], { first, after }: Slice) {
  const end = Number(after ?? 0) + first;
  const edges = nodes.slice(Number(after ?? 0), end).map((node) => ({ node }));
  return { edges, pageInfo: { hasNextPage: end < nodes.length, endCursor: String(end) } };
}

interface Payload {
  readonly loan: object | null;
  readonly userErrors: readonly { readonly field: string; readonly message: string }[];
}

const refused = (field: string, message: string): Payload => ({
  loan: null,
  userErrors: [{ field, message }],
});

const loanNode = (loan: Loan) => ({ ...loan, piece: { id: loan.piece } });

/** What GraphQL answers from, on the loans of one server. */
function rootOf(loans: Loan[]) {
  const makerNode = (maker: (typeof MUSEUM.makers)[number]) => ({
    ...maker,
    letters: (slice: Slice) =>
      connection(
        MUSEUM.letters[maker.id].map((id) => ({ id, line: `about ${id}` })),
        slice,
      ),
    loans: (slice: Slice) => {
      const own = MUSEUM.pieces.filter((piece) => piece.maker === maker.id).map(({ id }) => id);
      const lent = loans.filter(({ piece }) => own.some((id) => id === piece));
      return connection(lent.map(loanNode), slice);
    },
  });
  return {
    viewer: () => MUSEUM.me,
    maker: ({ id }: { id: string }) => {
      if (id === "sealed") throw new GraphQLError("the file of this maker is sealed");
      const maker = MUSEUM.makers.find((each) => each.id === id);
      return maker === undefined ? null : makerNode(maker);
    },
    loan: ({ id }: { id: string }) => {
      const loan = loans.find((each) => each.id === id);
      return loan === undefined ? null : loanNode(loan);
    },
    makers: ({
      filter,
      ...slice
    }: Slice & { filter?: { country?: string; bornAfter?: number } }) => {
      const { country, bornAfter } = filter ?? {};
      if (country === "nowhere") throw new GraphQLError("there is no country nowhere");
      const fitting = MUSEUM.makers.filter(
        (maker) =>
          (country === undefined || maker.country === country) &&
          (bornAfter === undefined || maker.born > bornAfter),
      );
      const page = connection(fitting.map(makerNode), slice);
      if (country !== "south") return page;
      // One node cannot be told: an error beside the data.
      const hidden = () => {
        throw new GraphQLError("this one is not to be told");
      };
      return { ...page, edges: [...page.edges, { node: hidden }] };
    },
    extendLoan: ({ id, until }: { id: string; until: string }): Payload => {
      const at = loans.findIndex((each) => each.id === id);
      const loan = loans[at];
      if (loan === undefined) return refused("id", `no loan ${id}`);
      if (loan.back !== null) return refused("id", `the loan ${id} is back already`);
      const extended = { ...loan, until };
      loans[at] = extended;
      return { loan: loanNode(extended), userErrors: [] };
    },
    lend: ({ input }: { input: { piece: string; to: string; until?: string } }): Payload => {
      if (!MUSEUM.pieces.some(({ id }) => id === input.piece)) {
        return refused("piece", `no piece ${input.piece}`);
      }
      const { piece, to, until = null } = input;
      const loan = { id: `a${loans.length + 1}`, piece, to, until, back: null };
      loans.push(loan);
      return { loan: loanNode(loan), userErrors: [] };
    },
  };
}

interface Search {
  readonly query?: {
    readonly bool?: {
      readonly must?: { readonly match?: string };
      readonly filter?: {
        readonly room?: string;
        readonly maker?: string;
        readonly made?: { readonly gte?: number } | null;
      };
    };
  };
  readonly page?: { readonly from?: number; readonly size?: number };
}

/** A search over pieces, with its rows under hits and the fields of each under `_source`. */
function search({ query, page }: Search): unknown {
  const { must, filter } = query?.bool ?? {};
  const fitting = MUSEUM.pieces.filter(
    ({ title, room, maker, made }) =>
      (must?.match === undefined || title.toLowerCase().includes(must.match.toLowerCase())) &&
      (filter?.room === undefined || room === filter.room) &&
      (filter?.maker === undefined || maker === filter.maker) &&
      (filter?.made?.gte === undefined || made >= filter.made.gte),
  );
  const { from = 0, size = 10 } = page ?? {};
  const hits = fitting.slice(from, from + size).map(({ id, ...source }) => ({
    _id: id,
    _score: 1,
    _source: source,
  }));
  return { took: 1, hits: { total: { value: fitting.length, relation: "eq" }, hits } };
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

async function answer(path: string, text: string, root: object): Promise<Answer> {
  const body = text === "" ? {} : (JSON.parse(text) as object);
  if (path === "/pieces/_search") return { status: 200, body: search(body) };
  if (path === "/graphql") {
    const { query = "", variables } = body as { query?: string; variables?: object };
    const asked = { schema: SCHEMA, source: query, rootValue: root };
    const told = await graphql({ ...asked, variableValues: { ...variables } });
    return { status: 200, body: told };
  }
  const id = /^\/pieces\/([^/]+)$/.exec(path)?.[1];
  const piece = MUSEUM.pieces.find((each) => each.id === id);
  if (piece === undefined) return { status: 404, body: { found: false, reason: `no piece ${id}` } };
  const { id: own, ...source } = piece;
  return { status: 200, body: { _id: own, _source: { ...source, note: `# ${piece.title}` } } };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

export interface Museum {
  readonly url: string;
  /** the loans as they are */
  readonly loans: readonly Loan[];
  /** path and body of every request, in order */
  readonly asked: { readonly path: string; readonly body: string }[];
  close(): Promise<void>;
}

/** Serves the museum on a free port of this machine. */
export async function startMuseum(): Promise<Museum> {
  const loans: Loan[] = [...MUSEUM.loans];
  const asked: Museum["asked"] = [];
  const root = rootOf(loans);
  const server = createServer((request, response) => {
    void textOf(request)
      .then((body) => {
        const path = request.url ?? "/";
        asked.push({ path, body });
        return answer(path, body, root);
      })
      .then(({ status, body }) => {
        response.writeHead(status, { "content-type": "application/json" });
        response.end(JSON.stringify(body));
      });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    loans,
    asked,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
