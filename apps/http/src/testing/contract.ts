import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { JsonObject } from "@plasm/core";
import addFormats from "ajv-formats";

/** A document as far as these tests look into it. */
export interface OpenApi extends JsonObject {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonObject>> } & JsonObject;
}

interface Contents {
  readonly content?: Readonly<Record<string, { readonly schema: { readonly $ref?: string } }>>;
}

type OpenApiOperation = JsonObject & {
  readonly requestBody?: Contents & JsonObject;
  readonly responses: Readonly<Record<string, Contents & JsonObject>>;
};

/** Members that an object schema does not name are errors: no answer says what the document does not. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== "object" || value === null) return value;
  const all = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, closed(one)]));
  const open = "properties" in all && !("additionalProperties" in all);
  return open ? { ...all, additionalProperties: false } : all;
}

/** What a request or an answer has to be, by the document. */
export interface Contract {
  readonly document: OpenApi;
  /** Faults of a value by a named schema. */
  faultsOf(schema: string, value: unknown): readonly string[];
  /** Faults of an answer to an operation: its status, its type and what it holds. */
  answerFaults(operation: string, response: Response): Promise<readonly string[]>;
}

const valuesOf = (type: string, text: string): readonly unknown[] =>
  type === "application/x-ndjson"
    ? text
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as unknown)
    : [JSON.parse(text) as unknown];

/** Reads a document as a contract whose every answer is closed. `operation` is `GET /v1/health` and the like. */
export function contractOf(document: OpenApi): Contract {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(closed({ $id: "document", components: document.components }) as object);
  const known = new Map<string, ValidateFunction>();
  const validator = (schema: string): ValidateFunction => {
    const found = known.get(schema);
    if (found !== undefined) return found;
    const made = ajv.compile({ $ref: `document#/components/schemas/${schema}` });
    known.set(schema, made);
    return made;
  };
  const faultsOf = (schema: string, value: unknown): readonly string[] => {
    const validate = validator(schema);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) =>
        `${schema}${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  };
  const answerFaults = async (
    operation: string,
    response: Response,
  ): Promise<readonly string[]> => {
    const [method = "", path = ""] = operation.split(" ");
    const { status } = response;
    const told = document.paths[path]?.[method.toLowerCase()]?.responses[String(status)];
    if (told === undefined) return [`${operation} answers ${status}, which is not documented`];
    const [type = ""] = (response.headers.get("content-type") ?? "").split(";");
    const content = told.content?.[type] ?? told.content?.["*/*"];
    if (content === undefined) return [`${operation} ${status} answers ${type}, not documented`];
    const { $ref } = content.schema;
    if ($ref === undefined) return [];
    const name = $ref.slice($ref.lastIndexOf("/") + 1);
    const values = valuesOf(type, await response.clone().text());
    return values.flatMap((value) => faultsOf(name, value).map((one) => `${operation}: ${one}`));
  };
  return { document, faultsOf, answerFaults };
}
