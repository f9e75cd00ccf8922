import { catalogOf, run } from "./src/testing/fixture-run.ts";
import { planProgram } from "./src/testing/run-program.ts";
import { startServer } from "@plasm/testkit/servers";
const domain = `
version: 1
http_backend: http://127.0.0.1:1
values:
  text: { type: string, string_semantics: short }
  sec: { type: date, value_format: unix_sec }
  ms: { type: date, value_format: unix_ms }
  iso: { type: date, value_format: rfc3339 }
  day: { type: date, value_format: iso8601_date }
  num: { type: number }
  int: { type: integer }
  free: { type: json }
entities:
  Slat:
    id_field: id
    fields:
      id: { value_ref: text }
      s: { value_ref: sec }
      m: { value_ref: ms }
      i: { value_ref: iso }
      d: { value_ref: day }
      p: { value_ref: num }
      q: { value_ref: int }
      j: { value_ref: free }
    relations: {}
capabilities:
  slat_query:
    kind: query
    entity: Slat
    provides: [id, s, m, i, d, p, q, j]
  slat_update:
    kind: update
    entity: Slat
    parameters: [{ name: s, value_ref: sec }, { name: m, value_ref: ms }, { name: i, value_ref: iso }, { name: d, value_ref: day }, { name: p, value_ref: num }, { name: q, value_ref: int }, {name: t, value_ref: text}]
    output: { type: side_effect, description: none }
`;
const mappings = `
slat_query:
  method: GET
  path: [{ type: literal, value: slats }]
  response: { items: rows }
slat_update:
  method: PATCH
  path: [{ type: literal, value: slats }, { type: var, name: id }]
  body: { type: object, fields: [[s, { type: var, name: s }], [m, { type: var, name: m }], [i, { type: var, name: i }], [d, { type: var, name: d }], [p, { type: var, name: p }], [q, { type: var, name: q }], [t, { type: var, name: t }]] }
  response: { none: true }
`;
let cat: any;
try {
  cat = catalogOf("slats", domain, mappings);
} catch (e: any) {
  console.log(e.message);
  process.exit(1);
}
const rows = [
  {
    id: "a",
    s: 1767225600,
    m: 1767225600000,
    i: "2026-01-01T05:00:00+05:00",
    d: "2026-01-01",
    p: "12.10",
    q: 3,
    j: { k: "2026-01-01T00:00:00Z", n: "5", b: 2 },
  },
  {
    id: "b",
    s: 1767312000,
    m: 1767312000500,
    i: "2026-01-02T23:30:00-05:00",
    d: "2026-01-03",
    p: "9.5",
    q: "12345678901234567890",
    j: { k: 1767225600, n: 7, b: 3 },
  },
  { id: "c", s: null, m: null, i: null, d: null, p: "0.123456789012345678901", q: null, j: null },
];
const log: string[] = [];
const server = await startServer((r: any) => {
  log.push(r.method + " " + r.path + " " + r.body);
  return r.method === "GET" ? { json: { rows } } : { status: 204, text: "" };
});
import { readFileSync } from "node:fs";
for (const l of readFileSync(process.argv[2], "utf8").split("\n")) {
  if (!l.trim()) continue;
  log.length = 0;
  const text = l.replaceAll("\\n", "\n");
  console.log(">>> " + l);
  try {
    const { nodes, returns } = planProgram(text, [cat]);
    const r: any = await run(
      { catalogs: [cat], backends: { slats: server.url } } as any,
      nodes,
      returns,
    );
    for (const x of r.results)
      console.log(
        "   ",
        x.partial ?? "",
        JSON.stringify(x.rows.map((y: any) => y.values)),
        x.diagnostics?.length ? JSON.stringify(x.diagnostics).slice(0, 300) : "",
      );
    if (r.status !== "succeeded")
      console.log("   ", JSON.stringify(r.nodes.map((n: any) => n.error)).slice(0, 400));
    const w = log.filter((y) => !y.startsWith("GET"));
    if (w.length) console.log("    REQ", w.join("; "));
  } catch (e: any) {
    console.log("    " + e.message.split("\n").slice(0, 4).join(" | ").slice(0, 400));
  }
}
await server.close();
