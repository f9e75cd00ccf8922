import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fingerprint, readKey } from "./fingerprint.ts";
import type { WireRequest } from "./wire-request.ts";

const BASE = "http://127.0.0.1:4801/api";

const request = (over: Partial<WireRequest> = {}): WireRequest => ({
  transport: "http",
  method: "GET",
  url: `${BASE}/boats?b=2&a=1`,
  origin: "http://127.0.0.1:4801",
  host: "127.0.0.1:4801",
  engineHeaders: [],
  templateHeaders: [],
  body: null,
  trusted: true,
  pathTemplate: "/boats",
  ...over,
});

const jsonBody = (text: string): Partial<WireRequest> => ({
  method: "POST",
  engineHeaders: [["Content-Type", "application/json"]],
  body: Buffer.from(text),
});

describe("RUN-160: the fingerprint", () => {
  test("is SHA-256 of the RFC 8785 form of transport, method, path, sorted query, body", () => {
    const text =
      '{"body":null,"format":null,"method":"GET","path":"{backend}/boats","query":[["a","1"],["b","2"]],"transport":"http"}';
    expect(fingerprint(request(), BASE)).toBe(createHash("sha256").update(text).digest("hex"));
  });

  test.each<[string, Partial<WireRequest>, string]>([
    ["the backend's place", { url: "https://api.example/boats?b=2&a=1" }, "https://api.example"],
    ["the order of the query", { url: `${BASE}/boats?a=1&b=2` }, BASE],
    ["headers", { templateHeaders: [["X-Key", "s"]] }, BASE],
    ["names of variables", { pathTemplate: "/{kind}" }, BASE],
  ])("does not depend on %s", (_name, over, base) => {
    expect(fingerprint(request(over), base)).toBe(fingerprint(request(), BASE));
  });

  test("leaves out the query key that carries a credential", () => {
    const url = `${BASE}/boats?a=1&b=2&key=s3cret`;
    expect(fingerprint(request({ url }), BASE, ["key"])).toBe(fingerprint(request(), BASE));
  });

  test.each<[string, Partial<WireRequest>]>([
    ["method", { method: "DELETE" }],
    ["transport", { transport: "graphql" }],
    ["path", { url: `${BASE}/boat?b=2&a=1` }],
    ["a place beside the base", { url: "http://127.0.0.1:4801/apiboats?b=2&a=1" }],
    ["another origin", { url: "http://127.0.0.2:4801/api/boats?b=2&a=1" }],
    ["query", { url: `${BASE}/boats?b=2&a=1&a=1` }],
    ["body", jsonBody("{}")],
  ])("depends on %s", (_name, over) => {
    expect(fingerprint(request(over), BASE)).not.toBe(fingerprint(request(), BASE));
  });

  test("JSON bodies are equal by what they hold, lone surrogates included", () => {
    const of = (text: string) => fingerprint(request(jsonBody(text)), BASE);
    expect(of('{"a":1,"b":[2]}')).toBe(of('{"b":[2.0],"a":1}'));
    expect(of(String.raw`{"a":"\ud800"}`)).toBe(of(String.raw`{"a":"\ud800"}`));
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(of(text)).toBe(of(JSON.stringify(JSON.parse(text), null, 2)));
      }),
    );
  });
});

/** Some say the same in other words, and some nearly do. */
const QUERIES = [
  "",
  "?",
  "?a=1&b=2",
  "?b=2&a=1",
  "?a=1",
  "?a=1&",
  "?a=%31",
  "?key=s&a=1",
  '?a="1"',
  "?a",
  "?a=",
  "?a=1+2",
  "?a=1%202",
  "?a=1=2",
  "?a=1%3D2",
  "?a=1#b",
];

describe("RUN-023: what tells reads from others", () => {
  const short = <T>(...of: T[]) => fc.constantFrom(...of);
  const requests = fc
    .record({
      transport: short("http", "graphql") as fc.Arbitrary<WireRequest["transport"]>,
      method: short("GET", "POST") as fc.Arbitrary<WireRequest["method"]>,
      place: short(BASE, "https://other.example/api", `${BASE}s`),
      path: short("/boats", "/boats/1", "/a%22%2C%22b"),
      query: short(...QUERIES),
      body: short("", "{}", "{ }", '{"a":1,"b":2}', '{"b":2,"a":1}'),
    })
    .map(({ place, path, query, body, ...rest }) =>
      request({
        ...(body === "" ? {} : jsonBody(body)),
        ...rest,
        url: new URL(place + path + query).href,
      }),
    );

  test("is the same for equal fingerprints, and for no others", () => {
    fc.assert(
      fc.property(requests, requests, short<readonly string[]>([], ["key"]), (a, b, hidden) => {
        const equal = fingerprint(a, BASE, hidden) === fingerprint(b, BASE, hidden);
        expect(readKey(a, BASE, hidden) === readKey(b, BASE, hidden)).toBe(equal);
      }),
      { numRuns: 3000 },
    );
  });

  test.each<[string, Partial<WireRequest>]>([
    ["the order of the query", { url: `${BASE}/boats?a=1&b=2` }],
    ["a credential in the query", { url: `${BASE}/boats?b=2&key=secret&a=1` }],
    ["headers", { templateHeaders: [["X-Key", "s"]] }],
  ])("it does not depend on %s", (_what, over) => {
    expect(readKey(request(over), BASE, ["key"])).toBe(readKey(request(), BASE, ["key"]));
  });
});
