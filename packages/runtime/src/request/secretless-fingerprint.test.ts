import { Buffer } from "node:buffer";
import type { RequestDescription } from "@plasm/core/internal";
import { expect, test } from "vitest";
import { createRedactor, secretless } from "./auth/redactor.ts";
import { encodeBody } from "./address-request.ts";
import { fingerprint } from "./fingerprint.ts";
import type { WireRequest } from "./wire-request.ts";

const BASE = "http://127.0.0.1:4801";
const SECRET = "zz h4ll(t0ken)";
const MASK = "[redacted]";

type Sample = Partial<Pick<WireRequest, "url">> & { readonly body?: RequestDescription["body"] };

/** The fingerprint of a request to a recording that knows these secrets. */
function recorded({ url = `${BASE}/boats`, body }: Sample, secrets: readonly string[]): string {
  const redactor = createRedactor();
  for (const secret of secrets) redactor.add(secret);
  const encoded = body === undefined ? null : encodeBody(body);
  const request: WireRequest = {
    transport: "http",
    method: "POST",
    url,
    origin: BASE,
    host: "127.0.0.1:4801",
    engineHeaders: encoded === null ? [] : [["Content-Type", encoded.contentType]],
    templateHeaders: [],
    body: encoded?.bytes ?? null,
    trusted: true,
    pathTemplate: "/boats",
  };
  return fingerprint(request, BASE, [], (data) => secretless(data, redactor));
}

const basic = (text: string): string => Buffer.from(`me:${text}`).toString("base64");

const samples: readonly [string, (text: string) => Sample][] = [
  ["a path", (text) => ({ url: `${BASE}/${encodeURIComponent(text)}/boats` })],
  ["a query, sorted", (text) => ({ url: `${BASE}/?a=m&a=${encodeURIComponent(text)}` })],
  ["JSON", (text) => ({ body: { format: "json", value: { a: [text, `Bearer ${text}`] } } })],
  ["base64", (text) => ({ body: { format: "json", value: basic(text) } })],
  ["a form", (text) => ({ body: { format: "form_urlencoded", pairs: [["a", text]] } })],
  [
    "parts, whose boundary is made of them",
    (text) => ({ body: { format: "multipart", parts: [{ kind: "text", name: "a", text }] } }),
  ],
];

test.each(samples)("RUN-162: a secret and its mask are the same to a recording, in %s", (_, at) => {
  expect(recorded(at(MASK), [])).toBe(recorded(at(SECRET), [SECRET]));
  expect(recorded(at("other"), [SECRET])).not.toBe(recorded(at(SECRET), [SECRET]));
});
