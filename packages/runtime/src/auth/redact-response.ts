import type { HeaderPair, TransportResponse } from "../ports.ts";
import type { Redactor } from "./redactor.ts";

/**
 * An answer without the secrets it repeats: what an API says of a request may hold its credential, and
 * rows, next addresses and errors are made of it (RUN-142).
 */
export const redactedResponse = (
  { status, headers, body }: TransportResponse,
  redactor: Redactor,
): TransportResponse => ({
  status,
  headers: headers.map(([name, value]): HeaderPair => [name, redactor.redact(value)]),
  body: redactor.redactData(body),
});
