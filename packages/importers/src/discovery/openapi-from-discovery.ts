import {
  isDocumentObject,
  type DocumentObject,
  listOf,
  memberOf,
  sortedEntries,
  textOf,
} from "../json.ts";
import { OpenApiError } from "../open-api-error.ts";

/** The path of an operation as it is sent, where `paths` says what its variables hold. */
export const SENT_PATH = "x-plasm-path";
/** What the value of a path's variable is made of: `projects/{}/topics/{}`. */
export const EXPANDS = "x-plasm-expands";

/** Whether it is a Google discovery document of one API. */
export const isDiscovery = (root: unknown): boolean =>
  textOf(memberOf(root, "discoveryVersion")) !== undefined ||
  textOf(memberOf(root, "kind")) === "discovery#restDescription";

/** A discovery document in OpenAPI, and what of it that does not say. */
export interface TranslatedDiscovery {
  readonly root: DocumentObject;
  readonly left: readonly string[];
}

const MOST_LEVELS = 50;

const REQUIRED = /^\s*(?:\[?required\]?|\(required\))[.:\s]/i;
const OUTPUT_ONLY = /^\s*(?:\[?output[ -]?only\]?|\(output only\))[.:\s]/i;

/** Formats of texts in the words of OpenAPI; what OpenAPI has no word for is left out. */
const FORMATS: ReadonlyMap<string, string> = new Map([
  ["google-datetime", "date-time"],
  ["date-time", "date-time"],
  ["date", "date"],
  ["byte", "byte"],
  ["uuid", "uuid"],
]);

/** A schema, of a parameter too, in OpenAPI. */
function schemaOf(given: unknown, depth = 0): DocumentObject {
  if (!isDocumentObject(given) || depth > MOST_LEVELS) return {};
  const ref = textOf(memberOf(given, "$ref"));
  const description = textOf(memberOf(given, "description"));
  const isRead =
    memberOf(given, "readOnly") === true ||
    (description !== undefined && OUTPUT_ONLY.test(description));
  const more = {
    ...(description === undefined
      ? {}
      : { description: description.replace(REQUIRED, "").replace(OUTPUT_ONLY, "").trim() }),
    ...(isRead ? { readOnly: true } : {}),
  };
  if (ref !== undefined) {
    const target = { $ref: `#/components/schemas/${pointer(ref)}` };
    return Object.keys(more).length === 0 ? target : { allOf: [target], ...more };
  }
  const type = textOf(memberOf(given, "type"));
  const format = FORMATS.get(textOf(memberOf(given, "format")) ?? "");
  const options = listOf(memberOf(given, "enum"));
  const one: Record<string, unknown> = {
    ...more,
    ...(type === undefined || type === "any" ? {} : { type }),
    ...(format === undefined || type !== "string" ? {} : { format }),
    ...(options.length === 0 ? {} : { enum: options }),
  };
  if (type === "array") one["items"] = schemaOf(memberOf(given, "items"), depth + 1);
  const properties = sortedEntries(memberOf(given, "properties"));
  if (properties.length > 0)
    one["properties"] = Object.fromEntries(
      properties.map(([name, inner]) => [name, schemaOf(inner, depth + 1)]),
    );
  const rest = memberOf(given, "additionalProperties");
  if (isDocumentObject(rest)) one["additionalProperties"] = schemaOf(rest, depth + 1);
  return memberOf(given, "repeated") === true
    ? { type: "array", items: one, ...(description === undefined ? {} : { description }) }
    : one;
}

const pointer = (name: string): string => name.replaceAll("~", "~0").replaceAll("/", "~1");

/** What `^projects/[^/]+/topics/[^/]+$` says that a value is made of; null where it says something else. */
function expansionOf(pattern: string | undefined): string | null {
  const inner = pattern?.replace(/^\^/, "").replace(/\$$/, "") ?? "";
  const flat = inner.replaceAll("[^/]+", "{}").replaceAll(".*", "{}").replaceAll(".+", "{}");
  return flat !== "" && /^[\w.{}/-]+$/.test(flat) && flat.includes("{}") ? flat : null;
}

interface Method {
  readonly name: string;
  /** names of the resources that it is in, the outermost first */
  readonly within: readonly string[];
  readonly method: DocumentObject;
}

/** All methods of a document, those of resources within resources included. */
function methodsOf(place: unknown, within: readonly string[] = []): readonly Method[] {
  if (within.length > MOST_LEVELS) return [];
  const own = sortedEntries(memberOf(place, "methods")).flatMap(([name, method]) =>
    isDocumentObject(method) ? [{ name, within, method }] : [],
  );
  const inner = sortedEntries(memberOf(place, "resources")).flatMap(([name, resource]) =>
    methodsOf(resource, [...within, name]),
  );
  return [...own, ...inner];
}

/** A path in two forms: as `paths` has it, where no two methods have the same, and as it is sent. */
function pathsOf(method: DocumentObject) {
  const sent = `/${(textOf(memberOf(method, "path")) ?? "").replace(/^\//, "")}`;
  const parameters = memberOf(method, "parameters");
  const expansions = new Map<string, string>();
  for (const [, name = ""] of sent.matchAll(/\{\+([^{}]+)\}/g)) {
    const found = expansionOf(textOf(memberOf(memberOf(parameters, name), "pattern")));
    if (found !== null) expansions.set(name, found);
  }
  const flat = textOf(memberOf(method, "flatPath"));
  const said = sent.replaceAll(/\{\+([^{}]+)\}/g, (_, name: string) => {
    let at = 0;
    return (
      expansions.get(name)?.replaceAll("{}", () => `{${name}${(at += 1) === 1 ? "" : at}}`) ??
      `{${name}}`
    );
  });
  return { sent, said: flat === undefined ? said : `/${flat.replace(/^\//, "")}`, expansions };
}

/** What a request takes: its schema, with what this method needs of it. */
function bodyOf(document: DocumentObject, method: DocumentObject): DocumentObject | null {
  const request = memberOf(method, "request");
  const name = textOf(memberOf(request, "$ref"));
  if (name === undefined) return null;
  const id = textOf(memberOf(method, "id"));
  const properties = sortedEntries(
    memberOf(memberOf(memberOf(document, "schemas"), name), "properties"),
  );
  const creates = memberOf(method, "httpMethod") === "POST";
  const required = properties.flatMap(([key, one]) => {
    const marked = listOf(memberOf(memberOf(one, "annotations"), "required")).includes(id);
    const said = creates && REQUIRED.test(textOf(memberOf(one, "description")) ?? "");
    return marked || said ? [key] : [];
  });
  const schema = { $ref: `#/components/schemas/${pointer(name)}` };
  return {
    required: true,
    content: {
      "application/json": {
        schema: required.length === 0 ? schema : { type: "object", allOf: [schema], required },
      },
    },
  };
}

/** One method as an operation. */
function operationOf(
  document: DocumentObject,
  { name, within, method }: Method,
  { sent, expansions }: ReturnType<typeof pathsOf>,
): DocumentObject {
  const response = textOf(memberOf(memberOf(method, "response"), "$ref"));
  const body = bodyOf(document, method);
  const parameters = sortedEntries(memberOf(method, "parameters")).map(([parameter, given]) => {
    const isPath = memberOf(given, "location") === "path";
    const expands = expansions.get(parameter);
    return {
      name: parameter,
      in: isPath ? "path" : "query",
      required: isPath || memberOf(given, "required") === true,
      schema: schemaOf(given),
      ...(memberOf(given, "deprecated") === true ? { deprecated: true } : {}),
      ...(expands === undefined ? {} : { [EXPANDS]: expands }),
    };
  });
  const resource = within.at(-1) ?? "";
  const schema =
    response === undefined ? null : { $ref: `#/components/schemas/${pointer(response)}` };
  const scopes = listOf(memberOf(method, "scopes"));
  return {
    operationId: `${resource}.${name}`,
    ...(textOf(memberOf(method, "description")) === undefined
      ? {}
      : { summary: textOf(memberOf(method, "description")) }),
    tags: [...new Set([resource, within.join(".")])].filter((tag) => tag !== ""),
    ...(memberOf(method, "deprecated") === true ? { deprecated: true } : {}),
    parameters: parameters.filter((one) => !("deprecated" in one) || one.required),
    ...(body === null ? {} : { requestBody: body }),
    ...(scopes.length === 0 ? {} : { security: [{ oauth2: scopes }] }),
    [SENT_PATH]: sent,
    responses: {
      "200": {
        description: "",
        ...(schema === null ? {} : { content: { "application/json": { schema } } }),
      },
    },
  };
}

function securityOf(document: DocumentObject) {
  const scopes = sortedEntries(memberOf(memberOf(memberOf(document, "auth"), "oauth2"), "scopes"));
  const key = memberOf(memberOf(document, "parameters"), "key");
  if (scopes.length > 0) {
    const flow = {
      authorizationUrl: "https://accounts.google.com/o/oauth2/v2/auth",
      tokenUrl: "https://oauth2.googleapis.com/token",
      scopes: Object.fromEntries(
        scopes.map(([name, one]) => [name, textOf(memberOf(one, "description")) ?? ""]),
      ),
    };
    return {
      schemes: { oauth2: { type: "oauth2", flows: { authorizationCode: flow } } },
      security: [{ oauth2: [] }],
    };
  }
  return isDocumentObject(key)
    ? { schemes: { key: { type: "apiKey", in: "query", name: "key" } }, security: [{ key: [] }] }
    : { schemes: {}, security: [] };
}

function serverOf(document: DocumentObject): string | null {
  const root = textOf(memberOf(document, "rootUrl"));
  const path = textOf(memberOf(document, "servicePath"));
  const whole = root === undefined ? textOf(memberOf(document, "baseUrl")) : `${root}${path ?? ""}`;
  return whole === undefined || whole === "" ? null : whole.replace(/(?<!\/)\/+$/, "");
}

/** A Google discovery document in OpenAPI 3.0. Throws OpenApiError for one that has no methods. */
export function openApiFromDiscovery(document: DocumentObject): TranslatedDiscovery {
  const paths: Record<string, Record<string, unknown>> = {};
  const left: string[] = [];
  const methods = methodsOf(document);
  if (methods.length === 0)
    throw new OpenApiError(
      "This Google discovery document has no methods. Give the document of one API, such as https://pubsub.googleapis.com/$discovery/rest?version=v1, not the directory of all.",
    );
  for (const one of methods) {
    const { method, name, within } = one;
    const where = pathsOf(method);
    const verb = (textOf(memberOf(method, "httpMethod")) ?? "GET").toLowerCase();
    const called = `${verb.toUpperCase()} ${where.said}`;
    const uploads = memberOf(method, "supportsMediaUpload") === true;
    if (uploads && memberOf(method, "request") === undefined) {
      left.push(`${called}: it takes a file by media upload, which a catalog has no form for`);
      continue;
    }
    if (uploads) left.push(`${called}: the file of a media upload; what describes it is sent`);
    if (memberOf(method, "supportsMediaDownload") === true)
      left.push(`${called}: the content itself (alt=media); what describes it is answered`);
    const item = (paths[where.said] ??= {});
    if (Object.hasOwn(item, verb)) {
      left.push(`${called}: ${[...within, name].join(".")} has the path of another method`);
      continue;
    }
    item[verb] = operationOf(document, one, where);
  }
  const server = serverOf(document);
  const { schemes, security } = securityOf(document);
  const root: DocumentObject = {
    openapi: "3.0.3",
    info: {
      title: textOf(memberOf(document, "title")) ?? textOf(memberOf(document, "name")) ?? "",
      version: textOf(memberOf(document, "version")) ?? "",
      description: textOf(memberOf(document, "description")) ?? "",
    },
    ...(server === null ? {} : { servers: [{ url: server }] }),
    paths,
    components: {
      schemas: Object.fromEntries(
        sortedEntries(memberOf(document, "schemas")).map(([name, one]) => [name, schemaOf(one)]),
      ),
      securitySchemes: schemes,
    },
    security,
  };
  return { root, left };
}
