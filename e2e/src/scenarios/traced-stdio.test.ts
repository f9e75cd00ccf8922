import { fixtureCatalogDir } from "@plasm/testkit";
import { expect, test } from "vitest";
import { type Era, stdioClient } from "../harness/mcp-connect.ts";
import { useStarted } from "../servers/endings.ts";
import { startHttpStub } from "../servers/http-stub.ts";
import { startSpanCollector } from "../servers/span-collector.ts";

const BOAT = { id: "b1", name: "Alma", owner: "ann", length: 9.5, state: "moored", note: "" };

/** An API of one boat, which notes the traces that it is asked in, and a collector for each era. */
const started = useStarted(async (endings) => {
  const told: (string | undefined)[] = [];
  const api = await startHttpStub(endings, (_line, _url, headers) => {
    told.push(headers["traceparent"] as string | undefined);
    return { body: BOAT };
  });
  const collectors = {
    2025: await startSpanCollector(endings),
    2026: await startSpanCollector(endings),
  };
  return { api, told, collectors, dataDir: () => endings.directory("plasm-traced-stdio") };
});

const PARENT = "b7ad6b7169203331";
const FLAGS = "01";

test.each<[Era, string]>([
  ["2025", "0af7651916cd43dd8448eb211c80319c"],
  ["2026", "5b8efff798038103d269b633813fc60c"],
])(
  "SURF-28 SURF-29 MCP of %s over stdio: a trace told in _meta goes on in the call, its nodes, its requests and the API",
  async (era, traceId) => {
    const { api, told, collectors, dataDir } = started();
    const collector = collectors[era];
    const { client, pid } = await stdioClient(era, {
      dataDir: await dataDir(),
      catalogs: [fixtureCatalogDir("quay")],
      env: {
        PLASM_BACKEND_QUAY: api.url,
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        PLASM_SEND_TRACEPARENT: "1",
      },
    });
    try {
      const seeds = [{ api: "quay", entity: "Boat" }];
      const open = { intent: "traced", seeds, notation: "names" };
      await client.callTool({ name: "plasm_context", arguments: open });
      const before = told.length;
      const { content } = await client.callTool({
        name: "plasm_run",
        arguments: { logical_session_ref: "s0", program: 'Boat("b1")[name]' },
        _meta: { traceparent: `00-${traceId}-${PARENT}-${FLAGS}` },
      });
      expect(JSON.stringify(content)).toContain("Alma");
      // A server that ends sends the spans that it still has.
      if (pid !== null) process.kill(pid, "SIGTERM");
      const [run, node, request] = [
        await collector.span("plasm_run"),
        await collector.span("node get"),
        await collector.span("GET /boats/{id}"),
      ];
      expect(run).toMatchObject({ traceId, parentSpanId: PARENT });
      expect(node).toMatchObject({ traceId, parentSpanId: run.spanId });
      expect(request).toMatchObject({ traceId, parentSpanId: node.spanId });
      expect(told.slice(before)).toEqual([`00-${traceId}-${request.spanId}-${FLAGS}`]);
      // A call without it is in a trace of its own.
      const opened = await collector.span("plasm_context");
      expect(opened.traceId).not.toBe(traceId);
    } finally {
      await client.close();
    }
  },
);
