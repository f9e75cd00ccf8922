/**
 * What an import makes of one document, judged from the document itself: the operations, lists and effects that
 * it describes, found by rules of this file alone, and what became of each in the catalog.
 */
import { formatCatalogDiagnostic, openCatalog } from "@plasm/core";
import { catalogFromOpenApi, OpenApiError, parseOpenApi } from "@plasm/importers";
import { parse } from "yaml";

const METHODS = ["get", "post", "put", "patch", "delete"];
const PAGE_PARAMETER =
  /^(?:page|page[_.-]?(?:number|no|index|token|key)|.*cursor|.*page_?token|offset|skip|starting_?after|after|next_?token|marker|continuation(?:_?token)?|start_?index|start_?at)$/i;
const PAGE_MEMBER =
  /^(?:has_?(?:more|next(?:_?page)?)|next(?:_?(?:page(?:_?token)?|cursor|token|link|url|uri))?|.*next_?(?:cursor|token)|(?:end_?)?cursor|continuation_?token|@odata\.nextlink)$/i;

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** Follows references within a document, a bounded number of steps. */
const resolverOf = (root) => (value) => {
  let place = value;
  for (let step = 0; step < 20 && isObject(place) && typeof place.$ref === "string"; step += 1) {
    if (!place.$ref.startsWith("#/")) return undefined;
    place = place.$ref
      .slice(2)
      .split("/")
      .map((token) => decodeToken(token))
      .reduce((at, token) => (isObject(at) || Array.isArray(at) ? at[token] : undefined), root);
  }
  return place;
};

const decodeToken = (token) => {
  try {
    return decodeURIComponent(token).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch {
    return token;
  }
};

/** Properties of a schema, those of its allOf included. */
const propertiesOf = (schema, resolve, depth = 0) => {
  const own = resolve(schema);
  if (!isObject(own) || depth > 6) return {};
  const parts = Array.isArray(own.allOf) ? own.allOf : [];
  return Object.assign(
    {},
    ...parts.map((part) => propertiesOf(part, resolve, depth + 1)),
    isObject(own.properties) ? own.properties : {},
  );
};

/** Lists that stand beside what is answered, and are no rows of it. */
const BESIDE = /^(?:messages|errors|warnings|links|_links|notices|validations?)$/i;

const isRecords = (schema, resolve) => {
  const own = resolve(schema);
  return (
    isObject(own) &&
    own.type === "array" &&
    Object.keys(propertiesOf(own.items, resolve)).length > 0
  );
};

/** What the first 2xx of an operation answers as JSON or XML: its schema, and whether there is a body of any type. */
const answerOf = (operation, resolve) => {
  for (const [status, value] of Object.entries(operation.responses ?? {})) {
    if (!status.startsWith("2")) continue;
    const response = resolve(value);
    const json = Object.entries(response?.content ?? {}).find(([type]) => /json|xml/i.test(type));
    if (json !== undefined) return resolve(json[1]?.schema) ?? {};
  }
  return undefined;
};

/** The names of the schemas that an operation answers. */
const schemaNames = (operation) =>
  (JSON.stringify(operation.responses ?? {}).match(/"\$ref":"[^"]*\/([^"/]+)"/g) ?? []).join(" ");

const describe = (method, operation, shared, resolve) => {
  const answer = answerOf(operation, resolve);
  const properties = answer === undefined ? {} : propertiesOf(answer, resolve);
  const lists = Object.entries(properties).filter(
    ([name, one]) => !BESIDE.test(name) && isRecords(one, resolve),
  );
  const isRow = "id" in properties;
  const parameters = [...shared, ...(operation.parameters ?? [])].map(resolve).filter(isObject);
  const signs = Object.keys(properties).some((name) => PAGE_MEMBER.test(name));
  const paged =
    signs || parameters.some((one) => one.in === "query" && PAGE_PARAMETER.test(one.name ?? ""));
  const isList =
    method === "get" &&
    answer !== undefined &&
    (isRecords(answer, resolve) || (lists.length === 1 && !isRow && paged));
  const bodies = Object.entries(operation.responses ?? {}).filter(
    ([status, value]) => status.startsWith("2") && resolve(value)?.content !== undefined,
  );
  const inner = Object.keys(properties).length === 1 && isObject(resolve(properties.data));
  const said = inner ? propertiesOf(properties.data, resolve) : properties;
  return {
    names: Object.keys(said),
    isSeveral: bodies.length > 1,
    isRows: answer !== undefined && isRecords(answer, resolve),
    lists: lists.length,
    schema: schemaNames(operation),
    isEffect: method !== "get",
    answers:
      answer !== undefined && (Object.keys(properties).length > 0 || isRecords(answer, resolve)),
    isList,
    paged: isList && paged,
    signs,
  };
};

/** The one value that a parameter may have, as it is sent; undefined where it may have others. */
const onlyValueOf = ({ required, schema, allowEmptyValue }, resolve) => {
  const options = resolve(schema)?.enum;
  if (required !== true || !Array.isArray(options) || options.length !== 1) return undefined;
  return options[0] === true && allowEmptyValue === true ? "" : options[0];
};

/**
 * A path as a key has it, each variable as `{}`, with what its query always has. What stands behind `#` is never sent: the
 * parameters of one value say it.
 */
const keyOf = (method, written, parameters, resolve) => {
  const path = written.replaceAll(FORMAT, ".json").replaceAll(/\{[^{}]*\}/g, "{}");
  const [, bare, asked = "", mark = ""] = /^([^?#]*)(?:\?([^?#]*))?(?:#([\w.~:,!&=+-]*))?$/.exec(
    path,
  ) ?? ["", path];
  const always = parameters.flatMap((one) => {
    const value = mark === "" ? undefined : onlyValueOf(one, resolve);
    return value === undefined ? [] : [`${one.name}=${value}`];
  });
  const fixed = asked.split("&").filter((one) => one !== "" && !one.endsWith("{}"));
  const said = [...fixed, ...always].toSorted((a, b) => (a < b ? -1 : 1));
  return `${method.toUpperCase()} ${[bare, ...said].join("?")}`;
};

/** What a document says of a call but its method: two of one path that say the same are one. */
const wordsOf = (operation, parameters, resolve) => {
  const body = Object.values(resolve(operation.requestBody)?.content ?? {})[0];
  const members = Object.keys(propertiesOf(body?.schema, resolve));
  const names = [...parameters.map(({ name }) => name), ...members].toSorted((a, b) =>
    a < b ? -1 : 1,
  );
  const name = String(operation.operationId ?? "").replace(/(?:_?using)?_?(?:get|post)$/i, "");
  const text = [operation.summary ?? "", operation.description ?? ""].join(" ").trim();
  return JSON.stringify([names, text, text === "" ? name : ""]);
};

/** Operations of which a document has each by GET and by POST, in one place and under one name or in the same words: they count once. */
const withoutTwins = (all) => {
  const bare = (key) => key.replace(/^\w+ /, "");
  const asked = new Map(
    all.flatMap(({ key, words }) => (key.startsWith("GET ") ? [[bare(key), words]] : [])),
  );
  const described = all.filter(
    ({ key, words, isMade }) =>
      isMade || !(key.startsWith("POST ") && asked.get(bare(key)) === words),
  );
  const named = described.filter(({ key }) => key.includes("?") && /^(?:GET|POST) /.test(key));
  const counts = Map.groupBy(named, ({ key }) => bare(key));
  const twins = new Set([...counts].flatMap(([key, all]) => (all.length > 1 ? [key] : [])));
  return described.filter(({ key }) => !(twins.has(bare(key)) && key.startsWith("POST ")));
};

const operationsOf = (root) => {
  const resolve = resolverOf(root);
  return Object.entries(isObject(root.paths) ? root.paths : {}).flatMap(([path, value]) => {
    const item = resolve(value);
    if (!isObject(item)) return [];
    const shared = Array.isArray(item.parameters) ? item.parameters : [];
    return METHODS.filter((method) => isObject(item[method])).map((method) => ({
      words: wordsOf(
        item[method],
        [...shared, ...(item[method].parameters ?? [])].map(resolve).filter(isObject),
        resolve,
      ),
      isMade: isObject(root.paths[`${path}/{id}`]),
      key: keyOf(
        method,
        path,
        [...shared, ...(item[method].parameters ?? [])].map(resolve).filter(isObject),
        resolve,
      ),
      ...describe(method, item[method], shared, resolve),
    }));
  });
};

/** What a mapping sends, in the form of an operation's key; at an address of its own with each end of its path. */
export const keysOf = ({ method, path = [], query, headers }) => {
  const constants = (object) =>
    (object?.fields ?? []).flatMap(([name, { type, value }]) =>
      type === "const" && name !== "Accept" ? [`${name}=${value}`] : [],
    );
  const keys = plainKeysOf(method, path);
  const asked = constants(query);
  const all = [asked, [...asked, ...constants(headers)]].filter((fixed) => fixed.length > 0);
  return [
    ...keys,
    ...all.flatMap((fixed) =>
      keys.map((key) => [key, ...fixed.toSorted((a, b) => (a < b ? -1 : 1))].join("?")),
    ),
  ];
};

const plainKeysOf = (method, path) => {
  const text = path
    .map(({ type, value, suffix = "", joined = false }) => {
      const own = type === "literal" ? value : `{}${suffix}`;
      return joined ? own : `/${own}`;
    })
    .join("");
  if (!text.startsWith("/http")) return [`${method} ${text}`];
  const pieces = text.split("/");
  return pieces.slice(4).map((_, at) => `${method} /${pieces.slice(4 + at).join("/")}`);
};

/** What says in a path in which form is answered: JSON is what a catalog asks for. */
const FORMAT = /\.\{[^{}]*(?:format|ext)[^{}]*\}|\{\.(?:format|ext)[^{}]*\}/g;

const READS = new Set(["query", "search"]);
const EFFECTS = new Set(["create", "update", "delete", "action"]);

const REPORT =
  /^(?:success|succeeded|successful|is_?success|ok|status|state|code|message|messages|errors?|error_?code|.*(?:status|response|result|error)_?(?:code|message|text)|warnings|detail|details|result|results|timestamp|request_?id|time|count|total|meta|links?)$/i;
const WORK = /job|task|batch|operation|import|export|upload|async/i;
const SECRET = /token|secret|password|credential|session/i;

/** Why a create gives JSON: what its answer has, and what is known of the thing that it belongs to. */
function whyJson({ names, isSeveral, isRows, lists, schema }, isReadable, entity) {
  if (names.every((name) => REPORT.test(name))) return "it tells how the call went";
  if (names.every((name) => REPORT.test(name) || SECRET.test(name)) || /token/i.test(schema))
    return "it answers a token, a key or a session";
  if (!isReadable) return "it is a call: nothing of the kind can be read";
  if (WORK.test(schema)) return "it answers the work begun: a job, a batch, an upload";
  if (isSeveral) return "it answers other things with one status than with another";
  if (isRows || lists > 0) return "it answers a list of what became of each";
  const key = entity.id_field ?? entity.key_vars?.at(-1);
  if (key === undefined) return "rows of the kind have no key, and it is of another form";
  return names.some((name) => name.toLowerCase() === key.toLowerCase())
    ? "it says the key, and much that is not of the row"
    : "it does not say the key of the row";
}

/** What this thread has used of a processor: whatever else the machine does, that stays the same. */
const processorMs = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

/** The figures of one document; `fault` where it gives no catalog, or none that loads strictly. */
export async function measure(text, entryId) {
  const started = processorMs();
  const root = parseOpenApi(text);
  const described = withoutTwins(operationsOf(root));
  const figures = {
    operations: described.length,
    reached: 0,
    lists: described.filter(({ isList }) => isList).length,
    listsAsRows: 0,
    paged: described.filter(({ paged }) => paged).length,
    unpaged: 0,
    toldByRun: 0,
    importMs: 0,
    effects: described.filter(({ isEffect, answers }) => isEffect && answers).length,
    effectsThatAnswer: 0,
    creates: 0,
    createsOfRows: 0,
    createsOfOthers: 0,
    /** creates whose answer is JSON to the catalog, by their keys */
    createsOfJson: [],
    /** why it is JSON, one a create */
    createsWhy: [],
    entities: 0,
    needsServer: false,
    left: [],
    /** operations that keep the catalog from being usable */
    examples: [],
    fault: null,
    strict: false,
  };
  const end = () => ({ ...figures, ms: Math.round(processorMs() - started) });
  let texts;
  try {
    // A path alone, variables without a default, or a host to be filled in (CAT-021).
    const needsServer = !(root.servers ?? []).some(
      ({ url }) => URL.canParse(url ?? "") && !/\/\/(?:[^/]*\.)?your[-_]/i.test(url),
    );
    figures.needsServer = needsServer;
    const server = needsServer ? { server: "https://api.example.com" } : {};
    const begun = processorMs();
    texts = await catalogFromOpenApi(root, { entryId, validate: false, ...server });
    figures.importMs = Math.round(processorMs() - begun);
  } catch (error) {
    if (!(error instanceof OpenApiError)) throw error;
    return { ...end(), fault: error.message.split("\n")[0] };
  }
  const opened = openCatalog(
    {
      entryId,
      domain: { file: "domain.yaml", text: texts.domain },
      mappings: { file: "mappings.yaml", text: texts.mappings },
    },
    { strict: true },
  );
  const domain = parse(texts.domain);
  const mappings = parse(texts.mappings);
  const byKey = new Map();
  const reading = Object.values(domain.capabilities).filter(({ kind }) => !EFFECTS.has(kind));
  const readable = new Set(reading.map(({ entity }) => entity));
  for (const [name, mapping] of Object.entries(mappings)) {
    const { kind, output, entity } = domain.capabilities[name];
    for (const key of keysOf(mapping)) byKey.set(key, { kind, output, entity, ...mapping });
  }
  for (const one of described) {
    const made = byKey.get(one.key);
    if (made === undefined) continue;
    figures.reached += 1;
    if (one.isList && !READS.has(made.kind)) {
      figures.listsAsRows += 1;
      figures.examples.push(`one row: ${one.key}`);
    }
    if (one.paged && READS.has(made.kind) && !goesOn(made.pagination)) {
      // What stands beside rows and tells of more is told by the run that ends there (RUN-077).
      if (one.signs) figures.toldByRun += 1;
      else figures.unpaged += 1;
      figures.examples.push(`no pages: ${one.key}${one.signs ? ", which its run tells" : ""}`);
    }
    if (!one.isEffect || !one.answers) continue;
    if (made.response === undefined) figures.examples.push(`no answer: ${one.key}`);
    else figures.effectsThatAnswer += 1;
    if (made.kind !== "create" || made.response === undefined) continue;
    figures.creates += 1;
    const given = made.output === undefined ? made.entity : made.output.entity_type;
    if (given === made.entity) figures.createsOfRows += 1;
    else if (given !== undefined) figures.createsOfOthers += 1;
    else {
      figures.createsOfJson.push(one.key);
      figures.createsWhy.push(
        whyJson(one, readable.has(made.entity), domain.entities[made.entity]),
      );
    }
  }
  figures.entities = Object.keys(domain.entities).length;
  figures.left = texts.left;
  figures.strict = opened.diagnostics.length === 0;
  if (!figures.strict)
    figures.fault = formatCatalogDiagnostic(opened.diagnostics[0]).split("\n")[0];
  return end();
}

/** Whether a mapping asks for other pages; a size alone asks for a larger one. */
const goesOn = (pagination) =>
  pagination !== undefined &&
  Object.values(pagination.params ?? {}).every((param) => param.size === undefined);

/** At least 80 % of operations, no list whose pages are unseen, no list taught as one row of JSON. */
export const isUsable = ({ strict, operations, reached, unpaged, listsAsRows }) =>
  strict && reached >= 0.8 * operations && unpaged === 0 && listsAsRows === 0;
