import { oneOfKind } from "../../schema/capability-kind.ts";
import type { EvmCallTemplate, EvmLogsTemplate } from "../../mapping/template.ts";
import type { KeyPath } from "../../load/key-path.ts";
import { choice } from "../part-view.ts";
import type { Rule, RuleContext } from "../rule.ts";
import { type AbiItem, parseAbiEvent, parseAbiFunction } from "./evm-abi.ts";

const FUNCTION = "function stakeOf(address who) view returns (uint256 amount)";
const EVENT = "event Moved(address indexed who, uint256 amount)";

/** MAP-051: ABI texts parse and counts fit; MAP-052: EVM transports serve reads only. */
export const evmRule: Rule = (context) => {
  for (const [name, template] of context.catalog.cml) {
    if (template.transport !== "evm_call" && template.transport !== "evm_logs") continue;
    checkKind(context, name, template);
    if (context.inMappings.faulty([name])) continue;
    for (const field of template.decode.keys()) checkField(context, name, field);
    if (template.transport === "evm_call") checkCall(context, name, template);
    else checkLogs(context, name, template);
  }
};

function checkKind(
  { catalog, inMappings }: RuleContext,
  found: string,
  { transport }: EvmCallTemplate | EvmLogsTemplate,
): void {
  const kind = catalog.cgs.capabilities.get(found)?.kind;
  const kinds = transport === "evm_call" ? ["get", "query"] : ["query"];
  if (kind === undefined || kinds.includes(kind)) return;
  const allowed = kinds.join(", ");
  inMappings.atValue([found, "transport"], "MAP052", "kind", {
    transport,
    found,
    kind: oneOfKind(kind),
    allowed,
  });
}

function checkField({ catalog, inMappings }: RuleContext, name: string, found: string): void {
  const capability = catalog.cgs.capabilities.get(name);
  const entity = catalog.cgs.entities.get(capability?.entity ?? "");
  if (entity === undefined || entity.fields.has(found)) return;
  const params = { found, entity: entity.name, ...choice(found, entity.fields.keys()) };
  inMappings.atKey([name, "decode", found], "MAP051", "field", params);
}

function checkCall(context: RuleContext, name: string, template: EvmCallTemplate): void {
  const { inMappings } = context;
  const parsed = parseAbiFunction(template.function);
  if ("problem" in parsed) {
    const found = JSON.stringify(template.function);
    const params = { found, problem: parsed.problem, allowed: FUNCTION };
    inMappings.atValue([name, "function"], "MAP051", "parse", params);
    return;
  }
  const { inputs, outputs } = parsed.item;
  if (template.args.length !== inputs.length) {
    const params = { found: template.args.length, allowed: inputs.length };
    inMappings.atKey([name, "args"], "MAP051", "args", params);
  }
  for (const [field, { type, index }] of template.decode) {
    const count = type === "input" ? inputs.length : outputs.length;
    checkIndex(context, [name, "decode", field, "index"], type, index, count);
  }
}

function checkLogs(context: RuleContext, name: string, template: EvmLogsTemplate): void {
  const { inMappings } = context;
  const parsed = parseAbiEvent(template.event);
  if ("problem" in parsed) {
    const found = JSON.stringify(template.event);
    const params = { found, problem: parsed.problem, allowed: EVENT };
    inMappings.atValue([name, "event"], "MAP051", "parse", params);
    return;
  }
  const { indexed, plain, most } = counts(parsed.item);
  const allowed = Math.min(most, indexed);
  if (template.topics.length > allowed || indexed > most) {
    const params = { found: template.topics.length, indexed, allowed };
    inMappings.atKey([name, "topics"], "MAP051", "topics", params);
  }
  for (const [field, decode] of template.decode) {
    if (decode.type === "log_meta") continue;
    const count = decode.type === "topic" ? indexed : plain;
    checkIndex(context, [name, "decode", field, "index"], decode.type, decode.index, count);
  }
}

function counts({
  inputs,
  anonymous,
}: AbiItem): Readonly<Record<"indexed" | "plain" | "most", number>> {
  const indexed = inputs.filter((input) => input.indexed).length;
  return { indexed, plain: inputs.length - indexed, most: anonymous ? 4 : 3 };
}

function checkIndex(
  { inMappings }: RuleContext,
  path: KeyPath,
  what: string,
  found: number,
  count: number,
): void {
  if (found < count) return;
  if (count === 0) inMappings.atValue(path, "MAP051", "none", { found, what });
  else inMappings.atValue(path, "MAP051", "index", { found, what, allowed: count - 1 });
}
