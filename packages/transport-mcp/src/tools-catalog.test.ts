import { openCatalogTexts } from "@plasm/runtime";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { McpTool } from "./tool-drafts.ts";
import { toolsCatalog } from "./tools-catalog.ts";

const object = (properties: object, required: readonly string[] = []) => ({
  type: "object",
  properties,
  required,
});

const tools: readonly McpTool[] = [
  {
    name: "list-lamps",
    description: "Lists the lamps of a quay.",
    annotations: { readOnlyHint: true },
    inputSchema: object(
      { quay: { type: "string", enum: ["north", "south"] }, most: { type: "integer" } },
      ["quay"],
    ),
    outputSchema: object({
      lamps: {
        type: "array",
        items: object({ name: { type: "string" }, lit: { type: "boolean" } }),
      },
    }),
  },
  { name: "ping", annotations: { readOnlyHint: true }, inputSchema: object({}) },
  {
    name: "lightAll",
    description: "Lights lamps.",
    inputSchema: object({
      lamps: { type: "array", items: object({ name: { type: "string" } }, ["name"]) },
      "dry-run": { type: "boolean" },
    }),
  },
  {
    name: "measure",
    inputSchema: object({}),
    outputSchema: object({ height: { type: "number" }, at: { type: "object" } }),
  },
  { name: "later", inputSchema: object({}), execution: { taskSupport: "required" } },
  { name: "light_all", inputSchema: object({}) },
];

interface Domain {
  readonly entities: Record<string, { fields: Record<string, { path: string[] }> }>;
  readonly capabilities: Record<string, Record<string, unknown>>;
}

const made = toolsCatalog(tools, { id: "quay-tools", label: "Quay tools" });

describe("a catalog of tools (ADR 0131)", () => {
  it("loads whole and strictly", async () => {
    const { catalog, diagnostics } = await openCatalogTexts(
      { entryId: "quay-tools", ...made },
      { strict: true },
    );
    expect(diagnostics).toEqual([]);
    expect(catalog?.dropped ?? []).toEqual([]);
  });

  it("has reads and effects by what tools say of themselves, and rows by their schemas", () => {
    const { capabilities, entities } = parse(made.domain) as Domain;
    expect(
      Object.entries(capabilities).map(([name, { kind, entity, output }]) => [
        name,
        kind,
        entity,
        output,
      ]),
    ).toEqual([
      [
        "quaytools_light_all",
        "action",
        "QuayTools",
        { type: "custom", schema: { type: "string" } },
      ],
      ["listlamps_query", "query", "ListLamps", undefined],
      ["quaytools_measure", "action", "QuayTools", { type: "entity", entity_type: "Measure" }],
      ["quaytools_ping", "query", "QuayTools", undefined],
    ]);
    expect(entities["ListLamps"]?.fields).toMatchObject({
      name: { path: ["name"] },
      lit: { path: ["lit"] },
    });
    expect(entities["Measure"]?.fields).toMatchObject({ height: { path: ["result", "height"] } });
    expect(capabilities["quaytools_light_all"]?.["parameters"]).toEqual([
      {
        name: "lamps",
        input_type: {
          type: "array",
          element_type: {
            type: "object",
            fields: [{ name: "name", value_ref: "text", required: true }],
          },
        },
      },
      { name: "dry_run", value_ref: "flag" },
    ]);
  });

  it("RUN-212 takes what no schema says for JSON or text, and what a schema calls text for text", () => {
    const ping = { name: "ping", annotations: { readOnlyHint: true }, inputSchema: object({}) };
    const output = object({ content: { type: "string" } });
    const said = (tool: McpTool) => {
      const { domain, mappings } = toolsCatalog([tool], { id: "quay", label: "Quay" });
      const { values, entities } = parse(domain) as {
        values: Record<string, { type: string }>;
        entities: Record<string, { fields: Record<string, { value_ref: string }> }>;
      };
      const value = entities["Quay"]?.fields["answer"]?.value_ref ?? "";
      return [values[value]?.type, mappings.includes("plasm-answer")];
    };
    expect(said(ping)).toEqual(["json", true]);
    expect(said({ ...ping, outputSchema: output })).toEqual(["string", false]);
  });

  it("takes a name apart as imports of documents do", () => {
    const one: McpTool = {
      name: "getHTTPServers",
      annotations: { readOnlyHint: true },
      inputSchema: object({ lampIDs: { type: "string" } }),
      outputSchema: object({ baseURL: { type: "string" } }),
    };
    const { domain } = toolsCatalog([one], { id: "q", label: "Q" });
    const { capabilities, entities } = parse(domain) as Domain;
    expect(Object.keys(entities["GetHttpServers"]?.fields ?? {})).toEqual(["base_url"]);
    expect(capabilities["gethttpservers_query"]?.["parameters"]).toMatchObject([
      { name: "lamp_ids" },
    ]);
  });

  it("sends arguments by the names that the tool has", () => {
    const mappings = parse(made.mappings) as Record<string, { body: { fields: unknown } }>;
    expect(mappings["quaytools_light_all"]?.body.fields).toEqual([
      ["lamps", { type: "var", name: "lamps" }],
      ["dry-run", { type: "var", name: "dry_run" }],
    ]);
  });

  it("counts what it leaves out, with the reason", () => {
    expect([made.operations, made.reached]).toEqual([6, 4]);
    expect(made.left).toEqual([
      "the tool later: it runs as a task only, which is not called here",
      "the tool light_all: another tool has this name, but for its signs",
    ]);
    expect(toolsCatalog(tools, { id: "q", label: "Q", only: ["list"] })).toMatchObject({
      operations: 1,
      reached: 1,
    });
  });
});
