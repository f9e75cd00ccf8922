import type { Json, JsonObject } from "@plasm/core";
import type { Engine } from "../src/engine.ts";
import { LOCAL, type Caller } from "../src/identity/caller.ts";
import type { ContextRequest } from "../src/session/context-request.ts";

export const U42: Caller = { scope: "acme", subject: "u42", connection: null };

/** A caller who is nobody in particular. */
export const NAMELESS: Caller = { ...LOCAL, subject: null };

const item = (over: JsonObject = {}): JsonObject => ({
  graft_id: "g01",
  source: "git",
  path: "a.md",
  mime: "text/markdown",
  content: "Prune quince in late winter",
  ...over,
});

/** A set as an agent's host sends it; `{}` for each item that is to be as it comes. */
export const graftSet = (
  items: readonly JsonObject[] = [{}],
  over: JsonObject = {},
): JsonObject => ({
  name: "pruning",
  manifest_path: "sets/pruning.yaml",
  created_ts: "2026-01-05T09:00:00Z",
  items: items.map((one) => item(one)),
  ...over,
});

export const HEADER_LINE =
  "Grafts · pruning · user u42 · 2026-01-05T09:00:00Z · sets/pruning.yaml · 1 source";

/** What a context said of grafts. */
export interface GraftsTold {
  readonly ref: string;
  /** the answer from its graft section on; empty without one */
  readonly section: string;
  readonly text: string;
  readonly meta: JsonObject;
}

const GRAFT_TEXT = /^(Grafts · |- `|\+ \d|Grafts unavailable)/m;

const objectIn = (value: Json | undefined): JsonObject => (value ?? {}) as JsonObject;

/** Opens or extends the session of an intent on quay's boats. */
export async function openTelling(
  engine: Engine,
  caller: Caller,
  more: ContextRequest = {},
): Promise<GraftsTold> {
  const seeds = [{ api: "quay", entity: "Boat" }];
  const { text, meta } = await engine.context(caller, { intent: "spring pruning", seeds, ...more });
  const at = text.search(GRAFT_TEXT);
  const ref = meta["logical_session_ref"];
  if (typeof ref !== "string") throw new Error("the session has no ref");
  return {
    ref,
    section: at === -1 ? "" : text.slice(at),
    text,
    meta: objectIn(meta["grafts"]),
  };
}

/** The code of what a call throws; fails if it throws nothing. */
export async function codeOf(engine: Engine, call: Promise<unknown>): Promise<string> {
  try {
    await call;
  } catch (thrown) {
    return engine.problemOf(thrown).code;
  }
  throw new Error("the call was answered");
}

/** The text between the fences of a tool's answer, and where it goes on. */
export function bodyIn({ text, meta }: { readonly text: string; readonly meta: JsonObject }) {
  const [head = "", fence = "", ...rest] = text.split("\n");
  const marks = /^`{4,}/.exec(fence)?.[0] ?? "no fence";
  if (rest.at(-1) !== marks) throw new Error(`the fence ${fence} is not closed`);
  const graft = objectIn(meta["graft"]);
  return { head, fence, body: rest.slice(0, -1).join("\n"), next: graft["next_offset"] ?? null };
}

/** A text by as many calls of grafted_context_fetch as it takes. */
export async function fetchWhole(
  engine: Engine,
  caller: Caller,
  graftId: string,
  ref: string,
): Promise<{ readonly text: string; readonly calls: number }> {
  let text = "";
  let offset: unknown = 0;
  for (let calls = 1; ; calls += 1) {
    const { body, next } = bodyIn(await engine.fetchGraft(caller, { graftId, ref, offset }));
    text += body;
    if (next === null) return { text, calls };
    offset = next;
  }
}
