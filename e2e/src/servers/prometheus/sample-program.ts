import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** A program that tells Prometheus how it is doing. */
export interface SampleProgram {
  /** host and port, as scrape configurations have it */
  readonly address: string;
  close(): Promise<void>;
}

/** Numbers with as many digits as a sample can hold, and what a shop of three services counts. */
const METRICS = `# HELP shop_requests_total Requests answered.
# TYPE shop_requests_total counter
shop_requests_total{service="cart",code="200"} 970
shop_requests_total{service="cart",code="500"} 30
shop_requests_total{service="search",code="200"} 4990
shop_requests_total{service="search",code="500"} 10
shop_requests_total{service="pay",code="200"} 200
# HELP shop_ledger_cents Money in the till, in cents.
# TYPE shop_ledger_cents gauge
shop_ledger_cents 9007199254740991
# HELP shop_drift_ratio How far the clock is off.
# TYPE shop_drift_ratio gauge
shop_drift_ratio 0.12345678901234568
# HELP shop_latency_seconds Time to answer.
# TYPE shop_latency_seconds histogram
shop_latency_seconds_bucket{le="0.1"} 90
shop_latency_seconds_bucket{le="1"} 99
shop_latency_seconds_bucket{le="+Inf"} 100
shop_latency_seconds_sum 7.5
shop_latency_seconds_count 100
`;

const closed = (server: Server): Promise<void> =>
  new Promise((done) => {
    server.close(() => done());
    server.closeAllConnections();
  });

/** Starts it on a free port. */
export async function startSampleProgram(): Promise<SampleProgram> {
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/plain; version=0.0.4" }).end(METRICS);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return { address: `127.0.0.1:${port}`, close: () => closed(server) };
}
