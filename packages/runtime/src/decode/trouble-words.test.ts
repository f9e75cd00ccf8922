import { expect, test } from "vitest";
import type { JsonObject } from "@plasm/core";
import { saysFailed, troubleWords } from "./trouble-words.ts";

const NONE = new Set<string>();

test.each<[JsonObject]>([
  [{ status: "error", message: "in use" }],
  [{ status: "failed" }],
  [{ result: "failure", reason: "locked by bob" }],
  [{ code: 403, msg: "denied" }],
  [{ status: 409, title: "Conflict" }],
  [{ errcode: 40_003, errmsg: "invalid openid" }],
  [{ success: "false" }],
  [{ ok: 0 }],
  [{ Success: false }],
])("RUN-041: %j is a failure where no row is", (body) => {
  expect(saysFailed(body, NONE)).toBe(true);
  expect(
    troubleWords(body) === null && !("success" in body || "ok" in body || "Success" in body),
  ).toBe(false);
});

test.each<[JsonObject]>([
  [{ status: "success" }],
  [{ status: "rejected" }],
  [{ status: 200, message: "ok" }],
  [{ code: 0, msg: "success" }],
  [{ errcode: 0, errmsg: "ok" }],
  [{ code: "00000", message: "done" }],
  [{ code: 500, rows: 3 }],
  [{ state: "failed", job: 7 }],
  [{ ok: true }],
  [{}],
])("RUN-041: %j is none", (body) => {
  expect(saysFailed(body, NONE)).toBe(false);
});

test("RUN-041: what a field of the row is called is data", () => {
  expect(saysFailed({ status: "error", message: "x" }, new Set(["status"]))).toBe(false);
});

test.each<[JsonObject, string | null]>([
  [{ code: 1001, msg: "not allowed", data: null }, '{"code":1001,"msg":"not allowed"}'],
  [{ deleted: false }, '{"deleted":false}'],
  [{ message: "Cannot delete: in use" }, '{"message":"Cannot delete: in use"}'],
  [
    { status: "rejected", reason: "insufficient funds" },
    '{"status":"rejected","reason":"insufficient funds"}',
  ],
  [{ message: "Not deleted" }, '{"message":"Not deleted"}'],
  [{ message: "Issue deleted" }, null],
  [{ code: 20_000, message: "success", data: null }, null],
  [{ code: 0, msg: "", data: null }, null],
  [{ status: "queued" }, null],
  [{ deleted: true, id: 7 }, null],
  [{ jobs: 3 }, null],
])("RUN-041: what %j says that is no plain success", (body, words) => {
  expect(troubleWords(body)).toBe(words);
});
