import { mkdtemp, rm } from "node:fs/promises";
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
let asked: (string | undefined)[] = [];
let [dataDir, url] = ["", ""];

/** A collector and an API of one boat at one address. */
const server = createServer((request, response) => {
  const answer = (body: object): void => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  };
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
  [exports, asked] = [[], []];
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

/** Reads a boat over HTTP as a part of a caller's trace, with a host of these settings, until that has closed. */
async function readBoat(settings: Readonly<Record<string, string>>): Promise<void> {
  const env = { PLASM_BACKEND_QUAY: url, ...settings };
  const host = await openHost({ dataDir, catalogs: [fixtureCatalogDir("quay")], env });
  const { engine, connections } = host;
  const app = createHttpApp({ engine, mcp: createMcpHandler({ engine, connections }) });
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
