import { nameList } from "../../diagnostics/nearest-name.ts";
import { nearestText } from "../reporter.ts";
import {
  type Form,
  type NodePlace,
  type Read,
  type ReadContext,
  type Shape,
  wrongType,
} from "../shape/shape.ts";
import { object, optional, required, withDefault } from "../shape/object.ts";
import { integer, text, word } from "../shape/scalars.ts";
import { tagged } from "../shape/tagged.ts";
import { describeNode } from "../yaml/convert.ts";
import type { MapEntry, YamlNode } from "../yaml/node.ts";
import { bodyKeys, numberedMember, pagination, pagingKeys, requestKeys } from "./request-shape.ts";
import { response } from "./response-shape.ts";
import { list, mapOf } from "../shape/lists.ts";
import { expression, type ExpressionDoc } from "./expression-shape.ts";

const chain: Shape<string | number> = {
  expected: "a chain's number or name",
  form: { kind: "either", forms: [{ kind: "number" }, text.form] },
  read: (node, place, context) => {
    if (node.kind === "text") return node.value;
    if (node.kind === "number" && typeof node.value === "number") return node.value;
    return wrongType(node, place, context, chain.expected);
  },
  canonical: (value) => value,
};

/** A topic: an expression, or null for any. */
const topic: Shape<ExpressionDoc> = {
  expected: "an expression or null",
  form: { kind: "either", forms: [{ kind: "null" }, expression.form] },
  read: (node, place, context) =>
    node.kind === "null" ? { type: "const", value: node } : expression.read(node, place, context),
  canonical: (value) => expression.canonical(value),
};

const indexed = { index: required(integer(0)) };

const callDecode = tagged("type", { input: indexed, output: indexed });

const logDecode = tagged("type", {
  topic: indexed,
  data: indexed,
  log_meta: {
    key: required(
      word(["address", "block_number", "event_id", "transaction_hash", "log_index", "removed"]),
    ),
  },
});

const evmCallKeys = {
  chain: required(chain),
  contract: required(expression),
  function: required(text),
  args: withDefault(list(expression), []),
  block: optional(expression),
  decode: required(mapOf(callDecode)),
};

const evmLogsKeys = {
  chain: required(chain),
  contract: required(expression),
  event: required(text),
  topics: withDefault(list(topic), []),
  pagination: optional(pagination),
  decode: required(mapOf(logDecode)),
};

const httpKeys = {
  ...requestKeys,
  query_brackets: optional(list(text)),
  query_numbered: optional(mapOf(numberedMember)),
  ...bodyKeys,
  response: optional(response),
  ...pagingKeys,
};

function unknownTransport(
  node: YamlNode,
  place: NodePlace,
  context: ReadContext,
  words: readonly string[],
): boolean {
  const name = node.kind === "text" ? node.value : "";
  context.report({ at: node.at, path: place.path }, "MAP002", "transport", {
    found: describeNode(node),
    nearest: nearestText(name, words),
    allowed: nameList(words, name),
  });
  return true;
}

const request = tagged(
  "transport",
  { http: httpKeys, graphql: httpKeys, evm_call: evmCallKeys, evm_logs: evmLogsKeys, view: {} },
  { fallback: "http", unknownWord: unknownTransport },
);

const view = object(
  { view: required(text) },
  {
    also: ["transport"],
    unknown: (entry: MapEntry, place, context) => {
      const at = { at: entry.keyAt, path: [...place.path, entry.key] };
      context.report(at, "MAP050", "key", { found: entry.key });
      return true;
    },
  },
);

type RequestDoc = Exclude<Read<typeof request>, { readonly transport: "view" }>;

export type HttpDoc = Extract<RequestDoc, { readonly transport: "http" | "graphql" }>;
export type EvmCallDoc = Extract<RequestDoc, { readonly transport: "evm_call" }>;
export type EvmLogsDoc = Extract<RequestDoc, { readonly transport: "evm_logs" }>;

/** One entry of mappings.yaml in its long form. */
export type TemplateDoc = RequestDoc | { readonly transport: "view"; readonly view: string };

/** A tagged form with another one for a variant. */
const withVariant = (form: Form, word: string, variant: Form): Form =>
  form.kind === "tagged"
    ? { ...form, variants: new Map([...form.variants, [word, variant]]) }
    : form;

/** A request template; `transport` chooses its keys (MAP-002). */
export const template: Shape<TemplateDoc> = {
  expected: "a request template: a map",
  form: withVariant(request.form, "view", view.form),
  read: (node, place, context) => {
    if (node.kind !== "map") {
      const found = describeNode(node);
      context.report({ at: node.at, path: place.path }, "MAP002", "map", { found });
      return undefined;
    }
    const transport = node.entries.get("transport")?.value;
    if (transport?.kind === "text" && transport.value === "view") {
      const read = view.read(node, place, context);
      return read && { transport: "view", view: read.view };
    }
    const read = request.read(node, place, context);
    return read === undefined || read.transport === "view" ? undefined : read;
  },
  canonical: (value) => {
    if (value.transport === "view") return { transport: "view", view: value.view };
    const canonical = request.canonical(value);
    if (value.transport !== "http") return canonical;
    const { transport: _default, ...rest } = canonical as { readonly [key: string]: never };
    return rest;
  },
};
