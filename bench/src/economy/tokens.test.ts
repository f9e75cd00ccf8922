import { beforeAll, expect, test } from "vitest";
import { capabilityTools } from "@plasm/eval";
import { quayCatalog } from "../quay.ts";
import { generatedText, type GeneratedCost, measureGenerated } from "./generated-tools.ts";
import { measureSession, type SessionCost, sessionText } from "./session-costs.ts";
import {
  measureTables,
  shareOf,
  shareOfAll,
  sumOfPublished,
  type TableCost,
  tablesText,
} from "./table-costs.ts";

/**
 * Catalogs that mostly read: their rows teach fields, of which a tool without an output schema says nothing.
 * They may not grow beyond what they cost, and are held to tools that say as much (docs/adr/0014).
 */
const READERS: Readonly<Record<string, number>> = { "docker-registry": 1.35, prometheus: 1.21 };

let tables: readonly TableCost[];
let session: readonly SessionCost[];
let generated: GeneratedCost;

beforeAll(async () => {
  tables = await measureTables();
  session = await measureSession();
  generated = await measureGenerated();
  const github = tables.find(({ catalog }) => catalog === "github")?.rows ?? 0;
  const texts = [tablesText(tables), sessionText(session), generatedText(generated, github)];
  console.info(texts.join("\n\n"));
}, 120_000);

// Each owner's description is taught since docs/adr/0014: 58.7 % before, 65.1 % with them.
test("TEACH-41, P28, 17.17: the rows of all published catalogs take at most 66 % of compact JSON-schema tools", () => {
  expect(tables.filter(({ published }) => published).length).toBeGreaterThanOrEqual(5);
  expect(shareOf(sumOfPublished(tables))).toBeLessThanOrEqual(0.66);
});

test("TEACH-41, P28: no catalog takes more than 75 %, but those that mostly read no more than they do", () => {
  const above = tables.filter((cost) => shareOf(cost) > (READERS[cost.catalog] ?? 0.75));
  expect(above.map((cost) => `${cost.catalog}: ${shareOf(cost)}`)).toEqual([]);
  const needless = tables
    .filter(({ catalog }) => catalog in READERS)
    .filter((cost) => shareOf(cost) <= 0.75);
  expect(needless.map(({ catalog }) => catalog)).toEqual([]);
});

test("beside tools that say what they answer with, as rows do, no catalog takes more than 78 %, all together no more than 27.5 %", () => {
  const above = tables.filter((cost) => shareOfAll(cost) > 0.78);
  expect(above.map((cost) => `${cost.catalog}: ${shareOfAll(cost)}`)).toEqual([]);
  expect(shareOfAll(sumOfPublished(tables))).toBeLessThanOrEqual(0.275);
});

test.each([
  "server instructions",
  "tool definitions",
  "contract, all parts",
  "fixed cost, the sum",
  "unchanged notice, 36 entities",
  "reopening, 36 entities",
])("TEACH-41, G9, A1: %s within its budget", (name) => {
  const cost = session.find((each) => each.name === name);
  expect(cost?.tokens).toBeGreaterThan(0);
  expect(cost?.tokens).toBeLessThanOrEqual(cost?.most ?? 0);
});

test("GitHub's rows take at most a seventh of openapi-mcp-generator's tools for the same operations (TEACH-41)", () => {
  const rows = tables.find(({ catalog }) => catalog === "github")?.rows ?? 0;
  expect(generated.operations).toBeGreaterThan(190);
  // The text of a file is asked of GraphQL, which the document does not describe.
  expect(generated.without).toEqual(["content_text"]);
  expect(rows).toBeGreaterThan(0);
  expect(7 * rows).toBeLessThanOrEqual(generated.tokens);
});

test("the yardstick says what an agent needs, and no more (TEACH-41)", () => {
  const tools = new Map(capabilityTools(quayCatalog()).map((tool) => [tool.name, tool]));
  expect(tools.get("quay_boat_update")).toEqual({
    name: "quay_boat_update",
    description: "correct its entry",
    inputSchema: {
      type: "object",
      properties: {
        id: { type: "string" },
        name: { type: "string" },
        state: { type: "string", enum: ["moored", "sailing", "lost"] },
        note: { type: "string", description: "the harbour master's remarks" },
      },
      required: ["id"],
    },
  });
  expect(tools.get("quay_boat_query_owner")?.description).toBe(
    "a boat in the harbour's register: the boats of one owner",
  );
});
