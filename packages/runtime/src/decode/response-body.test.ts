import { expect, test } from "vitest";
import { readBody } from "./response-body.ts";

const read = (mediaType: string, body: string | Uint8Array) =>
  readBody(
    {
      status: 200,
      headers: [["Content-Type", mediaType]],
      body: typeof body === "string" ? new TextEncoder().encode(body) : body,
    },
    128,
  );

const UNKNOWN = "application/octet-stream";

test.each<[string, string, unknown]>([
  ["an object", '{"os": "linux"}', { os: "linux" }],
  ["a list", "\n [1, 2]", [1, 2]],
])(
  "%s of no known type is JSON: a 2xx that is JSON is no attachment (RUN-038)",
  (_, body, value) => {
    expect(read(UNKNOWN, body)).toStrictEqual({ kind: "json", value });
    expect(read("text/plain", body)).toStrictEqual({ kind: "json", value });
  },
);

test.each<[string, string | Uint8Array]>([
  ["half an object", '{"os": "li'],
  ["an object and more", '{"os": 1} tail'],
  ["a lone brace", "{"],
  ["a number", "12"],
  ["quoted text", '"text"'],
  ["markup", "<p>"],
  ["bytes that are no UTF-8", Uint8Array.from([0x5b, 0x22, 0xff, 0x22, 0x5d])],
  ["an object deeper than the limit", `${"[".repeat(200)}${"]".repeat(200)}`],
])("%s of no known type stays bytes (RUN-038)", (_, body) => {
  expect(read(UNKNOWN, body)).toMatchObject({ kind: "other", mediaType: UNKNOWN });
});

test("a type that says something else is believed (RUN-038)", () => {
  expect(read("image/png", '{"os": "linux"}')).toMatchObject({ kind: "other" });
});
