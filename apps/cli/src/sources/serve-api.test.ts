import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { json as jsonBody } from "node:stream/consumers";
import { buildSchema, graphql, introspectionFromSchema, printSchema } from "graphql";
import { afterEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { runHere } from "../testing/run-here.ts";
import { cleanUp, fixture, spawnPlasm, temporaryDirectory } from "../testing/spawn-plasm.ts";
import { startServer } from "../testing/start-server.ts";
import { workplace } from "../testing/workplace.ts";

const open = new Set<{ close(): unknown; closeAllConnections(): void }>();

afterEach(async () => {
  for (const server of open) {
    server.closeAllConnections();
    server.close();
  }
  open.clear();
  await cleanUp();
});

/** A server of this very document, and of the API that it describes. */
async function startApi(answers: Readonly<Record<string, (response: ServerResponse) => unknown>>) {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    const path = (request.url ?? "").split("?")[0] ?? "";
    seen.push(path);
    const answer = answers[path];
    if (answer === undefined) response.writeHead(404).end("nothing");
    else answer(response);
  });
  open.add(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const stop = async () => {
    open.delete(server);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url, seen, stop };
}

const json =
  (value: unknown, type = "application/json") =>
  (response: ServerResponse) =>
    void response.writeHead(200, { "content-type": type }).end(JSON.stringify(value));

/** A GraphQL endpoint: it answers a GET without a query as such servers do. */
const answeringPosts =
  (answer: (query: string, variables: Record<string, unknown>) => Promise<object>) =>
  async (response: ServerResponse): Promise<void> => {
    if (response.req.method !== "POST") return void response.writeHead(405).end("POST a query");
    const { query, variables } = (await jsonBody(response.req)) as {
      query: string;
      variables: Record<string, unknown>;
    };
    json(await answer(query, variables))(response);
  };

const lanterns = {
  openapi: "3.0.3",
  info: { title: "The Lantern API", version: "1" },
  servers: [{ url: "/v1" }],
  paths: {
    "/lanterns": {
      get: {
        operationId: "listLanterns",
        responses: {
          "200": {
            description: "lanterns",
            content: {
              "application/json": {
                schema: { type: "array", items: { $ref: "#/components/schemas/Lantern" } },
              },
            },
          },
        },
      },
    },
  },
  components: {
    schemas: {
      Lantern: {
        type: "object",
        required: ["id"],
        properties: { id: { type: "string" }, colour: { type: "string" } },
      },
    },
  },
};

const rows = [
  { id: "l1", colour: "green" },
  { id: "l2", colour: "red" },
];

const api = (more = {}) =>
  startApi({ "/openapi.json": json(lanterns), "/v1/lanterns": json(rows), ...more });

const urlIn = (text: string): string => /HTTP (http:\/\/\S+)/.exec(text)?.[1] ?? "";

async function rowsOf(server: string, entity: string): Promise<string> {
  const { done } = await workplace(server);
  await done("context", "-i", "see lanterns", entity);
  return done("run", "-e", `${entity.split(":")[1] ?? ""}[id, colour]`);
}

describe("plasm serve --api (SURF-20)", () => {
  it("serves the document of an address beside catalogs, its relative server beside it", async () => {
    const lamp = await api();
    const data = await temporaryDirectory();
    const document = `${lamp.url}/openapi.json`;
    const args = ["serve", "--port=0", `--data=${data}`, "--catalogs", fixture("quay")];
    const plasm = spawnPlasm([...args, "--api", document, "--id", "lamps"]);
    const message = await plasm.said("Ctrl-C ends it.");
    expect(message).toContain("Catalogs: quay, lamps\n");
    expect(message).toMatch(/lamps: 1 of 1 operations of http:\S+ \(sha256:[0-9a-f]{12}\)/);
    expect(message).toContain(`"--api","${document}","--id","lamps"`);
    expect(await rowsOf(urlIn(message), "lamps:Lantern")).toContain("l2\tred");
    expect(lamp.seen).toEqual(["/openapi.json", "/v1/lanterns"]);
    plasm.stop("SIGTERM");
    expect(await plasm.ended).toMatchObject({ code: 0 });
  });

  it("serves what it fetched last where the address cannot be reached, and says from when it is", async () => {
    const lamp = await api();
    const data = await temporaryDirectory();
    const args = ["serve", "--port=0", `--data=${data}`, "--api", `${lamp.url}/openapi.json`];
    const first = spawnPlasm(args);
    expect(await first.said("Ctrl-C ends it.")).toContain("Catalogs: lantern\n");
    first.stop("SIGTERM");
    await first.ended;
    await lamp.stop();
    const second = spawnPlasm(args);
    const message = await second.said("Ctrl-C ends it.");
    expect(message).toContain("Catalogs: lantern\n");
    expect(message).toMatch(
      /lantern: served as it was fetched at 20\d\d-\S+Z \(sha256:[0-9a-f]{12}\), since http:\S+: no connection \(ECONNREFUSED\)/,
    );
    second.stop("SIGTERM");
    await second.ended;
    // What was damaged since is not served for what was fetched.
    await writeFile(join(data, "sources", "lantern", "domain.yaml"), "version: 1\n");
    const { code, stderr } = await runHere(args, { cwd: data });
    expect([code, stderr]).toEqual([1, expect.stringContaining("no connection (ECONNREFUSED)")]);
  });

  it("takes standard input, and files by their names", async () => {
    const lamp = await api();
    const cwd = await temporaryDirectory();
    await writeFile(join(cwd, "torches.yaml"), JSON.stringify(lanterns));
    const server = ["--server", `${lamp.url}/v1`];
    const args = ["serve", "--port=0", `--data=${join(cwd, "data")}`];
    const sources = ["--api", "-", ...server, "--api", "torches.yaml", ...server];
    const plasm = spawnPlasm([...args, ...sources], cwd, JSON.stringify(lanterns));
    const message = await plasm.said("Ctrl-C ends it.");
    expect(message).toContain("Catalogs: lantern, torches\n");
    expect(message).toContain(`"--catalogs","${join(cwd, "data", "sources", "lantern")}","--api"`);
    expect(await rowsOf(urlIn(message), "torches:Lantern")).toContain("l1\tgreen");
    plasm.stop("SIGTERM");
    await plasm.ended;
  });

  it("has the rows of a map, by its keys", async () => {
    const ofMap = {
      type: "object",
      additionalProperties: { type: "object", properties: { colour: { type: "string" } } },
    };
    const answer = { description: "", content: { "application/json": { schema: ofMap } } };
    const paths = { "/lanterns": { get: { responses: { "200": answer } } } };
    const lamp = await api({
      "/openapi.json": json({ ...lanterns, paths }),
      "/v1/lanterns": json({ l1: { colour: "green" }, l2: { colour: "red" } }),
    });
    const data = await temporaryDirectory();
    const args = ["serve", "--port=0", `--data=${data}`, "--api", `${lamp.url}/openapi.json`];
    const plasm = spawnPlasm(args);
    const message = await plasm.said("Ctrl-C ends it.");
    expect(await rowsOf(urlIn(message), "lantern:Lantern")).toContain("l2\tred");
    plasm.stop("SIGTERM");
    await plasm.ended;
  });

  it("names the credential that the catalog reads", async () => {
    const lamp = await api({
      "/openapi.json": json({
        ...lanterns,
        components: {
          ...lanterns.components,
          securitySchemes: { key: { type: "http", scheme: "bearer" } },
        },
        security: [{ key: [] }],
      }),
    });
    const data = await temporaryDirectory();
    const plasm = spawnPlasm([
      "serve",
      "--port=0",
      `--data=${data}`,
      "--api",
      `${lamp.url}/openapi.json`,
    ]);
    const message = await plasm.said("Ctrl-C ends it.");
    expect(message).toMatch(/lantern: calls need a credential: .*plasm auth set lantern/);
    expect(message).toContain("LANTERN_TOKEN");
    plasm.stop("SIGTERM");
    await plasm.ended;
  });
});

describe("a document that cannot be had is told, with what to do", () => {
  const answers = {
    "/page": (response: ServerResponse) =>
      void response.writeHead(200, { "content-type": "text/html" }).end("<html>"),
    "/picture": (response: ServerResponse) =>
      void response.writeHead(200, { "content-type": "image/png" }).end("png"),
    "/locked": (response: ServerResponse) => void response.writeHead(401).end(),
    "/inward": (response: ServerResponse) =>
      void response.writeHead(302, { location: "http://127.0.0.2:9/openapi.json" }).end(),
    "/file": (response: ServerResponse) =>
      void response.writeHead(302, { location: "file:///etc/passwd" }).end(),
    "/round": (response: ServerResponse) =>
      void response.writeHead(302, { location: "/round" }).end(),
    "/cut": (response: ServerResponse) => {
      response.writeHead(200, { "content-length": "100", "content-type": "application/json" });
      response.write("{");
      setTimeout(() => response.destroy(), 20);
    },
    "/array": json([1]),
  };

  it.each<[string, number, string]>([
    ["/page", 2, "This is a page of HTML, not an OpenAPI document."],
    ["/picture", 1, "answered image/png, not JSON, YAML or a GraphQL schema."],
    ["/locked", 1, "answered 401: it needs a credential. Fetch it yourself and pipe it in"],
    ["/missing", 1, "answered 404, not a document."],
    ["/inward", 1, "127.0.0.2 leads to a private address"],
    ["/file", 1, 'redirects to "file:///etc/passwd", which is not followed'],
    ["/round", 1, "redirects more than 5 times."],
    ["/cut", 1, "the connection broke"],
    ["/array", 2, "This is no OpenAPI document"],
  ])("%s", async (path, exit, said) => {
    const server = await startApi(answers);
    const cwd = await temporaryDirectory();
    const source = ["--api", `${server.url}${path}`, "--id", "x"];
    const { code, stdout, stderr } = await runHere(["serve", `--data=${cwd}/data`, ...source], {
      cwd,
    });
    expect([code, stdout]).toEqual([exit, ""]);
    expect(stderr).toContain(said);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  });

  it("reads no other file and no other address, and leaves out what alone needs one", async () => {
    const parts = {
      "/lamps": { $ref: "paths/lamps.json" },
      "/torches": { $ref: "http://127.0.0.1:9/torches.json" },
    };
    const server = await startApi({
      "/parts.json": json({ ...lanterns, paths: { ...lanterns.paths, ...parts } }),
      "/only.json": json({ ...lanterns, paths: parts }),
      "/v1/lanterns": json(rows),
    });
    const cwd = await temporaryDirectory();
    const init = (from: string, ...more: string[]) =>
      runHere(["catalog", "init", "x", "--api", `${server.url}${from}`, ...more], { cwd });
    const refused = await init("/only.json");
    expect([refused.code, refused.stdout]).toEqual([2, ""]);
    expect(refused.stderr).toMatch(
      /None of the 2 operations.*nothing is fetched.*\/lamps: it stands in/s,
    );
    const made = await init("/parts.json");
    expect(made.stdout.split("\n").slice(0, 6)).toEqual([
      expect.stringMatching(/^x: 1 of 3 operations/),
      expect.stringMatching(/^Fetched: sha256:/),
      "left out:",
      expect.stringMatching(/^ {2}1 reference to addresses: nothing is fetched.*cli bundle/),
      expect.stringMatching(/^ {2}1 reference to other files, which are not read.*cli bundle/),
      '  /lamps: it stands in "paths/lamps.json", which is not read',
    ]);
    const source = ["--api", `${server.url}/parts.json`, "--id", "x"];
    const plasm = spawnPlasm(["serve", "--port=0", `--data=${cwd}/data`, ...source], cwd);
    expect(await plasm.said("Ctrl-C ends it.")).toMatch(
      /1 of 3 operations.*nothing is fetched that was not asked for/s,
    );
    expect(server.seen.filter((path) => path.includes("lamps"))).toEqual([]);
  });

  it.each<[readonly string[], string]>([
    [
      ["--id", "x", "--api", "a.json"],
      "It belongs to the --api or --mcp before it, and there is none.",
    ],
    [["--api", "a.json", "--id", "x", "--id", "y"], "--api a.json has one already."],
    [["--api", ""], "It is empty."],
    [["--api", "none.json"], "none.json cannot be read (ENOENT)."],
    [["--stdio", "--api", "-"], "standard input is the client's. Name a file."],
    [["--api", "-", "--api", "-"], "--api - can be given once"],
    [["--api", "https://u:p@api.example/x.json"], "holds a user or a password"],
    [["--api", "openapi.json"], "neither its name nor its title gives an id: add --id"],
    [["--api", "shop.json", "--api", "shop.yaml"], "would both be shop: add --id"],
  ])("%j is misuse", async (args, said) => {
    const cwd = await temporaryDirectory();
    const untitled = { ...lanterns, info: { title: "API", version: "1" } };
    await writeFile(join(cwd, "openapi.json"), JSON.stringify(untitled));
    for (const name of ["shop.json", "shop.yaml"])
      await writeFile(join(cwd, name), JSON.stringify(lanterns));
    const { code, stdout, stderr } = await runHere(["serve", `--data=${cwd}/data`, ...args], {
      cwd,
    });
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(said);
  });
});

describe("a GraphQL API is served by its endpoint or its schema (SURF-20)", () => {
  const schema = buildSchema(
    "type Query { lantern(id: ID!): Lantern lanterns: [Lantern!]! } type Lantern { id: ID! colour: String }",
  );
  const hall = () =>
    startApi({
      "/graphql": answeringPosts(async (query, variables) =>
        graphql({
          schema,
          source: query,
          rootValue: { lanterns: rows },
          variableValues: variables,
        }),
      ),
      "/closed/graphql": answeringPosts(() =>
        Promise.resolve({ errors: [{ message: "introspection is not allowed" }] }),
      ),
      "/locked/graphql": (response) => void response.writeHead(401).end(),
      "/other/graphql": (response) => void response.writeHead(404).end("nothing"),
      "/schema.graphql": (response) => void response.writeHead(200).end(printSchema(schema)),
    });

  it("asks the endpoint for its schema, and then for rows", async () => {
    const { url } = await hall();
    const data = await temporaryDirectory();
    const source = ["--api", `${url}/graphql`, "--id", "lamps"];
    const plasm = spawnPlasm(["serve", "--port=0", `--data=${data}`, ...source]);
    const message = await plasm.said("Ctrl-C ends it.");
    expect(message).toMatch(
      /lamps: 2 of 2 operations of http:\S+\/graphql \(sha256:[0-9a-f]{12}\)/,
    );
    expect(await rowsOf(urlIn(message), "lamps:Lantern")).toContain("l2\tred");
    plasm.stop("SIGTERM");
    await plasm.ended;
  });

  it("writes, from each form of a schema, a catalog that refresh merges", async () => {
    const { url } = await hall();
    const cwd = await temporaryDirectory();
    await writeFile(
      join(cwd, "schema.json"),
      JSON.stringify({ data: introspectionFromSchema(schema) }),
    );
    const server = ["--id", "lamps", "--server", `${url}/graphql`];
    const sources = [`${url}/graphql`, `${url}/schema.graphql`, "schema.json"];
    for (const [at, from] of sources.entries()) {
      const init = await runHere(["catalog", "init", `at${at}`, "--api", from, ...server], {
        cwd,
      });
      expect([init.code, init.stderr]).toEqual([0, ""]);
      expect(init.stdout).toContain("lamps: 2 of 2 operations");
    }
    for (const name of ["domain.yaml", "mappings.yaml"]) {
      const [one, ...others] = await Promise.all(
        sources.map((_, at) => readFile(join(cwd, `at${at}`, "lamps", name), "utf8")),
      );
      expect(others).toEqual([one, one]);
    }
    const refreshed = await runHere(["catalog", "refresh", "at0/lamps", "--dry-run"], { cwd });
    expect([refreshed.code, refreshed.stdout]).toEqual([
      0,
      expect.stringContaining("Nothing changed."),
    ]);
  });

  it.each([
    [
      "/closed/graphql",
      'does not tell its schema: "introspection is not allowed". Name its schema as a file',
    ],
    ["/locked/graphql", "answered 401: it needs a credential. Name its schema as a file"],
    ["/other/graphql", "answered 404, not a document."],
  ])("tells what %s does not", async (path, said) => {
    const { url } = await hall();
    const cwd = await temporaryDirectory();
    const { code, stderr } = await runHere(["serve", "--api", `${url}${path}`, "--id", "x"], {
      cwd,
    });
    expect([code, stderr]).toEqual([1, expect.stringContaining(said)]);
  });
});

it("takes a Google discovery document, which names its API and its address", async () => {
  const { url } = await startApi({
    "/discovery/rest": json({
      kind: "discovery#restDescription",
      name: "harbour",
      rootUrl: "https://harbour.example.com/",
      servicePath: "v1/",
      schemas: { Boat: { id: "Boat", type: "object", properties: { name: { type: "string" } } } },
      resources: {
        boats: {
          methods: {
            get: {
              httpMethod: "GET",
              path: "{+name}",
              parameters: { name: { type: "string", location: "path", pattern: "^boats/[^/]+$" } },
              response: { $ref: "Boat" },
            },
          },
        },
      },
    }),
  });
  const cwd = await temporaryDirectory();
  const source = ["--api", `${url}/discovery/rest`];
  const env = { PLASM_DATA: join(cwd, "data") };
  const made = await runHere(["catalog", "validate", "--strict", ...source], { cwd, env });
  expect([made.code, made.stdout]).toEqual([0, expect.stringContaining("harbour: valid")]);
  const domain = await readFile(join(cwd, "data", "sources", "harbour", "domain.yaml"), "utf8");
  expect(JSON.parse(domain)).toMatchObject({ http_backend: "https://harbour.example.com/v1" });
});

describe("plasm catalog init takes what serve takes", () => {
  it("writes the same catalog from an address and from standard input", async () => {
    const lamp = await api();
    const cwd = await temporaryDirectory();
    const document = `${lamp.url}/openapi.json`;
    const fetched = await runHere(["catalog", "init", "lantern", "--api", document], { cwd });
    expect([fetched.code, fetched.stderr]).toEqual([0, ""]);
    expect(fetched.stdout).toMatch(/\nFetched: sha256:[0-9a-f]{64}\n/);
    const piped = await runHere(
      ["catalog", "init", "all", "--id", "lantern", "--api", "-", "--server", `${lamp.url}/v1`],
      { cwd, input: JSON.stringify(lanterns) },
    );
    expect(piped.code).toBe(0);
    const plasm = spawnPlasm(["serve", "--port=0", "--data=data", "--api", document], cwd);
    await plasm.said("Ctrl-C ends it.");
    plasm.stop("SIGTERM");
    await plasm.ended;
    for (const name of ["domain.yaml", "mappings.yaml"]) {
      const own = await readFile(join(cwd, "lantern", name), "utf8");
      expect(await readFile(join(cwd, "all", "lantern", name), "utf8")).toBe(own);
      const served = await readFile(join(cwd, "data", "sources", "lantern", name), "utf8");
      expect(JSON.parse(served)).toEqual(parse(own));
    }
    await rm(join(cwd, "data"), { recursive: true });
  });
});

describe("other commands that take catalogs take documents (SURF-20)", () => {
  it("plasm catalog validate checks what serve would serve", async () => {
    const lamp = await api();
    const cwd = await temporaryDirectory();
    const env = { PLASM_DATA: join(cwd, "data") };
    const source = ["--api", `${lamp.url}/openapi.json`, "--id", "lamps"];
    const { code, stdout, stderr } = await runHere(["catalog", "validate", "--strict", ...source], {
      cwd,
      env,
    });
    expect([code, stdout]).toEqual([0, `${join(cwd, "data", "sources", "lamps")}: valid\n`]);
    expect(stderr).toContain("lamps: 1 of 1 operations of");
    expect((await runHere(["catalog", "validate"], { cwd, env })).stderr).toContain(
      "Name a catalog: a directory, or a document with --api.",
    );
  });

  it("plasm catalog import puts a document's catalog on offer", async () => {
    const lamp = await api();
    const server = await startServer();
    const keyed = ["keys", "add", "--role", "admin", "--subject", "root"];
    const env = { PLASM_DATA: server.dataDir };
    const cwd = await temporaryDirectory();
    const { stdout: key } = await runHere(keyed, { cwd, env });
    const place = await workplace(server.url);
    const admin = { env: { PLASM_ADMIN_KEY: key.trim() } };
    const source = ["--api", `${lamp.url}/openapi.json`, "--id", "lamps"];
    const { code, stdout, stderr } = await place.plasm(["catalog", "import", ...source], admin);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^lamps · version 1 · sha256:/);
    const mcp = await place.plasm(["catalog", "import", "--mcp", "node x.js"], admin);
    expect([mcp.code, mcp.stderr]).toEqual([
      2,
      expect.stringContaining("--mcp is for plasm serve"),
    ]);
    const none = await place.plasm(["catalog", "import"], admin);
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining("Name one catalog")]);
    await server.close();
  });
});
