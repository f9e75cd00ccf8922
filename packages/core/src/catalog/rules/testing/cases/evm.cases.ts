import type { CatalogPatch } from "@plasm/testkit";
import type { BrokenCase } from "../broken-case.ts";

const contract = '{type: const, value: "0x00000000000000000000000000000000000000aa"}';

interface Parts {
  /** Spelling of the key `args`. */
  readonly key?: string;
  readonly args?: string;
  readonly text?: string;
  readonly decode?: string;
  readonly kind?: string;
}

export const call = (parts: Parts): CatalogPatch => ({
  capabilities:
    "parcel_x: {kind: get, entity: Parcel, parameters: [{name: a, value_ref: text, required: true}]}",
  mappings: `parcel_x:
  transport: evm_call
  chain: 1
  contract: ${contract}
  function: ${parts.text ?? '"function stakeOf(address who) view returns (uint256 amount)"'}
  ${parts.key ?? "args"}: ${parts.args ?? "[{type: var, name: a}]"}
  decode: ${parts.decode ?? "{id: {type: input, index: 0}, stage: {type: output, index: 0}}"}`,
});

export const logs = (parts: Parts): CatalogPatch => ({
  capabilities: `parcel_x: {kind: ${parts.kind ?? "query"}, entity: Parcel, parameters: [{name: a, value_ref: text, required: true}]}`,
  mappings: `parcel_x:
  transport: ${parts.kind === undefined ? "evm_logs" : "«evm_logs»"}
  chain: mainnet
  contract: ${contract}
  event: ${parts.text ?? '"event Moved(address indexed who, uint256 amount)"'}
  topics: ${parts.args ?? "[{type: var, name: a}]"}
  decode: ${parts.decode ?? "{id: {type: log_meta, key: event_id}, stage: {type: data, index: 0}}"}`,
});

/** Faults of MAP-051, MAP-052. */
export const evmCases: readonly BrokenCase[] = [
  {
    rule: "MAP-051",
    when: "a text that is no function",
    patch: call({ text: '«"stakeOf(address)"»' }),
    at: "parcel_x.function",
    says: ["stakeOf(address)", "function <name>", "view returns (uint256 amount)"],
  },
  {
    rule: "MAP-051",
    when: "an unknown type",
    patch: call({ text: '«"function f(adress who) view returns (uint256)"»' }),
    at: "parcel_x.function",
    says: ["adress is no type"],
  },
  {
    rule: "MAP-051",
    when: "an argument too many",
    patch: call({ key: "«args»", args: "[{type: var, name: a}, {type: var, name: id}]" }),
    at: "parcel_x.args",
    says: ["2 args", "takes 1"],
  },
  {
    rule: "MAP-051",
    when: "an index beyond the results",
    patch: call({ decode: "{id: {type: output, index: «1»}}" }),
    at: "parcel_x.decode.id.index",
    says: ["index 1 of output", "0 to 0"],
  },
  {
    rule: "MAP-051",
    when: "a field the entity has not",
    patch: call({ decode: "{«amount»: {type: output, index: 0}}" }),
    at: "parcel_x.decode.amount",
    says: ["amount", "Parcel", "id, depot, stage"],
  },
  {
    rule: "MAP-051",
    when: "an index of topics beyond the indexed arguments",
    patch: logs({ decode: "{id: {type: topic, index: «1»}}" }),
    at: "parcel_x.decode.id.index",
    says: ["index 1 of topic", "0 to 0"],
  },
  {
    rule: "MAP-052",
    when: "logs on a get",
    patch: logs({ kind: "get" }),
    at: "parcel_x.transport",
    says: ["evm_logs", "parcel_x, a get", "query"],
  },
  {
    rule: "MAP-051",
    when: "more topics than indexed arguments",
    patch: {
      ...logs({}),
      mappings: (logs({ args: "[{type: var, name: a}, null]" }).mappings ?? "").replace(
        "topics:",
        "«topics»:",
      ),
    },
    at: "parcel_x.topics",
    says: ["2 topics", "1 indexed", "at most 1"],
  },
  {
    rule: "MAP-051",
    when: "an index where there is nothing to index",
    patch: logs({
      text: '"event Moved(address indexed who)"',
      decode: "{id: {type: log_meta, key: event_id}, stage: {type: data, index: «0»}}",
    }),
    at: "parcel_x.decode.stage.index",
    says: ["index 0 of data", "there are none"],
  },
];
