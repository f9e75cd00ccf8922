import {
  buildASTSchema,
  buildClientSchema,
  type DefinitionNode,
  GraphQLError,
  type GraphQLSchema,
  type IntrospectionQuery,
  Kind,
  parse,
  validateSchema,
} from "graphql";
import { isDocumentObject, memberOf, textOf } from "../json.ts";
import { OpenApiError } from "../open-api-error.ts";

/** A schema, and what of it is not as GraphQL has it. */
export interface ReadSchema {
  readonly schema: GraphQLSchema;
  readonly faults: readonly string[];
}

const MOST_CHARACTERS = 50_000_000;
const MOST_TOKENS = 2_000_000;
const MOST_FAULTS = 10;

/** What a part of a federated schema extends and does not define is its own here. */
function whole(definitions: readonly DefinitionNode[]): readonly DefinitionNode[] {
  const known = new Set(
    definitions.flatMap((one) =>
      "name" in one && one.name !== undefined && one.kind.endsWith("Definition")
        ? [one.name.value]
        : [],
    ),
  );
  return definitions.map((one) => {
    if (one.kind !== Kind.OBJECT_TYPE_EXTENSION || known.has(one.name.value)) return one;
    known.add(one.name.value);
    return { ...one, kind: Kind.OBJECT_TYPE_DEFINITION };
  });
}

function introspected(text: string): GraphQLSchema {
  let answer: unknown;
  try {
    answer = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new OpenApiError(
      `The introspection result is not JSON: ${why}. Fetch or copy the whole of it.`,
      { cause: error },
    );
  }
  const data = isDocumentObject(memberOf(answer, "data")) ? memberOf(answer, "data") : answer;
  const message = textOf(
    memberOf((memberOf(answer, "errors") as unknown[] | undefined)?.[0], "message"),
  );
  if (!isDocumentObject(memberOf(data, "__schema")))
    throw new OpenApiError(
      `The introspection result has no __schema${message === undefined ? "" : `: ${message}`}. Give one of the standard introspection query, or the schema in its own language (SDL).`,
    );
  return buildClientSchema(data as unknown as IntrospectionQuery, { assumeValid: true });
}

function written(text: string): GraphQLSchema {
  const document = parse(text, { maxTokens: MOST_TOKENS });
  return buildASTSchema(
    { ...document, definitions: whole(document.definitions) },
    { assumeValid: true, assumeValidSDL: true },
  );
}

/** Why a schema cannot be read, with its place where that is known. */
function unreadable(error: unknown): OpenApiError {
  if (error instanceof OpenApiError) return error;
  const [at] = error instanceof GraphQLError ? (error.locations ?? []) : [];
  const place = at === undefined ? "" : `${at.line}:${at.column}: `;
  const why =
    error instanceof RangeError
      ? "it is nested without end"
      : error instanceof Error
        ? error.message
        : String(error);
  return new OpenApiError(
    `This GraphQL schema cannot be read: ${place}${why.slice(0, 500)}. Give the whole schema (SDL), or the result of the standard introspection query.`,
    { cause: error },
  );
}

/** Reads a schema in its own language, or an introspection result. Throws OpenApiError for what is neither. */
export function readSchema(text: string): ReadSchema {
  if (text.length > MOST_CHARACTERS)
    throw new OpenApiError(
      `The schema has ${text.length} characters; at most ${MOST_CHARACTERS} are read.`,
    );
  try {
    const schema = /^\uFEFF?\s*\{/.test(text) ? introspected(text) : written(text);
    // Types are made when they are first asked for: what they lack shows here.
    for (const type of Object.values(schema.getTypeMap()))
      if ("getFields" in type) type.getFields();
    // The library believes its own `assumeValid`; a schema that says otherwise is looked at.
    const fresh = Object.assign(Object.create(Object.getPrototypeOf(schema) as object), schema, {
      __validationErrors: undefined,
    }) as GraphQLSchema;
    const faults = validateSchema(fresh).map(({ message }) => message);
    const more = faults.length - MOST_FAULTS;
    return {
      schema,
      faults: [...faults.slice(0, MOST_FAULTS), ...(more > 0 ? [`and ${more} more faults`] : [])],
    };
  } catch (error) {
    throw unreadable(error);
  }
}
