import { oneOfKind } from "../../model/model.ts";
import type { EvmCallTemplate, EvmLogsTemplate } from "../../mapping/template.ts";
import type { KeyPath } from "../key-path.ts";
import { choice } from "./part-view.ts";
import type { Rule, RuleContext } from "./rule.ts";

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

/** One parameter of a readable ABI. */
interface AbiParam {
  readonly type: string;
  readonly indexed: boolean;
}

/** A function or event of a readable ABI, as far as rules count its parts. */
interface AbiItem {
  readonly inputs: readonly AbiParam[];
  readonly outputs: readonly AbiParam[];
  readonly anonymous: boolean;
}

type AbiResult = { readonly item: AbiItem } | { readonly problem: string };

const ELEMENTARY =
  /^(?:u?int(?:8|16|24|32|40|48|56|64|72|80|88|96|104|112|120|128|136|144|152|160|168|176|184|192|200|208|216|224|232|240|248|256)?|address|bool|string|bytes(?:[1-9]|[12]\d|3[0-2])?)(?:\[\d*\])*$/;
const WORDS = new Set(["indexed", "memory", "calldata", "storage", "payable"]);
const MODIFIERS = /^(?:external|public|view|pure|payable|nonpayable)$/;

/** Reads `function name(type name, …) [modifiers] [returns (…)]` (MAP-051). */
function parseAbiFunction(text: string): AbiResult {
  const head = /^\s*function\s+[A-Za-z_$][\w$]*\s*/.exec(text);
  if (head === null) return { problem: "it does not begin with function <name>" };
  const inputs = parseParams(text, head[0].length);
  if ("problem" in inputs) return inputs;
  const [modifiers = "", returns] = text.slice(inputs.end).split(/\breturns\b/);
  const odd = modifiers.split(/\s+/).find((each) => each !== "" && !MODIFIERS.test(each));
  if (odd !== undefined) return { problem: `${odd} stands after the arguments` };
  if (returns === undefined) {
    return { item: { inputs: inputs.params, outputs: [], anonymous: false } };
  }
  const outputs = parseParams(returns, 0);
  if ("problem" in outputs) return outputs;
  if (returns.slice(outputs.end).trim() !== "") return { problem: "text stands after the results" };
  return { item: { inputs: inputs.params, outputs: outputs.params, anonymous: false } };
}

/** Reads `event Name(type indexed name, …) [anonymous]` (MAP-051). */
function parseAbiEvent(text: string): AbiResult {
  const head = /^\s*event\s+[A-Za-z_$][\w$]*\s*/.exec(text);
  if (head === null) return { problem: "it does not begin with event <Name>" };
  const inputs = parseParams(text, head[0].length);
  if ("problem" in inputs) return inputs;
  const rest = text.slice(inputs.end).trim();
  if (rest !== "" && rest !== "anonymous") return { problem: `${rest} stands after the arguments` };
  return { item: { inputs: inputs.params, outputs: [], anonymous: rest === "anonymous" } };
}

type Params =
  | { readonly params: readonly AbiParam[]; readonly end: number }
  | { readonly problem: string };

function parseParams(text: string, from: number): Params {
  const start = text.length - text.slice(from).trimStart().length;
  if (text[start] !== "(") return { problem: "a ( is missing" };
  const end = closing(text, start);
  if (end === -1) return { problem: "a ) is missing" };
  const params: AbiParam[] = [];
  for (const part of splitTop(text.slice(start + 1, end))) {
    const param = parseParam(part);
    if ("problem" in param) return param;
    params.push(param);
  }
  return { params, end: end + 1 };
}

function parseParam(text: string): AbiParam | { readonly problem: string } {
  const tuple = /^\s*(?:tuple\s*)?\(/.exec(text);
  if (tuple !== null) {
    const inner = parseParams(text, tuple[0].length - 1);
    if ("problem" in inner) return inner;
    const rest = text.slice(inner.end);
    return {
      type: `tuple${/^(?:\[\d*\])*/.exec(rest)?.[0] ?? ""}`,
      indexed: /\bindexed\b/.test(rest),
    };
  }
  const [type = "", ...words] = text.trim().split(/\s+/);
  if (!ELEMENTARY.test(type))
    return { problem: `${type === "" ? "an empty argument" : type} is no type` };
  const names = words.filter((word) => !WORDS.has(word));
  if (names.length > 1) return { problem: `${names[1]} stands after the name ${names[0]}` };
  return { type, indexed: words.includes("indexed") };
}

function closing(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at++) {
    if (text[at] === "(") depth++;
    if (text[at] === ")" && --depth === 0) return at;
  }
  return -1;
}

/** The parts between commas outside brackets; none for blank text. */
function splitTop(text: string): readonly string[] {
  if (text.trim() === "") return [];
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "(") depth++;
    if (text[at] === ")") depth--;
    if (text[at] === "," && depth === 0) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  return [...parts, text.slice(from)];
}
