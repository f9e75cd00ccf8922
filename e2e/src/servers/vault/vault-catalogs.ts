import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** One catalog a scheme, all of them on the same API. */
export const VAULTS = {
  vault_header: `{ scheme: api_key_header, header: X-Vault-Key, prefix: "Vault ", env: VAULT_HEADER }`,
  vault_query: `{ scheme: api_key_query, param: key, env: VAULT_QUERY }`,
  vault_bearer: `{ scheme: bearer_token, env: VAULT_BEARER_NONE }`,
  vault_envelope: `{ scheme: oauth_bearer, hosted_kv: "plasm:outbound:v1:vault" }
oauth: { provider: vault-id }`,
  vault_optional: `{ scheme: bearer_token, env: VAULT_OPTIONAL, optional_env: true }`,
  vault_client: `{ scheme: oauth2_client_credentials, token_url: "BACKEND/oauth/token", client_id_env: VAULT_ID, client_secret_env: VAULT_SECRET, scopes: [items] }`,
} as const;

export type VaultName = keyof typeof VAULTS;

export const VAULT_NAMES = Object.keys(VAULTS) as readonly VaultName[];

const domain = (name: VaultName, backend: string): string => `version: 1
label: ${name}
description: things that are kept
http_backend: ${backend}
auth: ${VAULTS[name].replace("BACKEND", backend)}
values:
  text: { type: string, string_semantics: short }
  free: { type: json }
entities:
  Item:
    description: a thing that is kept
    id_field: id
    fields:
      id: { value_ref: text, required: true }
      note: { value_ref: text }
      meta: { value_ref: free }
capabilities:
  item_query: { kind: query, entity: Item }
  item_get: { kind: get, entity: Item }
  item_update:
    kind: update
    entity: Item
    parameters: [{ name: note, value_ref: text }]
    provides: [id, note, meta]
`;

const MAPPINGS = `item_query:
  method: GET
  path: [{ type: literal, value: items }]
  pagination: { location: link_header }
  response: { items: items }
item_get:
  method: GET
  path: [{ type: literal, value: items }, { type: var, name: id }]
  response: single
item_update:
  method: PATCH
  path: [{ type: literal, value: items }, { type: var, name: id }]
  body: { type: object, fields: [[note, { type: var, name: note }]] }
  response: single
`;

/** Writes the catalogs to a directory of their own. */
export async function writeVaultCatalogs(directory: string, backend: string): Promise<void> {
  for (const name of VAULT_NAMES) {
    await mkdir(join(directory, name), { recursive: true });
    await writeFile(join(directory, name, "domain.yaml"), domain(name, backend));
    await writeFile(join(directory, name, "mappings.yaml"), MAPPINGS);
  }
}
