import { Buffer } from "node:buffer";
import type { Json } from "@plasm/core";
import type { Preprocess } from "@plasm/core/internal";
import { MASK } from "../request/auth/secret-patterns.ts";
import type { Redactor } from "../request/auth/redactor.ts";
import { hasMember, isArray, isObject, typeName } from "../base/json-kinds.ts";
import type { CapabilityCall, CallEnvironment } from "../request/environment.ts";
import { holdAnswers, type WireRequest } from "../request/wire-request.ts";
import { failure, RunFailure } from "../base/run-failure.ts";
import type { RunEngine } from "./engine.ts";

type Hook = Extract<Preprocess, { kind: "function" }>;

/** A request whose answer is recorded only when its hook, if it has one, has said what of it is secret. */
export const heldForHook = ({ template }: CapabilityCall, request: WireRequest): WireRequest =>
  template.response.preprocess?.kind === "function" ? { ...request, held: holdAnswers() } : request;

/** Texts by name that a hook may set; null leaves one as it is. Throws RunFailure for any other. */
function variablesOf(hook: Hook, given: Json): Record<string, string> {
  if (!isObject(given)) throw broken(hook, `variables is ${typeName(given)}, no object`);
  const set: Record<string, string> = {};
  for (const [name, value] of Object.entries(given)) {
    if (!hook.sets.includes(name)) {
      throw broken(hook, `it sets ${name}, which its sets does not list`);
    }
    if (value === null) continue;
    if (typeof value !== "string") throw broken(hook, `${name} is ${typeName(value)}, no text`);
    set[name] = value;
  }
  return set;
}

/** Without those that an answer repeats: of these it has the mask alone (RUN-142). */
const unrepeated = (
  set: Readonly<Record<string, string>>,
  known: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(set).filter(([name, value]) => !(value.includes(MASK) && name in known)),
  );

const broken = (hook: Hook, why: string): RunFailure =>
  new RunFailure(
    failure("decode", `${hook.function}, a response hook: ${why}.`, "report it to its plug-in"),
  );

/** A body without what has just become secret, by the rule of data (RUN-142). */
function withoutSecrets(body: Json, redactor: Redactor): Json {
  if (typeof body === "string") {
    const data = Buffer.from(body, "utf8");
    const clean = redactor.redactData(data);
    return clean === data ? body : Buffer.from(clean).toString("utf8");
  }
  if (isArray(body)) return body.map((item) => withoutSecrets(item, redactor));
  if (!isObject(body)) return body;
  const members = Object.entries(body);
  return Object.fromEntries(
    members.map(([name, member]) => [name, withoutSecrets(member, redactor)]),
  );
}

/**
 * Gives the body of a 2xx answer to the registered function that its mapping names, if it names one: it is
 * called with the body and sees the names of the request. It may give `variables`, which the session has
 * from then on, and `response` in place of the body (RUN-015, RUN-105). Throws RunFailure.
 */
export function runHook(
  engine: RunEngine,
  call: CapabilityCall,
  names: () => CallEnvironment,
  body: Json,
): Json {
  const hook = call.template.response.preprocess;
  if (hook?.kind !== "function") return body;
  const result = engine.functions.get(hook.function)?.(
    [body],
    new Map(Object.entries(names().rest)),
  );
  if (result === undefined) throw broken(hook, "no such function is registered");
  if ("error" in result) throw broken(hook, engine.redactor.redact(result.error));
  const value = result.value ?? null;
  if (value === null) return body;
  if (!isObject(value)) throw broken(hook, `it gave ${typeName(value)}, no object`);
  const { entryId } = call.catalog;
  const set = variablesOf(hook, value["variables"] ?? {});
  const fresh = unrepeated(set, engine.variables.of(entryId));
  if (Object.keys(fresh).length > 0) engine.variables.set(entryId, fresh);
  const given = hasMember(value, "response") ? (value["response"] ?? null) : body;
  return Object.keys(fresh).length > 0 ? withoutSecrets(given, engine.redactor) : given;
}
