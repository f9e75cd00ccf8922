/**
 * Loaded into the server under test by NODE_OPTIONS: at SIGUSR2 it reads an order, moves the clock if that says so, and
 * writes what memory the process has, how much of it is in use, after a collection unless the order forbids one, and how long the event
 * loop was held since the last order. The monotonic clock stays as it is, as on a machine whose clock is set.
 */
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const { PRESSURE_ORDERS: orders, PRESSURE_ANSWERS: answers } = process.env;
const RealDate = Date;
/** how often the loop is looked at, in milliseconds: what an idle loop's delay comes to */
const RESOLUTION = 5;
const delays = monitorEventLoopDelay({ resolution: RESOLUTION });
delays.enable();
let offset = 0;

class SteppedDate extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(RealDate.now() + offset);
    else super(...args);
  }
  static now() {
    return RealDate.now() + offset;
  }
}

process.on("SIGUSR2", () => {
  const inMs = (nanoseconds) => Math.round(nanoseconds / 1e4) / 100;
  const loop = {
    p50: inMs(delays.percentile(50)),
    p99: inMs(delays.percentile(99)),
    max: inMs(delays.max),
  };
  const { id, step = 0, collect = true } = JSON.parse(readFileSync(orders, "utf8"));
  const { rss } = process.memoryUsage();
  if (step !== 0) {
    offset += step;
    globalThis.Date = SteppedDate;
  } else if (collect) {
    setFlagsFromString("--expose-gc");
    runInNewContext("gc")();
  }
  const { heapUsed } = process.memoryUsage();
  writeFileSync(`${answers}.new`, JSON.stringify({ rss, heap: heapUsed, loop, id }));
  renameSync(`${answers}.new`, answers);
  // The collection above held the loop, too.
  delays.reset();
});
