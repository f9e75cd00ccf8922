import type { JsonObject } from "@plasm/core";

const text = (description: string): JsonObject => ({ description, schema: { type: "string" } });

/** Headers of answers (SURF-16, SURF-17). */
export const HEADERS: JsonObject = Object.freeze({
  Location: text("where what was made is"),
  "Retry-After": text("seconds to wait before the next try"),
  "X-Plasm-Next-Page": text("handles of next pages, with commas between"),
  "X-Plasm-Partial": text("what cut results short, with commas between"),
  "X-Plasm-Run-Id": text("ids of runs, with commas between"),
  "X-Request-Id": text("the one sent, or the server's own"),
});

const truth: JsonObject = { type: "boolean" };

/** Query parameters by name (OPS-34). */
export const PARAMETERS: Readonly<Record<string, JsonObject>> = Object.freeze({
  mode: { enum: ["plan", "explain", "run"] },
  wait: truth,
  force: truth,
  plan_commit_ref: { type: "string" },
  sessions: { enum: ["lose", "keep"] },
  before: { type: "string" },
  after: { type: "string" },
  caller: { type: "string" },
});
