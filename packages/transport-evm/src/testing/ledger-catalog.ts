import type { Catalog } from "@plasm/core";
import { catalogOf } from "../../../runtime/src/testing/fixture-run.ts";

/** The contract of {@link ledger}, and an account that holds something there. */
export const TOKEN = "0x00000000000000000000000000000000000000aa";
export const ANN = "0x1111111111111111111111111111111111111111";
export const BOB = "0x2222222222222222222222222222222222222222";

const DOMAIN = `
version: 1
http_backend: http://127.0.0.1:1
values:
  text: { type: string, string_semantics: short }
  count: { type: integer }
  flag: { type: boolean }
  any: { type: json }
entities:
  Holding:
    id_field: who
    fields: { who: { value_ref: text }, amount: { value_ref: text }, rank: { value_ref: count } }
  Pool:
    id_field: id
    implicit_request_identity: true
    fields: { id: { value_ref: text }, mark: { value_ref: text }, parts: { value_ref: any }, open: { value_ref: flag }, tag: { value_ref: text, path: [meta, tag] } }
  Coin:
    id_field: symbol
    fields: { symbol: { value_ref: text } }
  Transfer:
    id_field: event
    fields:
      event: { value_ref: text }
      from: { value_ref: text }
      to: { value_ref: text }
      amount: { value_ref: text }
      block: { value_ref: count }
      contract: { value_ref: text }
      index: { value_ref: count }
      hash: { value_ref: text }
      removed: { value_ref: flag }
capabilities:
  holding_get: { kind: get, entity: Holding, parameters: [{ name: at, value_ref: text }] }
  pool_get: { kind: get, entity: Pool, parameters: [{ name: flags, value_ref: any }] }
  coin_query: { kind: query, entity: Coin }
  transfer_query:
    kind: query
    entity: Transfer
    parameters:
      - { name: from_block, value_ref: count, required: true }
      - { name: to_block, value_ref: count }
      - { name: from, value_ref: text }
      - { name: to, value_ref: text }
  transfer_recent: { kind: query, entity: Transfer, parameters: [{ name: size, value_ref: count }] }
  transfer_create: { kind: create, entity: Transfer, parameters: [{ name: amount, value_ref: text }] }
`;

const v = (name: string): string => `{ type: var, name: ${name} }`;
const contract = `contract: { type: const, value: "${TOKEN}" }`;
const log = `
  event: "event Transfer(address indexed from, address indexed to, uint256 value)"
  topics: [${v("from")}, ${v("to")}]
  decode:
    event: { type: log_meta, key: event_id }
    from: { type: topic, index: 0 }
    to: { type: topic, index: 1 }
    amount: { type: data, index: 0 }
    block: { type: log_meta, key: block_number }
    contract: { type: log_meta, key: address }
    index: { type: log_meta, key: log_index }
    hash: { type: log_meta, key: transaction_hash }
    removed: { type: log_meta, key: removed }
`;

const mappings = (chain: string): string => `
holding_get:
  transport: evm_call
  chain: ${chain}
  ${contract}
  function: "function balanceOf(address who) view returns (uint256 amount, uint16 rank)"
  args: [${v("id")}]
  block: ${v("at")}
  decode: { who: { type: input, index: 0 }, amount: { type: output, index: 0 }, rank: { type: output, index: 1 } }
pool_get:
  transport: evm_call
  chain: ${chain}
  contract: ${v("id")}
  function: "function state(bool[] flags) view returns (bytes4 mark, (uint8 low, int256 high)[] parts, bool open, string tag)"
  args: [{ type: if, condition: { type: exists, var: flags }, then_expr: ${v("flags")}, else_expr: { type: array, elements: [] } }]
  decode: { mark: { type: output, index: 0 }, parts: { type: output, index: 1 }, open: { type: output, index: 2 }, tag: { type: output, index: 3 } }
coin_query:
  transport: evm_call
  chain: ${chain}
  ${contract}
  function: "function symbol() view returns (string)"
  decode: { symbol: { type: output, index: 0 } }
transfer_query:
  transport: evm_logs
  chain: ${chain}
  ${contract}${log}
transfer_recent:
  transport: evm_logs
  chain: ${chain}
  ${contract}${log.replace(/topics: .*/, "topics: [null]")}
  pagination: { location: block_range, params: { range_size: { fixed: 10 }, from_block: { fixed: 90 } } }
transfer_create: { method: POST, path: [{ type: literal, value: transfers }], body: { type: var, name: input } }
`;

/** What a chain tells of a token: calls, and logs over ranges of blocks (mapping format, section 5). */
export const ledger = (chain = "1"): Catalog => catalogOf("ledger", DOMAIN, mappings(chain));
