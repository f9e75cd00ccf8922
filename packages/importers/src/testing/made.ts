import { formatCatalogDiagnostic, openCatalog } from "@plasm/core";
import { parse } from "yaml";
import { catalogFromOpenApi, type FromOpenApiOptions } from "../catalog-from-open-api.ts";

type Entry = Readonly<Record<string, unknown>>;

/** The two files of a catalog as data, what was left out, and what opening it has to say. */
export interface Made {
  readonly domain: {
    readonly [key: string]: unknown;
    readonly values: Readonly<Record<string, Entry>>;
    readonly entities: Readonly<
      Record<string, Entry & { readonly fields: Readonly<Record<string, Entry>> }>
    >;
    readonly capabilities: Readonly<Record<string, Entry>>;
  };
  readonly mappings: Readonly<Record<string, Entry>>;
  readonly text: string;
  readonly left: readonly string[];
  readonly diagnostics: readonly string[];
}

const SERVED = {
  openapi: "3.1.0",
  info: { title: "Harbour", version: "1" },
  servers: [{ url: "https://api.example.com" }],
};

/** The document of some paths: those of a harbour, unless told otherwise. */
export const documentOf = (paths: unknown, more: object = {}): object => ({
  ...SERVED,
  paths,
  ...more,
});

/** What a document gives, opened as publishing does. */
export async function madeOf(
  document: unknown,
  options: Partial<FromOpenApiOptions> = {},
): Promise<Made> {
  const texts = await catalogFromOpenApi(document, {
    entryId: "harbour",
    validate: false,
    ...options,
  });
  const { diagnostics } = openCatalog(
    {
      entryId: "harbour",
      domain: { file: "domain.yaml", text: texts.domain },
      mappings: { file: "mappings.yaml", text: texts.mappings },
    },
    { strict: true },
  );
  return {
    domain: parse(texts.domain) as Made["domain"],
    mappings: parse(texts.mappings) as Made["mappings"],
    text: `${texts.domain}${texts.mappings}`,
    left: texts.left,
    diagnostics: diagnostics.map((one) => formatCatalogDiagnostic(one)),
  };
}

export const made = (paths: unknown, more: object = {}): Promise<Made> =>
  madeOf(documentOf(paths, more));

const json = (schema: unknown) => ({ content: { "application/json": { schema } } });

/** An operation that answers this. */
export const answering = (schema: unknown, more: object = {}): object => ({
  responses: { "200": { description: "", ...json(schema) } },
  ...more,
});

/** An operation that takes this, and answers nothing. */
export const taking = (schema: unknown, more: object = {}): object => ({
  requestBody: { required: true, ...json(schema) },
  responses: { "204": { description: "" } },
  ...more,
});

export const object = (properties: object, required: readonly string[] = []): object => ({
  type: "object",
  properties,
  required,
});
export const text = { type: "string" };
export const integer = { type: "integer" };
export const list = (items: unknown): object => ({ type: "array", items });
export const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
export const query = (name: string, schema: object = text, more: object = {}): object => ({
  name,
  in: "query",
  schema,
  ...more,
});
