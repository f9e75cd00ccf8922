import { gzipBomb, hugeBody, startFaultProxy } from "@plasm/testkit";
import { createHttpTransport } from "../transport/http-transport.ts";

/**
 * A process of its own that lets answers come which are far too large, and prints what they took: the
 * growth of its largest resident size, in bytes, server included, and how each attempt ended.
 */
const transport = createHttpTransport();
const faults = { huge: hugeBody(100), bomb: gzipBomb(1024) };
const api = await startFaultProxy("", []);

const send = (limit: number) =>
  transport.send({
    method: "GET",
    url: api.url,
    headers: [],
    body: null,
    allowPrivate: true,
    connectTimeoutMs: 10_000,
    timeoutMs: 30_000,
    maxResponseBytes: limit,
    freshConnection: false,
  });

const MIB = 1024 * 1024;
const ends: string[] = [];
/** The first round is for what a process needs to do this at all. */
let before = 0;
for (const limit of [MIB, 10 * MIB]) {
  before = process.resourceUsage().maxRSS;
  for (const fault of Object.values(faults)) {
    api.follow([{ fault }]);
    const outcome = await send(limit);
    ends.push(outcome.ok ? "answered" : outcome.failure.kind);
  }
}
const grown = (process.resourceUsage().maxRSS - before) * 1024;
await transport.close();
await api.close();
process.stdout.write(JSON.stringify({ grown, ends }));
