import { type Document, operationOf } from "./document.ts";

/** How a model finds out what to call. */
export type CodemodeStyle = "lean" | "documented";

/** A program for codemode's `search`. */
export type Search = string;

const quoted = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);

/**
 * One search that hits exactly the operations wanted, and asks of each no more than names: of parameters in
 * the query, of members of the body and of the answer. What is inside those is the model's luck.
 */
function lean(document: Document, operations: readonly string[]): readonly Search[] {
  const summaries = operations.map((name) => quoted(operationOf(document, name).summary));
  return [
    `async () => {
  const { paths } = await codemode.spec();
  const props = (c) => Object.keys(((s) => (s?.items ?? s)?.properties ?? {})(c?.["application/json"]?.schema));
  return Object.entries(paths).flatMap(([path, item]) => Object.entries(item)
    .filter(([, op]) => /^(${summaries.join("|")})$/.test(op.summary))
    .map(([method, op]) => ({
      method, path,
      query: op.parameters?.filter((p) => p.in === "query").map((p) => p.name),
      body: props(op.requestBody?.content),
      fields: props(Object.values(op.responses)[0].content),
    })));
}`,
  ];
}

/** The example of `search`'s own description, with a tag filled in. */
const byTag = (tag: string): Search => `async () => {
  const spec = await codemode.spec();
  const results = [];
  for (const [path, methods] of Object.entries(spec.paths)) {
    for (const [method, op] of Object.entries(methods)) {
      if (op.tags?.some(t => t.toLowerCase() === '${tag}')) {
        results.push({ method: method.toUpperCase(), path, summary: op.summary });
      }
    }
  }
  return results;
}`;

/** A look at what was found: its parameters and body as they stand, and the names in its answer. */
function details(operations: readonly string[]): Search {
  const lookups = operations.map((name) => {
    const [method = "", path = ""] = name.split(" ");
    return `spec.paths["${path}"].${method.toLowerCase()}`;
  });
  return `async () => {
  const spec = await codemode.spec();
  return [${lookups.join(", ")}].map((op) => {
    const schema = Object.values(op.responses)[0].content?.["application/json"]?.schema;
    return { parameters: op.parameters, requestBody: op.requestBody, fields: Object.keys((schema?.items ?? schema)?.properties ?? {}) };
  });
}`;
}

function documented(document: Document, operations: readonly string[]): readonly Search[] {
  const tags = new Set(operations.flatMap((name) => operationOf(document, name).tags.slice(0, 1)));
  return [...[...tags].map(byTag), details(operations)];
}

/** What a model asks before it can call these operations. */
export const searchesFor = (
  style: CodemodeStyle,
  document: Document,
  operations: readonly string[],
): readonly Search[] =>
  style === "lean" ? lean(document, operations) : documented(document, operations);
