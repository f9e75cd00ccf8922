import { nameList } from "../../diagnostics/nearest-name.ts";
import { nearestText } from "../nearest-text.ts";
import type { Form } from "../shape/form.ts";
import { object, optional, required } from "../shape/object.ts";
import { text } from "../shape/scalars.ts";
import type { Place, Read, ReadContext, Shape } from "../shape/shape.ts";
import { tagged } from "../shape/tagged.ts";
import { describeNode } from "../yaml/describe-node.ts";
import type { MapEntry, YamlNode } from "../yaml/node.ts";
import { evmCallKeys, evmLogsKeys } from "./evm-shape.ts";
import { pagingKeys } from "./pagination-shape.ts";
import { bodyKeys, requestKeys } from "./request-shape.ts";
import { response } from "./response-shape.ts";

const httpKeys = { ...requestKeys, ...bodyKeys, response: optional(response), ...pagingKeys };

function unknownTransport(
  node: YamlNode,
  place: Place,
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
