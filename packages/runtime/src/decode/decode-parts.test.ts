import type { Json } from "@plasm/core";
import { describe, expect, test } from "vitest";
import { apiText } from "./api-text.ts";
import { deriveValue } from "./decode-row.ts";
import { createDiagnosticLog } from "../base/diagnostic.ts";
import { parseJson } from "./parse-json.ts";
import { preprocess } from "./collection.ts";

const plain = (text: string): string => text;

describe("RUN-034: derive", () => {
  const segments = {
    type: "segments_after_prefix",
    prefix: "https://host/",
    alternatePrefixes: ["git@host:"],
    partIndex: 1,
  } as const;
  const lookup = {
    type: "name_value_array_lookup",
    equals: "From",
    matchKeyField: "name",
    valueField: "value",
    caseInsensitive: true,
  } as const;
  const pair = {
    type: "colon_pair_prefer_keys_else_block_refs",
    preferKeys: ["uid", "ref"],
    blocksKey: "blocks",
    refField: "ref",
    segment: "crate",
  } as const;
  test.each<[string, Parameters<typeof deriveValue>[0], Json, Json, boolean]>([
    ["a part", segments, "https://host//a/b.git/", "b", false],
    ["after an alternate prefix", segments, "git@host:a/b.git", "b", false],
    ["no such part", segments, "https://host/a", null, false],
    ["no matching prefix", segments, "ftp://x", null, true],
    ["not text", segments, 7, null, true],
    [
      "a named value",
      lookup,
      [
        { name: "to", value: 1 },
        { name: "FROM", value: 2 },
      ],
      2,
      false,
    ],
    ["no named value", lookup, [], null, false],
    ["not a list", lookup, {}, null, true],
    [
      "a member",
      { type: "object_key_lookup", key: "A", caseInsensitive: true },
      { a: 3 },
      3,
      false,
    ],
    ["a preferred key", pair, { ref: "x:crate:9", blocks: [] }, "9", false],
    ["a block's ref", pair, { uid: "none", blocks: [{}, { ref: "crate:4:z" }] }, "4", false],
    ["null", lookup, null, null, false],
  ])("%s", (_name, rule, input, value, problem) => {
    const derived = deriveValue(rule, input);
    expect([derived.value, derived.problem !== null]).toEqual([value, problem]);
  });
});

describe("RUN-033: JSON numbers", () => {
  test.each<[string, Json]>([
    ["1", 1],
    ["0.1", 0.1],
    ["9007199254740993", "9007199254740993"],
    ["12345678901234567890.5", "12345678901234567890.5"],
    ["1e309", "1e309"],
    ["1.50", 1.5],
    ['"12345678901234567890"', "12345678901234567890"],
  ])("%s", (text, expected) => {
    expect(parseJson(`{"a":[${text}]}`, 128)).toEqual({ ok: true, value: { a: [expected] } });
  });

  test.each([
    [String.raw`{"a":"x\ud800y"}`, { a: "x\ufffdy" }],
    [String.raw`{"a":"\uDC00\ud83c\udf33\uD83C"}`, { a: "\ufffd🌳\ufffd" }],
    [String.raw`{"\ud800":["\ud800\ud800"]}`, { "\ufffd": ["\ufffd\ufffd"] }],
    [String.raw`{"a":"\\ud800 \\\ud800"}`, { a: "\\ud800 \\\ufffd" }],
  ])("halves of surrogate pairs in %s become U+FFFD", (json, expected) => {
    expect(parseJson(json, 128)).toEqual({ ok: true, value: expected, malformed: true });
  });

  test("brackets in strings do not nest; depth is bounded", () => {
    expect(parseJson(`["${"[".repeat(300)}"]`, 128).ok).toBe(true);
    expect(parseJson(`${"[".repeat(128)}${"]".repeat(128)}`, 128).ok).toBe(true);
    expect(parseJson(`${"[".repeat(129)}${"]".repeat(129)}`, 128)).toEqual({
      ok: false,
      reason: "depth",
    });
  });
});

describe("RUN-039: API text", () => {
  test.each<[string, Json, string | null]>([
    ["message", { message: "no" }, "no"],
    ["errorMessages", { errorMessages: ["a", "b"] }, "a; b"],
    [
      "errors as a map",
      { errors: { size: ["too big", "odd"], name: "blank" } },
      "size: too big, odd; name: blank",
    ],
    ["errors as a list", { errors: [{ message: "a" }, "b"] }, "a; b"],
    [
      "errors that are codes",
      { message: "Bad", errors: [{ field: "size", code: "missing" }, {}] },
      'Bad: {"field":"size","code":"missing"}',
    ],
    [
      "errors that the message says already",
      {
        message: "owner must be a person; name is blank",
        errors: [{ message: "must be a person" }, { message: "is blank" }, { message: "is long" }],
      },
      "owner must be a person; name is blank: is long",
    ],
    [
      "an error that is part of a word only",
      { message: "not open", errors: ["no"] },
      "not open: no",
    ],
    ["error and description", { error: "denied", error_description: "by rule" }, "denied: by rule"],
    ["error as an object", { error: { message: "deep" } }, "deep"],
    [
      "a documentation link",
      { message: "no", documentation_url: "https://d/x" },
      "no (https://d/x)",
    ],
    [
      "17.8 a problem document (RFC 9457)",
      {
        type: "https://api.example/problems/no-credit",
        title: "You do not have enough credit.",
        status: 403,
        detail: "Your balance is 30, but that costs 50.",
        instance: "/account/1/msgs/abc",
        balance: 30,
        errors: [{ detail: "must be positive", pointer: "#/age" }],
      },
      'You do not have enough credit.: Your balance is 30, but that costs 50.: #/age: must be positive {"balance":30} (https://api.example/problems/no-credit)',
    ],
    [
      "17.8 a problem of no type",
      { type: "about:blank", title: "Gone", detail: "It is gone." },
      "Gone: It is gone.",
    ],
    [
      "17.8 error with reasons and details",
      {
        error: {
          code: 403,
          message: "Daily limit exceeded",
          status: "PERMISSION_DENIED",
          errors: [
            { domain: "usage", reason: "dailyLimitExceeded", message: "Daily limit exceeded" },
          ],
          details: [
            {
              "@type": "type.example/ErrorInfo",
              reason: "RATE_LIMIT",
              metadata: { service: "sheets" },
            },
            {
              "@type": "type.example/BadRequest",
              fieldViolations: [{ field: "range", description: "is empty" }],
            },
          ],
        },
      },
      'Daily limit exceeded: Daily limit exceeded (dailyLimitExceeded): {"reason":"RATE_LIMIT","metadata":{"service":"sheets"}}; range: is empty',
    ],
    [
      "17.8 JSON:API",
      {
        errors: [
          {
            status: "422",
            title: "Invalid",
            detail: "is too short",
            source: { pointer: "/data/name" },
          },
        ],
      },
      "/data/name: Invalid: is too short",
    ],
    [
      "17.8 a list of problems under detail",
      { detail: [{ loc: ["body", "size"], msg: "field required", type: "value_error" }] },
      "body.size: field required",
    ],
    [
      "17.8 reason and code beside a message",
      {
        message: "Cannot merge",
        reason: "use close",
        code: "not_open",
        status: 409,
        request_id: "r1",
      },
      "Cannot merge (use close, not_open)",
    ],
    [
      "17.8 a map of lists of objects",
      { errors: { name: [{ message: "is blank" }] } },
      "name: is blank",
    ],
    [
      "17.8 detail alone, with what is beside it",
      { detail: "No.", allowed: ["a"] },
      'No. {"allowed":["a"]}',
    ],
    ["17.8 a reason alone", { reason: "quota", limit: 5 }, '{"reason":"quota","limit":5}'],
    ["17.8 a list", [{ message: "a" }, { field: "b", message: "c" }], "a; b: c"],
    ["text", "plain\u0000  words\n", "plain words"],
    ["any other JSON", { code: 7 }, '{"code":7}'],
    ["nothing", null, null],
  ])("%s", (_name, body, expected) => {
    expect(apiText(body, plain)).toBe(expected);
  });
});

describe("MAP-033: preprocess", () => {
  const act = (
    rule: Parameters<typeof preprocess>[0],
    body: Json,
    variables = {},
    rows: readonly string[] | null = null,
  ) => {
    const log = createDiagnosticLog("n1");
    return [preprocess(rule, body, variables, log, rows), log.entries().map(({ code }) => code)];
  };
  const pluck = {
    kind: "array_find_pluck",
    path: ["depots"],
    idField: "id",
    idVar: "depot",
    nestedArray: "members",
  } as const;
  const depots = {
    depots: [
      { id: 1, members: ["a"] },
      { id: 2, members: ["b"] },
    ],
  };

  test("pluck", () => {
    expect(act(pluck, depots, { depot: "2" })).toEqual([{ members: ["b"] }, []]);
    expect(act(pluck, depots, { depot: "9" })).toEqual([{ members: [] }, []]);
    expect(act(pluck, { other: 1 })).toEqual([{ other: 1 }, ["preprocess_path"]]);
  });

  test("concat and objects from ids", () => {
    const concat = {
      kind: "concat_field_arrays",
      path: ["depots"],
      fromEach: ["members"],
    } as const;
    expect(act(concat, depots)[0]).toEqual({ depots: ["a", "b"] });
    expect(act(concat, depots, {}, ["depots"])[0]).toEqual({ depots: ["a", "b"] });
    // 17.8: under the items' key, where rows are looked for.
    expect(act(concat, depots, {}, ["members"])[0]).toEqual({ ...depots, members: ["a", "b"] });
    expect(act(concat, depots, {}, ["all", "members"])[0]).toEqual({
      ...depots,
      all: { members: ["a", "b"] },
    });
    const root = { ...concat, path: [] };
    expect(act(root, depots.depots, {}, ["results"])[0]).toEqual(["a", "b"]);
    expect(act(root, { members: ["a"] }, {}, ["results"])[0]).toEqual({
      members: ["a"],
      results: ["a"],
    });
    const ids = { kind: "string_ids_to_field_objects", path: ["a", "ids"], field: "id" } as const;
    expect(act(ids, { a: { ids: ["x", 1] }, b: 2 })[0]).toEqual({
      a: { ids: [{ id: "x" }, { id: 1 }] },
      b: 2,
    });
  });
});
