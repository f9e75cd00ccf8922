import { list } from "../shape/list.ts";
import { mapOf } from "../shape/map-of.ts";
import { optional, required, withDefault } from "../shape/object.ts";
import { integer, text } from "../shape/scalars.ts";
import type { Shape } from "../shape/shape.ts";
import { tagged } from "../shape/tagged.ts";
import { word } from "../shape/word.ts";
import { wrongType } from "../shape/wrong-type.ts";
import { expression, type ExpressionDoc } from "./expression-shape.ts";
import { pagination } from "./pagination-shape.ts";

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

export const evmCallKeys = {
  chain: required(chain),
  contract: required(expression),
  function: required(text),
  args: withDefault(list(expression), []),
  block: optional(expression),
  decode: required(mapOf(callDecode)),
};

export const evmLogsKeys = {
  chain: required(chain),
  contract: required(expression),
  event: required(text),
  topics: withDefault(list(topic), []),
  pagination: optional(pagination),
  decode: required(mapOf(logDecode)),
};
