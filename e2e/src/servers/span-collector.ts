import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import type { Endings } from "./endings.ts";

/** A span as OTLP has it, in JSON. */
export interface SentSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
}

interface Export {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[];
  }[];
}

/** A collector of OpenTelemetry. */
export interface SpanCollector {
  readonly url: string;
  /** The first span of a name, once one has come. */
  span(name: string): Promise<SentSpan>;
}

const spansIn = ({ resourceSpans }: Export): readonly SentSpan[] =>
  resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));

/** Starts a collector on a free port, which keeps what it is sent over OTLP. */
export async function startSpanCollector(endings: Endings): Promise<SpanCollector> {
  const spans: SentSpan[] = [];
  const waiting = new Set<() => void>();
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      spans.push(...spansIn(body as Export));
      response.writeHead(200, { "content-type": "application/json" });
      response.end("{}");
      for (const look of waiting) look();
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  endings.add(
    () =>
      new Promise((done) => {
        server.close(done);
        server.closeAllConnections();
      }),
  );
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    span: (name) =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = spans.find((span) => span.name === name);
          if (found === undefined) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
  };
}
