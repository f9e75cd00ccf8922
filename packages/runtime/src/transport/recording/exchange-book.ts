import type { RequestMark, RequestShape } from "../../ports.ts";
import { nearestRecording } from "./nearest-recording.ts";
import type { RecordedExchange } from "./recorded-exchange.ts";

/** The exchanges of a recording by fingerprint, each given out once, in the order they were recorded. */
export interface ExchangeBook {
  /** the next exchange of a fingerprint, or null */
  next(fingerprint: string): RecordedExchange | null;
  add(exchange: RecordedExchange): void;
  /** why there is none for a request: how often it is recorded, or which recording is nearest */
  missing(mark: RequestMark): string;
}

export function exchangeBook(exchanges: readonly RecordedExchange[]): ExchangeBook {
  const byFingerprint = new Map<string, RecordedExchange[]>();
  const given = new Map<string, number>();
  const shapes: RequestShape[] = [];
  const add = (exchange: RecordedExchange): void => {
    const list = byFingerprint.get(exchange.fingerprint);
    if (list === undefined) byFingerprint.set(exchange.fingerprint, [exchange]);
    else list.push(exchange);
    if (list === undefined) shapes.push(exchange.request);
  };
  exchanges.forEach(add);
  return {
    add,
    next(fingerprint) {
      const at = given.get(fingerprint) ?? 0;
      given.set(fingerprint, at + 1);
      return byFingerprint.get(fingerprint)?.[at] ?? null;
    },
    missing({ fingerprint, shape }) {
      const times = byFingerprint.get(fingerprint)?.length ?? 0;
      if (times === 0) return nearestRecording(shape, shapes);
      return `it is recorded ${times === 1 ? "once" : `${times} times`}, and was sent once more`;
    },
  };
}
