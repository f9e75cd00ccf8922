import { openCatalog } from "@plasm/core";
import { systemClock, systemIds, type Transport } from "@plasm/runtime";
import { createEngine } from "../src/create-engine.ts";
import type { EngineOptions } from "../src/engine-context.ts";
import type { Engine } from "../src/engine.ts";
import type { RegisteredCatalog } from "../src/ports.ts";
import type { Store } from "../src/store-port.ts";

const DOMAIN = `
version: 1
http_backend: https://forms.example
auth: { scheme: bearer_token, env: FORMS_TOKEN, optional_env: true }
values: { text: { type: string, string_semantics: short } }
entities:
  Form: { id_field: id, fields: { id: { value_ref: text } } }
  Entry: { id_field: id, fields: { id: { value_ref: text }, title: { value_ref: text } } }
capabilities:
  form_query: { kind: query, entity: Form }
  entry_query: { kind: query, entity: Entry, parameters: [{ name: form, value_ref: text, required: true }] }
schema_overlay:
  source: { capability: form_query }
  projection: { mode: per_scope_entity, items_path: [results] }
  entity:
    from_template: Entry
    name: { template: "Entry__{{ row.id }}" }
    scope_key: { template: "{{ row.id }}" }
    static_fields: { form: { template: "{{ row.id }}", value_ref: text } }
    dynamic_fields:
      from: { kind: array, path: [columns] }
      wire_name_path: [key]
      wire_type_path: [type]
      name: { template: "{{ field.key }}" }
      default: text
      extract: { kind: path_segments, segments: [cells, "{{ field.key }}"] }
  decode: { scope: { params: [form], key: { template: "{{ ambient.form }}" } }, capabilities: [entry_query] }
`;

const MAPPINGS = `
form_query: { method: GET, path: [{ type: literal, value: forms }] }
entry_query: { method: GET, path: [{ type: literal, value: forms }, { type: var, name: form }, { type: literal, value: entries }] }
`;

/** Forms that tenants make themselves, as an API in memory. */
export interface FormsApi {
  readonly transport: Transport;
  /** the paths asked, in order */
  readonly asked: string[];
  /** the columns that every form has now */
  columns: readonly string[];
  /** answers instead of 200 */
  status: number;
  /** awaited before an answer */
  before: () => Promise<void>;
}

export function formsApi(): FormsApi {
  const api: FormsApi = {
    asked: [],
    columns: ["height"],
    status: 200,
    before: async () => undefined,
    transport: {
      close: async () => undefined,
      async send({ url }) {
        const { pathname } = new URL(url);
        api.asked.push(pathname);
        await api.before();
        const columns = api.columns.map((key) => ({ key, type: "text" }));
        const cells = Object.fromEntries(api.columns.map((key) => [key, `${key} of it`]));
        const results = pathname.endsWith("/entries")
          ? [{ id: "a", title: "the a", cells }]
          : ["trees", "books"].map((id) => ({ id, columns }));
        const body = new TextEncoder().encode(JSON.stringify({ results }));
        const headers = [["content-type", "application/json"]] as const;
        return { ok: true, response: { status: api.status, headers, body } };
      },
    },
  };
  return api;
}

function registered(): RegisteredCatalog {
  const opened = openCatalog({
    entryId: "forms",
    domain: { file: "domain.yaml", text: DOMAIN },
    mappings: { file: "mappings.yaml", text: MAPPINGS },
  });
  if (opened.catalog === null || opened.catalog.dropped !== undefined)
    throw new Error(JSON.stringify(opened.diagnostics));
  return { catalog: opened.catalog, domain: DOMAIN, mappings: MAPPINGS, credentials: true };
}

/** An engine with these forms on offer; `token` is the credential it has. */
export function formsEngine(
  store: Store,
  api: FormsApi,
  token?: string,
  secretsOf?: EngineOptions["secretsOf"],
  signIn?: EngineOptions["signIn"],
): Engine {
  const entry = registered();
  return createEngine({
    ...(secretsOf === undefined ? {} : { secretsOf }),
    ...(signIn === undefined ? {} : { signIn }),
    store,
    registry: { list: () => [entry], get: (id) => (id === "forms" ? entry : undefined) },
    ports: {
      transport: api.transport,
      secrets: { env: () => token, hosted: async (key) => /@(\w+)$/.exec(key)?.[1] },
      clock: systemClock,
      ids: systemIds,
      functions: new Map(),
    },
  });
}
