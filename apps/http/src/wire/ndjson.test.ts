import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import type { StructuredResult } from "@plasm/agent-core";
import { parseJsonText } from "@plasm/core/internal";
import { openHost } from "@plasm/host";
import { mountMcp } from "@plasm/mcp";
import { fixtureCatalogDir } from "@plasm/testkit";
import { describe, expect, it } from "vitest";
import { startHttpServer } from "../server/start-http-server.ts";
import { programAnswer } from "../routes/program.ts";

interface Line {
  readonly result?: string;
  readonly row?: unknown;
  readonly _meta?: unknown;
}

const linesOf = (text: string): readonly Line[] => {
  expect(text.endsWith("\n")).toBe(true);
  return text
    .slice(0, -1)
    .split("\n")
    .map((line) => parseJsonText(line) as Line);
};

interface Whole {
  readonly results: readonly Pick<StructuredResult, "name" | "rows">[];
  readonly _meta: unknown;
}

/** What an answer as JSON says, line by line. */
const asLines = ({ results, _meta }: Whole): readonly Line[] => [
  ...results.flatMap(({ name, rows }) => rows.map((row) => ({ result: name, row }))),
  { _meta },
];

/** Line ends of every kind, controls, text that looks like the form itself. */
const hostile = fc.constantFrom(
  "\n",
  "\r\n",
  "\u2028",
  "\u2029",
  "\u0085",
  "\u0000",
  "\u001e",
  "\ufeff",
  "\u202e",
  "\ud800",
  '"}\n{"_meta":1}',
  "🚤",
  "\\n",
);
const text = fc.oneof(fc.string({ unit: "grapheme" }), hostile);
const exact = fc.constantFrom("123456789012345678901234567890", "0.1234567890123456789", "1e309");
const cell = fc.oneof(
  text,
  exact,
  fc.constant(null),
  fc.boolean(),
  fc.double({ noNaN: true }),
  fc.jsonValue(),
);
const row = fc.dictionary(fc.oneof(fc.string(), hostile), cell, { maxKeys: 4 });
const result = fc.record({ name: text, rows: fc.array(row, { maxLength: 4 }) });

describe("NDJSON says what JSON says, row by row (SURF-17)", () => {
  it("for whatever stands in rows", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(result, { maxLength: 3 }), async (results) => {
        const answer = { text: "", meta: { steps: [] } };
        const given = results as unknown as readonly StructuredResult[];
        const json = parseJsonText(await programAnswer(answer, given, "application/json").text());
        const ndjson = await programAnswer(answer, given, "application/x-ndjson").text();
        expect(linesOf(ndjson)).toEqual(asLines(json as Whole));
      }),
    );
  });
});

/** One boat, as an API that knows no doubles writes it. */
const BOAT =
  '{"id":"b1","name":"a\\u2028b\\nc\\"}","owner":null,"length":123456789012345678901234567890.5,' +
  '"state":"moored","note":"","flags":["",null,"\\u0000"],' +
  '"meta":{"n":98765432109876543210,"deep":[[{"x":null}],1e309,-0.0]}}';

async function startRaw(): Promise<Server> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(BOAT);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

/** The type of the answer to a program that is sent with a header Accept for each of these. */
const typeFor = (url: string, accept: readonly string[]): Promise<string | undefined> =>
  new Promise((resolve, reject) => {
    const headers = { "content-type": "text/plain", accept: [...accept] };
    const sent = request(url, { method: "POST", headers }, (response) => {
      response.resume();
      response.on("end", () => resolve(response.headers["content-type"]));
    });
    sent.on("error", reject);
    sent.end('Boat("b1")[id]');
  });

it("SURF-17 LANG-041 rows of a real API are the same in both forms, to the last digit", async () => {
  const api = await startRaw();
  const dataDir = await mkdtemp(join(tmpdir(), "plasm-ndjson-"));
  const { port } = api.address() as AddressInfo;
  const env = { PLASM_BACKEND_QUAY: `http://127.0.0.1:${port}` };
  const host = await openHost({ dataDir, catalogs: [fixtureCatalogDir("quay")], env });
  const { engine } = host;
  const server = await startHttpServer({ engine, mcp: mountMcp(host), host: "127.0.0.1", port: 0 });
  const post = (path: string, type: string, body: string, accept: string) =>
    fetch(`${server.url}${path}`, {
      method: "POST",
      redirect: "manual",
      headers: { "content-type": type, accept },
      body,
    });
  const seeds = JSON.stringify({ seeds: [{ api: "quay", entity: "Boat" }], notation: "names" });
  const opened = await post("/execute", "application/json", seeds, "*/*");
  const session = opened.headers.get("location") ?? "";
  const run = (accept: string) => post(session, "text/plain", 'Boat("b1")', accept);
  const json = (await (await run("application/json")).json()) as Whole;
  const lines = linesOf(await (await run("application/x-ndjson")).text());
  expect(lines.slice(0, -1)).toEqual(asLines(json).slice(0, -1));
  expect(lines[0]?.row).toMatchObject({
    name: 'a\u2028b\nc"}',
    owner: null,
    // The same number, as exact decimals are written.
    length: "1.234567890123456789012345678905e29",
    note: "",
    meta: { n: "98765432109876543210", deep: [[{ x: null }], "1e309", 0] },
  });
  const repeated = ["text/html", "text/plain;q=0.2", "application/x-ndjson;q=0.3"];
  expect(await typeFor(`${server.url}${session}`, repeated)).toBe("application/x-ndjson");
  await server.close();
  await host.close();
  api.close();
  await rm(dataDir, { recursive: true, force: true });
});
