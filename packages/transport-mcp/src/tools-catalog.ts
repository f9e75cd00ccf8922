import { createHash } from "node:crypto";
import { Document, isMap, isSeq, type Node, visit } from "yaml";
import { plainSchema, type Tree, tree } from "./plain-schema.ts";
import { isFreeAnswer, type ToolAnswer } from "./tool-answer.ts";
import {
  type ToolDraft,
  draftTools,
  isRead,
  type McpTool,
  memberName,
  oneLine,
} from "./tool-drafts.ts";
import { argumentKey } from "./tool-groups.ts";

/** The two files of a catalog of tools, and what is not in them. */
export interface ToolsCatalog {
  readonly domain: string;
  readonly mappings: string;
  readonly left: readonly string[];
  /** how many tools the server has, of those asked for, and how many the catalog calls */
  readonly operations: number;
  readonly reached: number;
}

/** The header by which a catalog says which tool it was made of; it reaches no server. */
export const TOOL_HEADER = "plasm-tool";

/** The header by which a catalog says that text which is JSON is to be that (`json`); it reaches no server. */
export const ANSWER_HEADER = "plasm-answer";

/** Another one where a tool takes, answers or does something else than before. */
export const toolFingerprint = ({
  name,
  inputSchema,
  outputSchema,
  annotations,
}: McpTool): string =>
  createHash("sha256")
    .update(JSON.stringify([name, inputSchema, outputSchema ?? null, isRead({ annotations })]))
    .digest("hex")
    .slice(0, 32);

/** The address of a server that only its host knows: no name under `.invalid` leads anywhere (RFC 6761). */
export const serverHost = (id: string): string =>
  `${id.toLowerCase().replaceAll(/[^a-z0-9-]+/g, "-")}.mcp.invalid`;

/** The types of values that slots and fields refer to, by name. */
class Values {
  readonly entries = new Map<string, Tree>();

  #named(name: string, entry: Tree): string {
    const text = JSON.stringify(entry);
    for (let at = 1; ; at += 1) {
      const key = at === 1 ? name : `${name}_${at}`;
      const known = this.entries.get(key);
      if (known !== undefined && JSON.stringify(known) !== text) continue;
      this.entries.set(key, entry);
      return key;
    }
  }

  text(semantics: "short" | "document"): string {
    return this.#named(semantics === "short" ? "text" : "prose", {
      type: "string",
      string_semantics: semantics,
    });
  }

  /** The value of a JSON schema; what no type says is JSON. */
  of(name: string, schema: unknown): string {
    const { type, enum: options, items } = tree(schema);
    if (
      Array.isArray(options) &&
      options.length > 0 &&
      options.every((one) => typeof one === "string")
    )
      return this.#named(memberName(name) || "choice", { type: "select", allowed_values: options });
    switch (type) {
      case "string":
        return this.text("short");
      case "integer":
        return this.#named("whole", { type: "integer" });
      case "number":
        return this.#named("number", { type: "number" });
      case "boolean":
        return this.#named("flag", { type: "boolean" });
      case "array": {
        const inner = tree(items)["type"];
        if (
          inner === "string" ||
          inner === "number" ||
          inner === "integer" ||
          inner === "boolean"
        ) {
          const value = this.of(name, items);
          return this.#named(`${value}_list`, { type: "array", items: { value_ref: value } });
        }
        return this.#named("free", { type: "json" });
      }
      default:
        return this.#named("free", { type: "json" });
    }
  }
}

/** The text that tools answer; JSON where of one of them no schema says that it is text. */
const wordsField = (mayBeJson: boolean, values: Values): Tree => ({
  answer: {
    value_ref: mayBeJson ? values.of("answer", {}) : values.text("document"),
    path: ["answer"],
  },
});

function fieldsOf({ answer }: ToolDraft, values: Values, mayBeJson = false): Tree {
  if (answer.properties === null) return wordsField(mayBeJson, values);
  const root = answer.list === null ? ["result"] : [];
  const entries = Object.entries(answer.properties).map(([name, schema]) => {
    const key = memberName(name) || "value";
    const description = oneLine(tree(schema)["description"], 120);
    const field = { value_ref: values.of(name, schema), path: [...root, name] };
    return [key, description === "" ? field : { ...field, description }] as const;
  });
  return Object.fromEntries(entries);
}

const MOST_DEPTH = 4;
const MEMBER = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** An object or a list of objects whose members are known; null where programs have to know them by themselves. */
function inputType(schema: Tree, values: Values, depth = 0): Tree | null {
  if (depth > MOST_DEPTH) return null;
  if (schema["type"] === "array") {
    const element = inputType(tree(schema["items"]), values, depth + 1);
    return element === null ? null : { type: "array", element_type: element };
  }
  const members = Object.entries(tree(schema["properties"]));
  if (schema["type"] !== "object" || members.length === 0) return null;
  if (!members.every(([name]) => MEMBER.test(name))) return null;
  const { required } = schema;
  const wanted = new Set(Array.isArray(required) ? required : []);
  const fields = members.map(([name, member]) => {
    const inner = inputType(tree(member), values, depth + 1);
    return {
      name,
      ...(inner === null ? { value_ref: values.of(name, member) } : { input_type: inner }),
      ...(wanted.has(name) ? { required: true } : {}),
    };
  });
  return { type: "object", fields };
}

function slotType(name: string, schema: Tree, values: Values): Tree {
  const input = inputType(schema, values);
  return input === null ? { value_ref: values.of(name, schema) } : { input_type: input };
}

/** What an effect answers: rows of its own, or a text. */
const outputOf = ({ rows, entity }: ToolDraft): Tree =>
  rows === entity
    ? { type: "custom", schema: { type: "string" } }
    : { type: "entity", entity_type: rows };

function capabilityEntry(draft: ToolDraft, values: Values): Tree {
  const { entity, isRead: reads, rare } = draft;
  const fields = Object.keys(fieldsOf(draft, values));
  const parameters = draft.slots.map((slot) => {
    const { name, wire, description, schema, required } = slot;
    return {
      name,
      ...slotType(wire, schema, values),
      ...(required ? { required: true } : {}),
      ...(rare.has(argumentKey(draft, slot)) ? { detail: true } : {}),
      ...(description === "" ? {} : { description }),
    };
  });
  return {
    kind: reads ? "query" : "action",
    entity,
    description: draft.description,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(draft.rows === entity ? { provides: fields } : {}),
    ...(reads ? {} : { output: outputOf(draft) }),
  };
}

const pagingOf = ({ argument, member }: NonNullable<ToolAnswer["next"]>): Tree => ({
  location: "body",
  response_prefix: ["result"],
  params: { [argument]: { from_response: member } },
});

const isFree = ({ tool }: ToolDraft): boolean => isFreeAnswer(plainSchema(tool.outputSchema));

function mappingEntry(draft: ToolDraft): Tree {
  const { tool, isRead: reads, answer, slots } = draft;
  const json = [[ANSWER_HEADER, { type: "const", value: "json" }]];
  const fields = slots.map(({ name, wire }) => [wire, { type: "var", name }]);
  return {
    method: reads ? "GET" : "POST",
    path: [{ type: "literal", value: `tools/${encodeURIComponent(tool.name)}` }],
    headers: {
      type: "object",
      fields: [
        [TOOL_HEADER, { type: "const", value: toolFingerprint(tool) }],
        ...(isFree(draft) ? json : []),
      ],
    },
    body: { type: "object", fields },
    ...(answer.next === null ? {} : { pagination: pagingOf(answer.next) }),
    response: {
      ...(answer.list === null ? { single: true } : { items_path: ["result", answer.list] }),
      error_when: [{ path: "failed", eq: true }],
      message_path: "answer",
    },
  };
}

/** What is small stands on one line. */
function compact(document: Document): void {
  const FLOW = 110;
  visit(document, {
    Collection: (_, node) => {
      const small = (one: Node): boolean => JSON.stringify(one.toJSON()).length < FLOW;
      if ((isMap(node) || isSeq(node)) && small(node)) node.flow = true;
    },
  });
}

function fileText(head: string, content: Tree, blocks: ReadonlySet<string>): string {
  const document = new Document(content);
  compact(document);
  if (isMap(document.contents)) {
    document.contents.flow = false;
    for (const { key, value } of document.contents.items) {
      const name = String(key);
      if (blocks.has(name) && isMap(value)) value.flow = false;
    }
  }
  return `# ${head}\n${document.toString({ lineWidth: 120, flowCollectionPadding: true })}`;
}

/**
 * Makes a catalog of the tools of an MCP server: tools that say that they only read are queries, all others effects;
 * what they answer by a schema are rows of their own, and any other answer is a text.
 */
export function toolsCatalog(
  all: readonly McpTool[],
  {
    id,
    label,
    only = [],
  }: { readonly id: string; readonly label: string; readonly only?: readonly string[] },
): ToolsCatalog {
  const { drafts, left, asked } = draftTools(all, id, only);
  const values = new Values();
  const entities: Record<string, Tree> = {};
  const free = new Set(drafts.filter(isFree).map(({ entity }) => entity));
  for (const draft of drafts) {
    const { tool, entity, rows, capability, about } = draft;
    const open = draft.isRead && draft.slots.every(({ required }) => !required);
    const isText = draft.answer.properties === null;
    const group = about === null ? "" : `${about}: `;
    entities[rows] = {
      description: isText
        ? `${group}what the tools of ${oneLine(label, 60)} answer in words`
        : `what ${tool.name} answers`,
      ...(entity === rows ? {} : { abstract: true }),
      implicit_request_identity: true,
      ...(open && isText ? { primary_query: capability } : {}),
      ...entities[rows],
      fields: fieldsOf(draft, values, free.has(rows)),
    };
    // Effects stand on it, though none answers in words.
    entities[entity] ??= {
      description: `${group}the tools of ${oneLine(label, 60)}`,
      implicit_request_identity: true,
      fields: wordsField(free.has(entity), values),
    };
  }
  const capabilities = Object.fromEntries(
    drafts.map((draft) => [draft.capability, capabilityEntry(draft, values)]),
  );
  const from = `The tools of ${oneLine(label, 80)} (MCP), as the server lists them.`;
  return {
    domain: fileText(
      from,
      {
        version: 1,
        label: oneLine(label, 80),
        http_backend: `http://${serverHost(id)}`,
        auth: { scheme: "none" },
        values: Object.fromEntries(values.entries),
        entities,
        capabilities,
      },
      new Set(["values", "entities", "capabilities"]),
    ),
    mappings: fileText(
      from,
      Object.fromEntries(drafts.map((draft) => [draft.capability, mappingEntry(draft)])),
      new Set(),
    ),
    left,
    operations: asked,
    reached: drafts.length,
  };
}
