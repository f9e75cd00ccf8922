import { catalogDirectory } from "@plasm/catalogs";
import { expect, test } from "vitest";
import { useWorld } from "../harness/use-world.ts";

const world = useWorld(() => ({ catalogs: [catalogDirectory("redmine")] }));

/** Surfaces of the world's own server: each stdio server would load the catalogs again. */
const MCP = ["MCP 2025 over HTTP", "MCP 2026 over HTTP"] as const;

interface Found {
  readonly options: readonly {
    readonly api: string;
    readonly entity: string;
    readonly description: string;
  }[];
  readonly omitted: number;
}

const INTENT = "open redmine tickts for the vesels that are moored in the harbor";

const rowsOf = ({ options }: Found): readonly string[] =>
  options.map(({ api, entity, description }) => `${api}\t${entity}\t${description}`);

test("a sentence of two needs, misspelt, gives the same seeds on every surface, and they open a session (TEACH-36 to TEACH-39)", async () => {
  const answers: Found[] = [];
  for (const surface of [...MCP, "HTTP"] as const) {
    const agent = await world().agent(surface);
    answers.push((await agent.discover({ intent: INTENT })) as Found);
  }
  const [first] = answers;
  if (first === undefined) throw new Error("No surface answered");
  for (const answer of answers) expect(answer).toEqual(first);
  const seeds = first.options.slice(0, 3).map(({ api, entity }) => ({ api, entity }));
  expect(seeds).toEqual(
    expect.arrayContaining([
      { api: "redmine", entity: "Issue" },
      { api: "quay", entity: "Boat" },
    ]),
  );
  const agent = await world().newAgent("HTTP");
  const { text } = await agent.context({ intent: INTENT, seeds: seeds.slice(0, 2) });
  for (const { entity } of seeds.slice(0, 2)) expect(text).toContain(entity);
});

test.each(MCP)("%s: the text is TEACH-39's, with the rows that HTTP gives", async (surface) => {
  const agent = await world().mcpAgent(surface);
  const { text } = await agent.callTool("discover_capabilities", { intent: INTENT, limit: 3 });
  const http = (await (await world().agent("HTTP")).discover({ intent: INTENT })) as Found;
  const more = http.options.length - 3 + http.omitted;
  expect(text.split("\n")).toEqual([
    "```tsv",
    "api\tentity\tdescription",
    ...rowsOf(http).slice(0, 3),
    "```",
    `${more} more: pass apis or a narrower intent`,
  ]);
});

test("nothing that is asked for is there: the catalogs are named, and what shares a word (TEACH-39, TEACH-60)", async () => {
  const intent = "order a pizza with extra cheese";
  const mcp = await world().mcpAgent("MCP 2026 over HTTP");
  const { text } = await mcp.callTool("discover_capabilities", { intent });
  const [first, nearest, ...more] = text.split("\n");
  expect(first).toBe("No match. Catalogs: quay, redmine, yard");
  expect(nearest).toMatch(/^Nearest by single words: [a-z]+: [A-Z]/);
  expect(more).toEqual([]);
  const http = await world().agent("HTTP");
  const found = (await http.discover({ intent })) as Found & { readonly others: readonly object[] };
  const elsewhere = ["quay", "redmine", "yard"];
  expect(found).toEqual({ options: [], omitted: 0, others: found.others, elsewhere });
  expect(found.others.length).toBeGreaterThan(0);
});

test("names of catalogs narrow the search as in seeds; an unknown one is refused with the nearest (TEACH-40)", async () => {
  const mcp = await world().mcpAgent("MCP 2026 over HTTP");
  const found = (await mcp.discover({ intent: INTENT, apis: ["Quay"] })) as Found;
  expect(new Set(found.options.map(({ api }) => api))).toEqual(new Set(["quay"]));
  const unknown = mcp.discover({ intent: INTENT, apis: ["quai"] });
  await expect(unknown).rejects.toThrow("No catalog quai. Nearest: quay");
});
