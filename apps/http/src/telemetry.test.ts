import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { openHost } from "@plasm/host";
import { createMcpHandler } from "@plasm/mcp";
import { fixtureCatalogDir } from "@plasm/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createHttpApp } from "./create-http-app.ts";

interface SentSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
}

/** What a collector of OTLP is sent, as JSON. */
interface Export {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[];
  }[];
}

// No text of random hexadecimal digits holds one of its values.
const BOAT = {
  id: "morning-star",
  name: "Alma",
  owner: "ann",
  length: 9.5,
  state: "moored",
  note: "",
};

let exports: Export[] = [];
let figures: unknown[] = [];
let asked: (string | undefined)[] = [];
let [dataDir, url] = ["", ""];

/** A collector and an API of one boat at one address. */
const server = createServer((request, response) => {
  const answer = (body: object): void => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  };
  if (request.url === "/v1/metrics") {
    void json(request).then((body) => {
      figures.push(body);
      answer({});
    });
    return;
  }
  if (request.url !== "/v1/traces") {
    asked.push(request.headers["traceparent"] as string | undefined);
    return answer(BOAT);
  }
  void json(request).then((body) => {
    exports.push(body as Export);
    answer({});
  });
});

beforeEach(async () => {
  [exports, asked, figures] = [[], [], []];
  dataDir = await mkdtemp(join(tmpdir(), "plasm-telemetry-"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await rm(dataDir, { recursive: true, force: true });
});

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const PARENT = "b7ad6b7169203331";

type Keys = Awaited<ReturnType<typeof openHost>>["operators"]["keys"];

const nothing = async (): Promise<void> => undefined;

/** Reads a boat over HTTP as a part of a caller's trace, with a host of these settings, until that has closed. */
async function readBoat(
  settings: Readonly<Record<string, string>>,
  andThen: (get: (key: string | null) => Promise<Response>, keys: Keys) => Promise<void> = nothing,
): Promise<void> {
  const env = { PLASM_BACKEND_QUAY: url, ...settings };
  const host = await openHost({ dataDir, catalogs: [fixtureCatalogDir("quay")], env });
  const { engine, connections, administrators } = host;
  const mcp = createMcpHandler({ engine, connections });
  const app = createHttpApp({ engine, mcp, administrators });
  const post = (path: string, body: object) =>
    app.fetch(
      new Request(`http://127.0.0.1${path}`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          traceparent: `00-${TRACE}-${PARENT}-01`,
        },
        body: JSON.stringify(body),
      }),
    );
  const seeds = [{ api: "quay", entity: "Boat" }];
  const opened = await post("/execute", { seeds, notation: "names" });
  const ran = await post(opened.headers.get("location") ?? "", {
    program: 'Boat("morning-star")[id, name]',
  });
  expect(await ran.text()).toContain("Alma");
  const get = async (key: string | null): Promise<Response> => {
    const headers = key === null ? {} : { authorization: `Bearer ${key}` };
    return app.fetch(new Request("http://127.0.0.1/metrics", { headers }));
  };
  await andThen(get, host.operators.keys);
  await host.close();
}

const spans = (): readonly SentSpan[] =>
  exports.flatMap(({ resourceSpans }) =>
    resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
  );

const named = (name: string): SentSpan => {
  const found = spans().find((span) => span.name === name);
  if (found === undefined) throw new Error(`There is no span ${name}`);
  return found;
};

describe("OpenTelemetry", () => {
  it("a span per call, plan node and request, in the caller's trace; the API is told if that is set", async () => {
    await readBoat({ OTEL_EXPORTER_OTLP_ENDPOINT: url, PLASM_SEND_TRACEPARENT: "1" });
    const [call, node, request] = ["plasm_run", "node get", "GET /boats/{id}"].map(named);
    expect(call).toMatchObject({ traceId: TRACE, parentSpanId: PARENT });
    expect(node).toMatchObject({ traceId: TRACE, parentSpanId: call?.spanId });
    expect(request).toMatchObject({ traceId: TRACE, parentSpanId: node?.spanId });
    expect(asked).toEqual([`00-${TRACE}-${request?.spanId}-01`]);
    const text = JSON.stringify(exports);
    for (const word of ["morning-star", "Alma", "Boat(", "/execute/"])
      expect(text).not.toContain(word);
  });

  it("APIs are told nothing unless that is set", async () => {
    await readBoat({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${url}/v1/traces` });
    expect(spans().length).toBeGreaterThan(0);
    expect(asked).toEqual([undefined]);
  });

  it.each([[{}], [{ OTEL_SDK_DISABLED: "true" }], [{ OTEL_TRACES_EXPORTER: "none" }]])(
    "is off where nothing, or %j, says otherwise",
    async (more) => {
      const on = Object.keys(more).length > 0 ? { OTEL_EXPORTER_OTLP_ENDPOINT: url } : {};
      await readBoat({ ...on, ...more, PLASM_SEND_TRACEPARENT: "1" });
      expect(exports).toEqual([]);
      expect(asked).toEqual([undefined]);
    },
  );

  it.each([
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: "localhost" },
      "OTEL_EXPORTER_OTLP_ENDPOINT must be an address",
    ],
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1", OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" },
      "OTEL_EXPORTER_OTLP_PROTOCOL must be http/json",
    ],
    [{ PLASM_SEND_TRACEPARENT: "yes" }, 'PLASM_SEND_TRACEPARENT must be 0 or 1, got "yes".'],
  ])("%j stops the start with its name", async (env, told) => {
    await expect(openHost({ dataDir, catalogs: [], env })).rejects.toThrow(told);
  });
});

/** The value of a figure with these labels, whatever further ones it has. */
function figure(text: string, name: string, labels: Readonly<Record<string, string>>): number {
  const found = text.split("\n").find((line) => {
    const [, word, all = ""] = /^(\w+)\{(.*)\} \S+$/.exec(line) ?? [];
    return (
      word === name && Object.entries(labels).every(([key, of]) => all.includes(`${key}="${of}"`))
    );
  });
  if (found === undefined)
    throw new Error(`There is no ${name} ${JSON.stringify(labels)} in\n${text}`);
  return Number(found.slice(found.lastIndexOf(" ")));
}

/** The names of figures in the expressions of docs/grafana.json. */
async function askedByDashboard(): Promise<ReadonlySet<string>> {
  const text = await readFile(new URL("../../../docs/grafana.json", import.meta.url), "utf8");
  const { panels } = JSON.parse(text) as { panels: { targets: { expr: string }[] }[] };
  const expressions = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  return new Set(expressions.flatMap((expr) => expr.match(/plasm_\w+/g) ?? []));
}

describe("OPS-44: figures of a process", () => {
  it("are read at /metrics with a monitor's key, and name no tenant, subject, row or program", async () => {
    await readBoat({ PLASM_METRICS: "1" }, async (get, keys) => {
      const { key } = await keys.add({ tenant: "acme", subject: "prometheus", role: "monitor" });
      const answer = await get(key);
      expect([answer.status, answer.headers.get("content-type")]).toEqual([
        200,
        "text/plain; version=0.0.4; charset=utf-8",
      ]);
      const text = await answer.text();
      const call = { call: "plasm_run", outcome: "ok" };
      expect(figure(text, "plasm_call_duration_seconds_count", call)).toBe(1);
      expect(figure(text, "plasm_steps_total", { catalog: "quay", kind: "get" })).toBe(1);
      expect(figure(text, "plasm_rows_total", { catalog: "quay" })).toBe(1);
      const sent = { catalog: "quay", method: "GET", status: "2xx", retry: "false" };
      expect(figure(text, "plasm_api_request_duration_seconds_count", sent)).toBe(1);
      expect(text).toMatch(/^plasm_store_used(?:\{.*\})? \d+/m);
      for (const word of ["morning-star", "Alma", "Boat", "acme", "prometheus", "/execute/"])
        expect(text).not.toContain(word);
      // What the dashboard asks for is there, or comes with the first effect and the first operation.
      const later = /^plasm_(?:audit_lines_total|operation_duration_seconds_\w+)$/;
      for (const name of await askedByDashboard())
        expect(
          later.test(name) || text.includes(`\n${name}{`) || text.includes(`\n${name} `),
          name,
        ).toBe(true);
    });
  });

  it("are for monitors alone", async () => {
    await readBoat({ PLASM_METRICS: "1" }, async (get, keys) => {
      expect((await get(null)).status).toBe(401);
      expect((await get("junk")).status).toBe(401);
      for (const role of ["operator", "agent", "admin"] as const) {
        const { key } = await keys.add({ tenant: "acme", subject: "ann", role });
        const refused = await get(key);
        expect(refused.status).toBe(403);
        expect(await refused.text()).toContain("Only a monitor may do this");
      }
    });
  });

  it("are none unless they are asked for", async () => {
    await readBoat({}, async (get, keys) => {
      const { key } = await keys.add({ tenant: "acme", subject: "prometheus", role: "monitor" });
      const answer = await get(key);
      expect(answer.status).toBe(404);
      expect(await answer.text()).toContain("Start the server with PLASM_METRICS=1.");
    });
    expect(figures).toEqual([]);
  });

  it("are sent to a collector where OTEL_METRICS_EXPORTER asks for it, when the server stops too", async () => {
    await readBoat({ OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_METRICS_EXPORTER: "otlp" });
    expect(JSON.stringify(figures)).toContain("plasm.api.request.duration.seconds");
  });

  it("stop the start where the setting is no word of it", async () => {
    const env = { PLASM_METRICS: "on" };
    await expect(openHost({ dataDir, catalogs: [], env })).rejects.toThrow(
      'PLASM_METRICS must be 0 or 1, got "on".',
    );
  });
});
