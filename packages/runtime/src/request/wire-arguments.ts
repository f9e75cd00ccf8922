import {
  type Capability,
  type InputField,
  type InputType,
  type Json,
  type JsonObject,
  type Slot,
  wireInput,
} from "@plasm/core";
import { isObject } from "../json-kinds.ts";
import { argumentSlots } from "./argument-slots.ts";

const wholeOf = (fields: readonly InputField[]): InputType => ({
  kind: "object",
  fields,
  additionalFields: true,
});

/** One argument as a template reads it by its name: where it goes is the template's business. */
function wireArgument(slot: Slot | InputField, value: Json): Json {
  if (!("wireJsonPath" in slot)) return wireInput(slot.input, value);
  const wired = wireInput(wholeOf([{ ...slot, wireJsonPath: [] }]), { [slot.name]: value });
  return isObject(wired) ? (wired[slot.name] ?? null) : value;
}

/** Arguments in wire shape, by the names a template reads them by (RUN-013, RUN-017). */
export function wireArguments(capability: Capability, args: JsonObject): JsonObject {
  const slots = argumentSlots(capability, (name) => args[name]);
  const wired = Object.entries(args).map(([name, value]) => {
    const slot = slots.get(name);
    return [name, slot === undefined ? value : wireArgument(slot, value)] as const;
  });
  return Object.fromEntries(wired);
}

/**
 * The object that `input` stands for: arguments in wire shape, members of the input schema where it
 * puts them (RUN-013, RUN-017). `args` are those that nothing else of the request reads.
 */
export function inputObject(capability: Capability, args: JsonObject): JsonObject {
  const parameters = new Set(capability.parameters.map(({ name }) => name));
  const entries = Object.entries(args);
  const own = Object.fromEntries(entries.filter(([name]) => parameters.has(name)));
  const rest = Object.fromEntries(entries.filter(([name]) => !parameters.has(name)));
  const input = capability.inputSchema?.input;
  const wired = input === undefined ? rest : wireInput(input, rest);
  return { ...wireArguments(capability, own), ...(isObject(wired) ? wired : rest) };
}
