import { findSecrets, jsonAnswer, redirectTo, requestText } from "@plasm/testkit";
import { describe, expect, test } from "vitest";
import { API, FRIEND, type FaultSeen, readThrough, toldBack } from "../../testing/fault-run.ts";

const SHARE = "sh4re/of+the=depot";
const sessionVariables = new Map([["depot", { share_token: SHARE }]]);

/** A list that is read by POST. */
const LIST = (body: string) => `response: items_list\n${body}`;
const WITH_SECRET = LIST(
  "body: { type: object, fields: [[share, { type: var, name: share_token }], [kind, { type: const, value: crate }]] }",
);
const IN_A_FORM = LIST(
  "body_format: form_urlencoded\nbody: { type: object, fields: [[share, { type: var, name: share_token }]] }",
);
const WITHOUT = LIST("body: { type: object, fields: [[kind, { type: const, value: crate }]] }");

const read = (list: string, location: string, status: number): Promise<FaultSeen> =>
  readThrough({
    list,
    method: "POST",
    rules: [{ fault: redirectTo(location, status), on: { first: 1 } }],
    over: { sessionVariables },
  });

const toldShare = ({ friend, stranger }: FaultSeen) =>
  [...friend.requests, ...stranger.requests].flatMap((request) =>
    findSecrets("request", requestText(request), { SHARE }),
  );

describe("RUN-027, RUN-141 a body that holds a secret stays at its origin", () => {
  test.each([
    ["JSON", WITH_SECRET],
    ["a form", IN_A_FORM],
  ])("a redirect that would take %s to another origin is refused", async (_name, list) => {
    for (const status of [307, 308]) {
      const seen = await read(list, `${FRIEND}/there`, status);
      expect(seen.error).toMatchObject({ code: "origin_refused", retryable: false });
      expect(seen.error?.message).toContain(`would go to ${FRIEND}, which gets none`);
      expect(seen.api.requests).toHaveLength(1);
      expect(seen.friend.requests).toEqual([]);
      expect(toldBack(seen.outcome)).toEqual([]);
      expect(JSON.stringify(seen.outcome)).not.toContain(SHARE);
    }
  });

  test("one that turns it into a GET leaves the body behind and is followed", async () => {
    for (const status of [301, 302, 303]) {
      const seen = await read(WITH_SECRET, `${FRIEND}/there`, status);
      expect([seen.error, seen.ids]).toEqual([null, ["z"]]);
      expect(seen.friend.requests.map(({ method, body }) => [method, body])).toEqual([["GET", ""]]);
      expect(toldShare(seen)).toEqual([]);
    }
  });

  test("at its own origin it is sent on", async () => {
    const seen = await read(WITH_SECRET, `${API}/there`, 307);
    expect(seen.error).toBeNull();
    const bodies = seen.api.requests.map(({ body }) => body);
    expect(bodies).toHaveLength(2);
    expect(bodies[1]).toBe(bodies[0]);
    expect(bodies[0]).toContain(SHARE);
  });

  test("one without a secret keeps method and body, as HTTP has it", async () => {
    const seen = await read(WITHOUT, `${FRIEND}/there`, 308);
    expect([seen.error, seen.ids]).toEqual([null, ["z"]]);
    expect(seen.friend.requests.map(({ method, body }) => [method, body])).toEqual([
      ["POST", '{"kind":"crate"}'],
    ]);
    expect(toldShare(seen)).toEqual([]);
  });

  test("neither does it follow a next page to another origin", async () => {
    const seen = await readThrough({
      list: `${WITH_SECRET}\npagination: { location: response_next_url, response_next_url_field: next, params: {} }`,
      method: "POST",
      whole: true,
      behind: () => jsonAnswer({ items: [{ id: "a" }], next: `${FRIEND}/there` }),
      over: { sessionVariables },
    });
    expect([seen.error, seen.ids, seen.partial]).toEqual([null, ["a"], "origin_refused"]);
    expect(seen.friend.requests).toEqual([]);
  });
});
