import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** What the guild knows: its state, which tests compare answers with. */
export const GUILD = {
  members: [
    { id: "ada", name: "Ada", role: "teller", tags: ["old", "loud"] },
    { id: "bo", name: "Bo", role: "listener", tags: [] },
    { id: "cy", name: "Cy", role: "teller", tags: ["old"] },
  ],
  me: "bo",
  stories: [1, 2, 3, 4, 5].map((id) => ({
    id,
    title: `Story ${id}`,
    year: 2020 + id,
    genres: id % 2 === 0 ? ["sad"] : ["merry", "old"],
    teller: id < 4 ? "ada" : "cy",
    body: `# ${id}`,
    notes: [{ id: `n${id}`, line: `about ${id}` }],
    props: { lantern: id, [`book ${id}`]: 1 },
    chapters: [1, 2].map((no) => ({ story: id, no, name: `${id}.${no}` })),
  })),
  popular: [5, 1, 3],
  upcoming: [4, 2],
  evenings: [1, 2, 3].map((n) => ({ id: `e${n}`, place: `Hall ${n}` })),
} as const;

type Story = (typeof GUILD.stories)[number];

const shortOf = ({ id, title, year, genres, teller }: Story) => ({
  id,
  title,
  year,
  genres,
  teller,
});

const shorts = (ids: readonly number[]) =>
  ids.flatMap((id) => GUILD.stories.filter((story) => story.id === id).map(shortOf));

const page = <Row>(rows: readonly Row[], query: URLSearchParams) => {
  const [at, size] = [Number(query.get("page") ?? 1), Number(query.get("per_page") ?? 2)];
  return rows.slice((at - 1) * size, at * size);
};

interface Body {
  readonly filter?: { readonly role?: string; readonly tag?: string };
  readonly cursor?: string;
  readonly variables?: { readonly first: number; readonly after?: string };
}

function answer(method: string, url: URL, body: Body): unknown {
  const [first = "", id = "", rest = "", no = ""] = url.pathname.split("/").slice(1);
  const query = url.searchParams;
  if (first === "me") return GUILD.members.find((each) => each.id === GUILD.me);
  if (first === "members" && id === "search") {
    const { role, tag } = body.filter ?? {};
    const fitting = GUILD.members.filter(
      (each) =>
        (role === undefined || each.role === role) &&
        (tag === undefined || each.tags.some((own) => own === tag)),
    );
    const at = Number(body.cursor ?? 0);
    const next = at + 2 < fitting.length ? { next: String(at + 2) } : {};
    return { found: fitting.slice(at, at + 2), ...next };
  }
  if (first === "members" && rest === "stories") {
    const told = GUILD.stories.filter(
      (story) => story.teller === id && String(story.id).includes(query.get("id") ?? ""),
    );
    return { stories: page(told.map(shortOf), query) };
  }
  if (first === "members") return GUILD.members.find((each) => each.id === id);
  if (id === "popular") return { stories: page(shorts(GUILD.popular), query) };
  if (id === "upcoming") return { stories: page(shorts(GUILD.upcoming), query) };
  const story = GUILD.stories.find((each) => String(each.id) === id);
  if (first === "stories" && rest === "chapters" && no !== "") {
    return story?.chapters.find((each) => String(each.no) === no);
  }
  if (first === "stories" && rest === "chapters") {
    const name = query.get("name");
    return story?.chapters.filter((each) => name === null || each.name === name);
  }
  if (first === "stories" && method === "GET" && story !== undefined) {
    const { chapters: _, ...row } = story;
    return row;
  }
  if (first !== "graphql") return undefined;
  const { first: size = 2, after = "0" } = body.variables ?? {};
  const end = Number(after) + size;
  const edges = GUILD.evenings.slice(Number(after), end).map((node) => ({ node }));
  const pageInfo = { hasNextPage: end < GUILD.evenings.length, endCursor: String(end) };
  return { data: { viewer: { evenings: { edges, pageInfo } } } };
}

async function bodyOf(request: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString("utf8");
  return text === "" ? {} : (JSON.parse(text) as Body);
}

/** Serves the guild on a free port of this machine. */
export async function startGuild(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const url = new URL(request.url ?? "/", "http://guild");
      const told = answer(request.method ?? "GET", url, body);
      response.writeHead(told === undefined ? 404 : 200, { "content-type": "application/json" });
      response.end(JSON.stringify(told ?? { message: "there is none" }));
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
