import { openCatalog } from "@plasm/core";
import { systemClock, systemIds } from "@plasm/runtime";
import { afterEach, expect, it } from "vitest";
import { createEngine } from "../../create-engine.ts";
import type { Engine } from "../../engine.ts";
import { agentOf } from "../../../test/engine-on.ts";
import { testStore } from "../../../test/test-store.ts";

const DOMAIN = `
version: 1
http_backend: https://scans.example
values:
  text: { type: string, string_semantics: short }
  prose: { type: string, string_semantics: markdown }
entities:
  Scan:
    id_field: id
    fields: { id: { value_ref: text }, words: { value_ref: prose, agent_presentation: reference_only } }
capabilities:
  scan_query: { kind: query, entity: Scan }
`;

const MAPPINGS = `
scan_query: { method: GET, path: [{ type: literal, value: scans }], response: bare_list }
`;

const WORDS = "all that is on the page ".repeat(100);

function scansEngine(rows: number): Engine {
  const opened = openCatalog({
    entryId: "scans",
    domain: { file: "domain.yaml", text: DOMAIN },
    mappings: { file: "mappings.yaml", text: MAPPINGS },
  });
  if (opened.catalog === null) throw new Error(JSON.stringify(opened.diagnostics));
  const entry = { catalog: opened.catalog, domain: DOMAIN, mappings: MAPPINGS, credentials: true };
  const list = Array.from({ length: rows }, (_, at) => ({ id: `s${at}`, words: WORDS }));
  const body = new TextEncoder().encode(JSON.stringify(list));
  const headers = [["content-type", "application/json"]] as const;
  return createEngine({
    store: testStore(),
    registry: { list: () => [entry], get: (id) => (id === "scans" ? entry : undefined) },
    ports: {
      transport: {
        send: async () => ({ ok: true, response: { status: 200, headers, body } }),
        close: async () => undefined,
      },
      secrets: { env: () => undefined, hosted: async () => undefined },
      clock: systemClock,
      ids: systemIds,
      functions: new Map(),
    },
  });
}

let engine: Engine;
afterEach(() => engine.close());

it("RUN-038: texts shown by reference cost no tokens, and the remark says where they are", async () => {
  engine = scansEngine(2);
  const agent = await agentOf(engine, { api: "scans", entity: "Scan" });
  const { text } = await agent.run("Scan");
  expect(text.split("\n")).toEqual([
    "Scan · 2 rows",
    "```tsv",
    "id\twords",
    "s0\t<markdown 2 kB>",
    "s1\t<markdown 2 kB>",
    "```",
    "words by reference · all: plasm://session/s0/r/1 · to pass on: kept(s0_r1, words, key)",
  ]);
});

it("RUN-038, SURF-30: rows that a text left out are shown in the same way", async () => {
  engine = scansEngine(900);
  const agent = await agentOf(engine, { api: "scans", entity: "Scan" });
  const { text } = await agent.run("Scan");
  const rest = /rest: page\((\w+)\)/.exec(text)?.[1];
  const next = await agent.run(`page(${rest}, limit=2)`);
  expect(next.text).toMatch(/\ns\d+\t<markdown 2 kB>\n/);
  expect(next.text).toContain("words by reference · all: plasm://session/s0/r/2");
});
