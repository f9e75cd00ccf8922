import type { JsonObject } from "@plasm/core";
import { callTool, mcpCall, type GateSurface } from "../gate/gate-agent.ts";
import { jsonOf, textIn, type Credential, type IdentityWorld } from "./identity-world.ts";

/** What a point of check answered: `ok`, or the code it was refused with. */
export type Told = string;
export type Ask = () => Promise<Told>;
export type Asked = Readonly<Record<string, Ask>>;

/** What a program call answered, on either surface. */
export interface Answered {
  readonly text: string;
  readonly meta: JsonObject;
}

const codeIn = (text: string): Told =>
  (/"code":"(plasm-[a-z-]+)"/.exec(text)?.[1] ?? "ok").replace("plasm-", "");

/** The calls of one caller, each told by its code alone. */
export function tellingCalls(world: IdentityWorld, who: Credential) {
  const fetch = world.fetchAs(who);
  return {
    tool: async (name: string, args: object): Promise<Told> =>
      ((await callTool(fetch, name, args)).code ?? "ok").replace("plasm-", ""),
    read: async (uri: string): Promise<Told> =>
      codeIn(JSON.stringify(await mcpCall(fetch, "resources/read", { uri }))),
    http: async (method: string, path: string, body?: object): Promise<Told> => {
      const { status, text } = await world.call(who, method, path, body);
      return status < 400 ? "ok" : codeIn(text);
    },
  };
}

/** A session on one surface: what names it, and what programs in it answer. */
export interface ToldSession {
  readonly ref: string;
  readonly uuid: string;
  readonly hash: string;
  readonly id: string;
  readonly path: string;
  answer(program: string, more?: object): Promise<Answered>;
  planned(program: string): Promise<Answered>;
  run(program: string, more?: object): Ask;
  plan(program: string, more?: object): Ask;
}

const inMeta = (body: JsonObject): JsonObject =>
  (body["_meta"] as JsonObject)["plasm"] as JsonObject;

function overMcp(world: IdentityWorld, who: Credential, ref: string) {
  const { tool } = tellingCalls(world, who);
  const at = { logical_session_ref: ref };
  const call = (name: string, args: object) => callTool(world.fetchAs(who), name, args);
  const forced = (program: string, more: object) => ({ ...at, program, force: true, ...more });
  return {
    answer: (program: string, more: object = {}) => call("plasm_run", forced(program, more)),
    planned: (program: string) => call("plasm", { ...at, program }),
    run:
      (program: string, more: object = {}) =>
      () =>
        tool("plasm_run", forced(program, more)),
    plan:
      (program: string, more: object = {}) =>
      () =>
        tool("plasm", { ...at, program, ...more }),
  };
}

function overHttp(world: IdentityWorld, who: Credential, path: string) {
  const { http } = tellingCalls(world, who);
  const post = async (body: object): Promise<Answered> => {
    const told = jsonOf(await world.call(who, "POST", path, body));
    return { text: JSON.stringify(told["text"]), meta: inMeta(told) };
  };
  const forced = (program: string, more: object) => ({ program, force: true, ...more });
  return {
    answer: (program: string, more: object = {}) => post(forced(program, more)),
    planned: (program: string) => post({ program, mode: "plan" }),
    run:
      (program: string, more: object = {}) =>
      () =>
        http("POST", path, forced(program, more)),
    plan:
      (program: string, more: object = {}) =>
      () =>
        http("POST", path, { program, mode: "plan", ...more }),
  };
}

/** Opens a session on quay's boats, for an intent. */
export async function openTold(
  world: IdentityWorld,
  surface: GateSurface,
  who: Credential,
  intent: string,
): Promise<ToldSession> {
  const args = { intent, seeds: [{ api: "quay", entity: "Boat" }], notation: "names" };
  const meta =
    surface === "MCP"
      ? (await callTool(world.fetchAs(who), "plasm_context", args)).meta
      : (jsonOf(await world.call(who, "POST", "/execute", args))["plasm"] as JsonObject);
  const ref = textIn(meta, "logical_session_ref");
  const binding = meta["execute_binding"] as JsonObject;
  const [hash, id] = [textIn(binding, "prompt_hash"), textIn(binding, "session_id")];
  const path = `/execute/${hash}/${id}`;
  const calls = surface === "MCP" ? overMcp(world, who, ref) : overHttp(world, who, path);
  return { ref, uuid: textIn(meta, "logical_session_id"), hash, id, path, ...calls };
}
