import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

const FORMS = `version: 1
label: forms
description: entries of forms that tenants make themselves
http_backend: BACKEND/api
values:
  text: { type: string, string_semantics: short }
  count: { type: integer }
entities:
  Form: { id_field: id, fields: { id: { value_ref: text } } }
  Person: { id_field: id, fields: { id: { value_ref: text }, name: { value_ref: text } } }
  Mail: { id_field: id, fields: { id: { value_ref: text } } }
  Entry: { id_field: id, fields: { id: { value_ref: text }, title: { value_ref: text } } }
capabilities:
  form_query: { kind: query, entity: Form }
  person_query: { kind: query, entity: Person }
  mail_create:
    kind: create
    entity: Mail
    parameters:
      - { name: from, value_ref: text, required: true }
      - { name: to, value_ref: text, required: true }
      - { name: subject, value_ref: text, required: true }
      - { name: plainBody, value_ref: text, required: true }
  entry_query: { kind: query, entity: Entry, parameters: [{ name: form, value_ref: text, required: true, role: scope }] }
  entry_get: { kind: get, entity: Entry, parameters: [{ name: form, value_ref: text, required: true, role: scope }] }
  entry_assign:
    kind: action
    entity: Entry
    parameters: [{ name: form, value_ref: text, required: true, role: scope }, { name: person, value_ref: text, required: true }]
    preflight:
      - { kind: hydrate_invoke_target, get: entry_get, prefix: old }
      - { kind: query_pick, query: person_query, pick: { field: name, equals_param: person }, merge: { personId: id } }
    output: { type: side_effect, description: it is given to a person }
schema_overlay:
  source: { capability: form_query }
  projection: { mode: per_scope_entity, items_path: [results] }
  entity:
    from_template: Entry
    name: { template: "Entry__{{ row.id | sanitize_identifier }}" }
    scope_key: { template: "{{ row.id }}" }
    static_fields: { form: { template: "{{ row.id }}", value_ref: text } }
    dynamic_fields:
      from: { kind: array, path: [columns] }
      wire_name_path: [key]
      wire_type_path: [type]
      name: { template: "{{ field.key | sanitize_identifier }}" }
      type_map: { int: count }
      default: text
      extract: { kind: path_segments, segments: [cells, "{{ field.key }}"] }
  decode: { scope: { params: [form], key: { template: "{{ ambient.form }}" } }, capabilities: [entry_query, entry_get, entry_assign] }
`;

const at = (...parts: readonly string[]): string =>
  `[${parts.map((part) => (part.startsWith("$") ? `{ type: var, name: ${part.slice(1)} }` : `{ type: literal, value: ${part} }`)).join(", ")}]`;
const v = (name: string): string => `{ type: var, name: ${name} }`;

const FORM_MAPPINGS = `form_query: { method: GET, path: ${at("forms")} }
person_query: { method: GET, path: ${at("people")} }
mail_create: { method: POST, path: ${at("mails")}, body: { type: gmail_rfc5322_send_body }, response: single }
entry_query: { method: GET, path: ${at("forms", "$form", "entries")} }
entry_get: { method: GET, path: ${at("forms", "$form", "entries", "$id")}, response: single }
entry_assign:
  method: POST
  path: ${at("forms", "$form", "entries", "$id", "assign")}
  body: { type: object, fields: [[person, ${v("personId")}], [was, ${v("old_title")}]] }
`;

const LEDGER = `version: 1
label: ledger
description: what a chain tells of a token
http_backend: BACKEND/rpc
values: { text: { type: string, string_semantics: short }, count: { type: integer } }
entities:
  Holding: { id_field: who, fields: { who: { value_ref: text }, amount: { value_ref: text } } }
  Transfer: { id_field: event, fields: { event: { value_ref: text }, amount: { value_ref: text }, block: { value_ref: count } } }
capabilities:
  holding_get: { kind: get, entity: Holding }
  transfer_query: { kind: query, entity: Transfer, parameters: [{ name: from_block, value_ref: count, required: true }] }
`;

const CONTRACT = `contract: { type: const, value: "0x00000000000000000000000000000000000000aa" }`;

const LEDGER_MAPPINGS = `holding_get:
  transport: evm_call
  chain: sepolia
  ${CONTRACT}
  function: "function balanceOf(address who) view returns (uint256 amount)"
  args: [${v("id")}]
  decode: { who: { type: input, index: 0 }, amount: { type: output, index: 0 } }
transfer_query:
  transport: evm_logs
  chain: sepolia
  ${CONTRACT}
  event: "event Transfer(address indexed from, address indexed to, uint256 value)"
  decode: { event: { type: log_meta, key: event_id }, block: { type: log_meta, key: block_number }, amount: { type: data, index: 0 } }
`;

/** Writes the catalogs `forms` and `ledger` for one API into a directory. */
export async function writeDeskCatalogs(directory: string, backend: string): Promise<void> {
  const catalogs = { forms: [FORMS, FORM_MAPPINGS], ledger: [LEDGER, LEDGER_MAPPINGS] } as const;
  for (const [name, [domain, mappings]] of Object.entries(catalogs)) {
    await mkdir(join(directory, name), { recursive: true });
    await writeFile(join(directory, name, "domain.yaml"), domain.replace("BACKEND", backend));
    await writeFile(join(directory, name, "mappings.yaml"), mappings);
  }
}
