import { MissingRequiredClientCapabilityError, type Tool } from "@modelcontextprotocol/server";
import { PNG, WAV } from "./fixture-media.ts";
import { declaredBy, fixtureTool, said, type FixtureTool } from "./fixture-tool.ts";

const image = { type: "image", data: PNG, mimeType: "image/png" } as const;

/** Words of JSON Schema 2020-12 that a server must pass on as they are. */
const SCHEMA_2020_12: Tool["inputSchema"] = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: {
    address: {
      $anchor: "addressDef",
      type: "object",
      properties: { street: { type: "string" }, city: { type: "string" } },
    },
  },
  properties: {
    name: { type: "string" },
    address: { $ref: "#/$defs/address" },
    contactMethod: { type: "string", enum: ["phone", "email"] },
    phone: { type: "string" },
    email: { type: "string" },
  },
  allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
  if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
  // The words of the schema language, not a promise.
  // oxlint-disable-next-line unicorn/no-thenable
  then: { required: ["phone"] },
  else: { required: ["email"] },
  additionalProperties: false,
};

/** Tools that answer at once. */
const ANSWERING: readonly FixtureTool[] = [
  fixtureTool("test_simple_text", "Answers a text", () =>
    said("This is a simple text response for testing."),
  ),
  fixtureTool("test_image_content", "Answers a picture", () => ({ content: [image] })),
  fixtureTool("test_audio_content", "Answers a sound", () => ({
    content: [{ type: "audio", data: WAV, mimeType: "audio/wav" }],
  })),
  fixtureTool("test_embedded_resource", "Answers a resource", () => ({
    content: [
      {
        type: "resource",
        resource: {
          uri: "test://embedded-resource",
          mimeType: "text/plain",
          text: "This is an embedded resource content.",
        },
      },
    ],
  })),
  fixtureTool("test_multiple_content_types", "Answers several kinds of content", () => ({
    content: [
      { type: "text", text: "Multiple content types test:" },
      image,
      {
        type: "resource",
        resource: {
          uri: "test://mixed-content-resource",
          mimeType: "application/json",
          text: JSON.stringify({ test: "data", value: 123 }),
        },
      },
    ],
  })),
  fixtureTool("test_error_handling", "Always fails", () => ({
    ...said("This tool intentionally returns an error for testing"),
    isError: true,
  })),
];

/** Tools that say something on the way. */
const TELLING: readonly FixtureTool[] = [
  fixtureTool("test_tool_with_logging", "Logs while it works", async ({ mcpReq }) => {
    await mcpReq.log("info", "Tool execution started");
    await mcpReq.log("info", "Tool processing data");
    await mcpReq.log("info", "Tool execution completed");
    return said("Logged three lines.");
  }),
  fixtureTool("test_logging_tool", "Logs where it is asked to", async ({ mcpReq }) => {
    await mcpReq.log("info", "A line of the log");
    return said("Logged where a level was asked for.");
  }),
  fixtureTool("test_tool_with_progress", "Tells how far it is", async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    for (const progress of progressToken === undefined ? [] : [0, 50, 100]) {
      const params = { progressToken: progressToken ?? 0, progress, total: 100 };
      await mcpReq.notify({ method: "notifications/progress", params });
    }
    return said("Told its progress.");
  }),
];

/** Tools that look at what a client can, or are looked at. */
const LOOKING: readonly FixtureTool[] = [
  fixtureTool("test_missing_capability", "Needs a client that can sample", (context) => {
    if (declaredBy(context).sampling === undefined) {
      throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } });
    }
    return said("The client can sample.");
  }),
  {
    definition: {
      name: "json_schema_2020_12_tool",
      description: "Tool with JSON Schema 2020-12 features",
      inputSchema: SCHEMA_2020_12,
    },
    call: () => said("The schema was kept."),
  },
];

export const PLAIN_TOOLS: readonly FixtureTool[] = [...ANSWERING, ...TELLING, ...LOOKING];
