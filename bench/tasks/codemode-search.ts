import { type Document, operationOf } from "../src/peers/document.ts";

const quoted = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);

const anyOf = (texts: readonly string[]): string => `/^(${texts.map(quoted).join("|")})$/`;

const referred = (part: unknown): readonly string[] => [
  ...new Set([...JSON.stringify(part).matchAll(/schemas\/(\w+)/g)].map(([, name = ""]) => name)),
];

/** Types of rows that operations answer with; a search prints what is inside them along with them. */
const typesOf = (document: Document, operations: readonly string[]): readonly string[] =>
  referred(operations.map((name) => operationOf(document, name)));

/** The same with the types inside them: the entities that a session is opened for, as they have the same names. */
export function entitiesOf(document: Document, operations: readonly string[]): readonly string[] {
  const types = typesOf(document, operations);
  const { schemas } = document.components as { readonly schemas: Readonly<Record<string, object>> };
  return [...new Set([...types, ...types.flatMap((type) => referred(schemas[type]))])].toSorted();
}

/**
 * A program for codemode's `search` that answers all that programs need, and as text, which takes least: a line for
 * each operation with its parameters and body, and one for each type of row. It asks for all of the document, or for
 * exactly the operations that a task will need.
 */
export function searchFor(document: Document, operations: readonly string[] | "all"): string {
  const wanted =
    operations === "all"
      ? { operation: "", schema: "" }
      : {
          operation: `.filter(([, op]) => ${anyOf(operations.map((name) => operationOf(document, name).summary))}.test(op.summary))`,
          schema: `.filter(([name]) => ${anyOf(typesOf(document, operations))}.test(name))`,
        };
  return `async () => {
  const { paths, components } = await codemode.spec();
  const props = (s) => Object.entries(s.properties).map(([n, p]) => n + (s.required?.includes(n) ? "! " : " ") + show(p)).join(", ");
  const show = (s) => [s.properties ? "{" + props(s) + "}" : s.items ? show(s.items) + "[]" : s.enum?.join("|") ?? s.format ?? s.type, s.description].filter(Boolean).join(" ");
  const json = (c) => c?.content?.["application/json"].schema;
  return [
    ...Object.entries(paths).flatMap(([path, item]) => Object.entries(item)${wanted.operation}.map(([method, op]) => {
      const query = op.parameters?.filter((p) => p.in === "query").map((p) => [p.name, show(p.schema), p.description].filter(Boolean).join(" "));
      const { items, next } = json(op.responses[200])?.properties ?? {};
      return [method, path, op.description, ...(query ?? []), json(op.requestBody) && show(json(op.requestBody)), items && (next ? "=> {items, next}" : "=> {items}")].filter(Boolean).join(" ; ");
    })),
    ...Object.entries(components.schemas)${wanted.schema}.map(([name, s]) => name + " " + show(s)),
  ].join("\\n");
}`;
}
