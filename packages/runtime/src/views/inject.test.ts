import { afterAll, beforeAll, expect, test } from "vitest";
import { startServer, type TestServer } from "@plasm/testkit/servers";
import { runView, valuesOf } from "../testing/run-view.ts";
import type { SessionOrigins } from "./view-scope.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer(() => ({ json: { results: [] } }));
});
afterAll(() => server.close());

const DEPOT = "{ name: depot, value_ref: text, required: true }";
const OUTPUT =
  "{ depot: { kind: scope, param: depot }, text: { kind: scope, param: ui }, more: { kind: scope, param: at } }";
/** The ways to write the last two scope parameters: required or not. */
const scopeOf = (required: boolean) =>
  `[${DEPOT}, { name: ui, value_ref: text, required: ${required}, inject: session_ui_origin }, { name: at, value_ref: text, required: ${required}, inject: session_transport_origin }]`;

const PARAMETERS = ", { name: ui, value_ref: text, required: true }, { name: at, value_ref: text }";

test.each([
  [
    "the session's own",
    { ui: "https://ui.x/", transport: "https://in.x" },
    "https://ui.x",
    "https://in.x",
  ],
  ["the transport's for the pages", { transport: "https://in.x/" }, "https://in.x", "https://in.x"],
  ["the backend's for both", {}, null, null],
] satisfies readonly (readonly [string, SessionOrigins, string | null, string | null])[])(
  "RUN-100: what is injected: %s",
  async (_name, origins, ui, at) => {
    for (const required of [true, false]) {
      const parts = { scope: scopeOf(required), parameters: PARAMETERS, output: OUTPUT };
      const text = "Today{depot=a}[text,more]";
      expect(valuesOf(await runView(server.url, parts, text, { origins }))).toEqual([
        { text: ui ?? server.url, more: at ?? server.url },
      ]);
    }
  },
);

test("RUN-100: the caller's value wins, a final / is cut", async () => {
  const parts = { scope: scopeOf(true), parameters: PARAMETERS, output: OUTPUT };
  const origins = { ui: "https://ui.x" };
  const text = 'Today{depot=a,ui="https://mine.x/"}[text]';
  expect(valuesOf(await runView(server.url, parts, text, { origins }))).toEqual([
    { text: "https://mine.x" },
  ]);
});
