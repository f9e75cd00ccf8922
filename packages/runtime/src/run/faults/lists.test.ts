import {
  type Answer,
  type Fault,
  jsonAnswer,
  pages,
  type Received,
  redirectTo,
} from "@plasm/testkit";
import { describe, expect, test } from "vitest";
import {
  API,
  BY_HEADER,
  BY_QUERY,
  FRIEND,
  type FaultSeen,
  readThrough,
  STRANGER,
  toldBack,
  toldTo,
} from "../../testing/fault-run.ts";

const rows = (...ids: readonly string[]) => ids.map((id) => ({ id }));

const CURSOR = "response: items_list\npagination: { params: { cursor: { from_response: next } } }";
const COUNTER = "response: items_list\npagination: { params: { page: { counter: 1 } } }";
const NEXT =
  "response: items_list\npagination: { location: response_next_url, response_next_url_field: next, params: {} }";
const LINK = "response: items_list\npagination: { location: link_header, params: {} }";

const listOf = (page: (request: Received) => Answer): Fault => pages(page);

interface Row {
  readonly name: string;
  readonly list: string;
  readonly fault: Fault;
  readonly ids: readonly string[];
  readonly notes: readonly string[];
  readonly partial?: string;
  readonly sent: number;
}

/** RUN-072, RUN-073: what would never end ends, with what was read and why. */
const ENDLESS: readonly Row[] = [
  {
    name: "a cursor that leads to itself",
    list: CURSOR,
    fault: listOf(() => jsonAnswer({ items: rows("a"), next: "k" })),
    ids: ["a"],
    notes: ["cursor_repeated", "row_repeated", "rows_unread"],
    partial: "rows_unread",
    sent: 2,
  },
  {
    name: "a loop of three cursors",
    list: CURSOR,
    fault: listOf(({ query }) => {
      const at = Number(query.get("cursor") ?? 0);
      return jsonAnswer({ items: rows(`r${at}`), next: String((at % 3) + 1) });
    }),
    ids: ["r0", "r1", "r2", "r3"],
    notes: ["cursor_repeated", "rows_unread"],
    partial: "rows_unread",
    sent: 4,
  },
  {
    name: "next URLs in a loop",
    list: NEXT,
    fault: listOf(({ query }) =>
      jsonAnswer({
        items: rows(query.get("p") ?? "0"),
        next: query.get("p") === "1" ? "?p=2" : "?p=1",
      }),
    ),
    ids: ["0", "1", "2"],
    notes: ["cursor_repeated", "rows_unread"],
    partial: "rows_unread",
    sent: 3,
  },
  {
    name: "a counter whose pages are all the same",
    list: COUNTER,
    fault: listOf(() => jsonAnswer({ items: rows("a", "b") })),
    ids: ["a", "b"],
    notes: ["page_repeated", "rows_unread"],
    partial: "rows_unread",
    sent: 2,
  },
  {
    name: "empty pages behind ever new cursors",
    list: CURSOR,
    fault: listOf(({ number }) => jsonAnswer({ items: [], next: `k${number}` })),
    ids: [],
    notes: ["empty_pages", "rows_unread"],
    partial: "rows_unread",
    sent: 10,
  },
  {
    name: "empty pages behind ever new URLs",
    list: LINK,
    fault: listOf(({ number }) =>
      jsonAnswer({ items: [] }, 200, { link: `</crates?p=${number}>; rel=next` }),
    ),
    ids: [],
    notes: ["empty_pages", "rows_unread"],
    partial: "rows_unread",
    sent: 10,
  },
  {
    name: "ever new cursors with the same rows",
    list: CURSOR,
    fault: listOf(({ number }) => jsonAnswer({ items: rows("a"), next: `k${number}` })),
    ids: ["a"],
    notes: ["row_repeated"],
    partial: "pages",
    sent: 100,
  },
  {
    name: "two pages in turn under a counter",
    list: COUNTER,
    fault: listOf(({ number }) => jsonAnswer({ items: rows(number % 2 === 0 ? "b" : "a") })),
    ids: ["a", "b"],
    notes: ["row_repeated"],
    partial: "pages",
    sent: 100,
  },
  {
    name: "ever new rows",
    list: CURSOR,
    fault: listOf(({ number }) =>
      jsonAnswer({ items: rows(String(number + 1000)), next: `k${number}` }),
    ),
    ids: Array.from({ length: 100 }, (_none, at) => String(at + 1001)),
    notes: [],
    partial: "pages",
    sent: 100,
  },
];

describe("lists without end", () => {
  test.each(ENDLESS)("$name", async ({ list, fault, ids, notes, partial, sent }) => {
    const seen = await readThrough({ list, rules: [{ fault }], whole: true });
    expect([seen.error, seen.ids, seen.codes.toSorted()]).toEqual([null, ids, notes]);
    expect(seen.partial).toBe(partial ?? null);
    // What no request can ask for is behind no cursor.
    expect(seen.hasCursor).toBe(partial === "pages");
    expect(seen.api.requests).toHaveLength(sent);
  });
});

/** A first page with the next one elsewhere, in the body or in a header. */
const nextIn = (where: "body" | "header", url: string): Fault =>
  where === "body"
    ? pages(() => jsonAnswer({ items: rows("a"), next: url }))
    : pages(() => jsonAnswer({ items: rows("a") }, 200, { link: `<${url}>; rel="next"` }));

const quiet = (seen: FaultSeen): void => {
  expect(seen.stranger.requests).toEqual([]);
  expect(toldTo(seen.friend)).toEqual([]);
  expect(toldBack(seen.outcome)).toEqual([]);
};

const ELSEWHERE = [
  `${STRANGER}/next`,
  "//stranger.example/next",
  API.replace("https:", "http:"),
  "http://127.0.0.1:1/next",
  "http://localhost:1/next",
  "http://[::1]:1/next",
  "http://10.0.0.1/next",
  "http://169.254.169.254/latest/meta-data",
  "https://api.depot.example:8443/next",
  "https://api.depot.example@stranger.example/next",
  "file:///etc/passwd",
  "data:application/json,[]",
];

describe.each(["body", "header"] as const)("RUN-074 next pages, told in the %s", (where) => {
  const list = where === "body" ? NEXT : LINK;

  test.each(ELSEWHERE)("%s is refused with the rows so far", async (url) => {
    const seen = await readThrough({ list, rules: [{ fault: nextIn(where, url) }], whole: true });
    expect([seen.error, seen.ids, seen.partial]).toEqual([null, ["a"], "origin_refused"]);
    expect(seen.codes).toEqual(["origin_refused"]);
    expect(seen.api.requests).toHaveLength(1);
    quiet(seen);
    expect(seen.friend.requests).toEqual([]);
  });

  test("an origin that the catalog may call gets no credential and no template header", async () => {
    const rules = [{ fault: nextIn(where, `${FRIEND}/more`) }];
    for (const top of [BY_HEADER, BY_QUERY]) {
      const seen = await readThrough({ list, top, rules, whole: true });
      expect([seen.error, seen.ids]).toEqual([null, ["a", "z"]]);
      expect(seen.friend.requests.map(({ url }) => url)).toEqual(["/more"]);
      quiet(seen);
    }
  });

  test("a name and password in it are left out", async () => {
    const url = `${API.replace("//", "//ann:pass@")}/crates?p=2`;
    const on = { first: 1 };
    const seen = await readThrough({
      list,
      rules: [{ fault: nextIn(where, url), on }],
      whole: true,
    });
    expect([seen.error, seen.ids]).toEqual([null, ["a", "b"]]);
    expect(seen.api.requests.map((request) => request.url)).toEqual(["/crates", "/crates?p=2"]);
    expect(seen.api.requests[1]?.headers.authorization).toMatch(/^Bearer /);
  });

  test("RUN-140 an origin that it may call but that is a private address", async () => {
    const top = `${BY_HEADER}\nallow_origins: [https://127.0.0.1:1]`;
    const rules = [{ fault: nextIn(where, "https://127.0.0.1:1/next") }];
    const seen = await readThrough({ list, top, ownOrigins: true, rules, whole: true });
    expect([seen.error, seen.ids, seen.partial]).toEqual([null, ["a"], "origin_refused"]);
    quiet(seen);
  });

  test("RUN-140 a next page that redirects to a private address", async () => {
    const rules = [
      { fault: nextIn(where, "/crates?p=2"), on: { first: 1 } },
      { fault: redirectTo("http://169.254.169.254/") },
    ];
    const seen = await readThrough({ list, top: BY_QUERY, rules, whole: true });
    expect([seen.error, seen.ids, seen.partial]).toEqual([null, ["a"], "origin_refused"]);
    quiet(seen);
  });
});

describe("RUN-027, RUN-141 redirects of reads", () => {
  const CREDENTIALS = [
    ["header", BY_HEADER],
    ["query key", BY_QUERY],
  ] as const;

  test.each(CREDENTIALS)(
    "to a friend, with a credential in a %s: it comes without",
    async (_name, top) => {
      for (const status of [301, 302, 303, 307, 308]) {
        const rules = [{ fault: redirectTo(`${FRIEND}/there?x=1`, status) }];
        const seen = await readThrough({ top, rules });
        expect([seen.error, seen.ids]).toEqual([null, ["z"]]);
        expect(seen.friend.requests.map(({ url }) => url)).toEqual(["/there?x=1"]);
        expect(toldTo(seen.api)).toEqual(["SECRET", "TENANT"]);
        quiet(seen);
      }
    },
  );

  test.each(CREDENTIALS)("from a read by POST, with a credential in a %s", async (_name, top) => {
    for (const status of [302, 307]) {
      const rules = [{ fault: redirectTo(`${FRIEND}/there`, status) }];
      const seen = await readThrough({ top, rules, method: "POST" });
      expect(seen.friend.requests.map(({ method }) => method)).toEqual([
        status === 302 ? "GET" : "POST",
      ]);
      quiet(seen);
    }
  });

  test.each([
    [API.replace("https:", "http:"), "plain http"],
    [`${STRANGER}/there`, "plain http"],
    ["file:///etc/passwd", "no http"],
    ["https://127.0.0.1:1/", "private address"],
    ["https://169.254.169.254/latest", "private address"],
    ["https://[fd00::1]/", "private address"],
  ])("to %s is refused: %s", async (location, words) => {
    for (const [, top] of CREDENTIALS) {
      const seen = await readThrough({ top, rules: [{ fault: redirectTo(location) }] });
      expect(seen.error).toMatchObject({ code: "origin_refused", retryable: false });
      expect(`${seen.error?.message}`).toContain(words);
      expect(seen.api.requests).toHaveLength(1);
      quiet(seen);
      expect(seen.friend.requests).toEqual([]);
    }
  });

  test("round in a circle: six requests, no more", async () => {
    const seen = await readThrough({ rules: [{ fault: redirectTo("/crates") }] });
    expect(seen.error).toMatchObject({ code: "origin_refused" });
    expect(seen.error?.message).toContain("more than 5 times");
    expect(seen.api.requests).toHaveLength(6);
  });

  test("without a place to go to is a failure, not rows", async () => {
    const seen = await readThrough({ rules: [{ fault: pages(() => jsonAnswer(null, 302)) }] });
    expect(seen.error).toMatchObject({ code: "upstream_error" });
    expect(seen.api.requests).toHaveLength(1);
  });
});
