import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startServer, type TestServer } from "@plasm/testkit/servers";
import { catalogOf, run, type Setting } from "../testing/fixture-run.ts";
import { planProgram } from "../testing/run-program.ts";

const DOMAIN = `
version: 1
http_backend: http://127.0.0.1:1
values:
  text: { type: string, string_semantics: short }
  prose: { type: string, string_semantics: markdown }
  bytes: { type: string, string_semantics: blob }
  scan: { type: entity_ref, target: Scan }
entities:
  Scan:
    id_field: id
    fields:
      id: { value_ref: text }
      words: { value_ref: prose, agent_presentation: reference_only }
      plain: { value_ref: text, agent_presentation: reference_only }
      page: { value_ref: prose, agent_presentation: reference_only, mime_type_hint: text/x-page }
      photo: { value_ref: bytes }
      film: { value_ref: bytes, attachment_media: video }
      other: { value_ref: bytes, agent_presentation: default, attachment_media: generic }
      note: { value_ref: prose, agent_presentation: lossy }
      next: { value_ref: scan }
capabilities:
  scan_query: { kind: query, entity: Scan }
  scan_get: { kind: get, entity: Scan }
`;

const MAPPINGS = `
scan_query: { method: GET, path: [{ type: literal, value: scans }], response: bare_list }
scan_get: { method: GET, path: [{ type: literal, value: scans }, { type: var, name: id }], response: single }
`;

let server: TestServer;
let setting: Setting;

beforeAll(async () => {
  const bytes = { words: "# w", plain: "p", page: "g", photo: "AAAA", film: "BBBB", other: "CC" };
  const row = { id: "s1", ...bytes, note: "n", next: { id: "s2", ...bytes, note: "m" } };
  server = await startServer(({ path }) => ({ json: path === "/scans" ? [row] : row.next }));
  setting = { catalogs: [catalogOf("scans", DOMAIN, MAPPINGS)], backends: { scans: server.url } };
});
afterAll(() => server.close());

async function presented(program: string) {
  const { nodes, returns } = planProgram(program, setting.catalogs);
  const [result] = (await run(setting, nodes, returns)).results;
  expect(result?.rows).toHaveLength(1);
  return result?.presented.map((each) => {
    return [each.column, each.as === "reference" ? each.media : each.as];
  });
}

describe("RUN-038: what a column's field says of how an agent is shown it", () => {
  test.each<[string, string, readonly (readonly string[])[]]>([
    [
      "whole rows; blobs by their type",
      "Scan",
      [
        ["film", "video"],
        ["note", "lossy"],
        ["other", "blob"],
        ["page", "text/x-page"],
        ["photo", "blob"],
        ["plain", "text"],
        ["words", "markdown"],
      ],
    ],
    [
      "a projection",
      "Scan[id, words, note]",
      [
        ["words", "markdown"],
        ["note", "lossy"],
      ],
    ],
    ["a field behind a reference", "Scan[id, next.words]", [["next.words", "markdown"]]],
    ["columns that are shown as they are", "Scan[id, next]", []],
    ["what a program computes is shown", "Scan => {w: _.words}", []],
    ["counts", "Scan.aggregate(n=count)", []],
  ])("%s", async (_what, program, expected) => {
    expect(await presented(program)).toEqual(expected);
  });
});
