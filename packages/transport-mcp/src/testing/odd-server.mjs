/** An MCP server over stdio that misbehaves on request, written without an SDK so that it can. Its one argument is a file that it counts calls in. */
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [file = ""] = process.argv.slice(2);
let changed = false;

const send = (message) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

const text = (value, more = {}) => ({ content: [{ type: "text", text: value }], ...more });
const object = (properties, required = []) => ({ type: "object", properties, required });
const reads = { readOnlyHint: true };

/** Schemas as Pydantic writes them. */
const boatPage = {
  ...object({
    boats: { type: "array", items: { $ref: "#/$defs/Boat" } },
    next_cursor: { anyOf: [{ type: "string" }, { type: "null" }], default: null },
  }),
  $defs: {
    Boat: object({
      name: { type: "string" },
      length: { anyOf: [{ type: "number" }, { type: "null" }], default: null },
    }),
  },
};

const BOATS = Array.from({ length: 7 }, (_none, at) => ({
  name: `boat ${at}`,
  length: at % 2 === 0 ? at : null,
}));

const tools = () => [
  {
    name: "list_boats",
    annotations: reads,
    inputSchema: object({ cursor: { anyOf: [{ type: "string" }, { type: "null" }] } }),
    outputSchema: boatPage,
  },
  {
    name: "find_owners",
    annotations: reads,
    inputSchema: object({}),
    outputSchema: object({
      owners: { type: "array", items: object({ name: { type: "string" } }) },
      hasMore: { type: "boolean" },
    }),
  },
  {
    name: "greet",
    description: "Greets somebody.",
    annotations: reads,
    inputSchema: object({ who: { type: "string" } }, ["who"]),
  },
  {
    name: "lamps",
    annotations: reads,
    inputSchema: object({}),
    outputSchema: object({
      lamps: {
        type: "array",
        items: object({ name: { type: "string" }, lit: { type: "boolean" } }),
      },
    }),
  },
  { name: "say", annotations: reads, inputSchema: object({ as: { type: "string" } }) },
  { name: "variables", annotations: reads, inputSchema: object({}) },
  { name: "refuse", inputSchema: object({}) },
  { name: "hang", inputSchema: object({}) },
  { name: "die", inputSchema: object({}) },
  { name: "picture", annotations: reads, inputSchema: object({}) },
  {
    name: "shift",
    inputSchema: object(changed ? { much: { type: "number" } } : {}, changed ? ["much"] : []),
  },
  ...(changed ? [] : [{ name: "vanish", inputSchema: object({}) }]),
  { name: "change", inputSchema: object({}) },
];

const calls = {
  list_boats: ({ cursor }) => {
    const from = Number(cursor ?? 0);
    const next_cursor = from + 3 < BOATS.length ? String(from + 3) : null;
    return text("boats", {
      structuredContent: { boats: BOATS.slice(from, from + 3), next_cursor },
    });
  },
  find_owners: () =>
    text("owners", { structuredContent: { owners: [{ name: "Alma" }], hasMore: true } }),
  say: ({ as }) => JSON.parse(as),
  greet: ({ who }) => text(`Hello, ${who}.`),
  lamps: () =>
    text("two lamps", {
      structuredContent: {
        lamps: [
          { name: "a", lit: true },
          { name: "b", lit: false },
        ],
      },
    }),
  variables: () => text(Object.keys(process.env).toSorted().join(" ")),
  refuse: () => text("the quay is closed", { isError: true }),
  hang: () => null,
  die: () => process.exit(3),
  picture: () => ({ content: [{ type: "image", mimeType: "image/png", data: "AAAA" }] }),
  shift: () => text("shifted"),
  vanish: () => text("vanished"),
  change: () => {
    changed = true;
    send({ method: "notifications/tools/list_changed" });
    return text("changed");
  },
};

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === "initialize") {
    const { protocolVersion } = params;
    const serverInfo = { name: "odd", version: "1" };
    const capabilities = { tools: { listChanged: true } };
    send({ id, result: { protocolVersion, serverInfo, capabilities } });
  } else if (method === "tools/list") {
    send({ id, result: { tools: tools() } });
  } else if (method === "tools/call") {
    const { name, arguments: args = {} } = params;
    appendFileSync(file, `${name}\n`);
    const call = calls[name];
    if (call === undefined) send({ id, error: { code: -32602, message: `no tool ${name}` } });
    const result = call?.(args) ?? null;
    if (result !== null) send({ id, result });
  } else if (id !== undefined) {
    send({ id, error: { code: -32601, message: `no method ${method}` } });
  }
});
