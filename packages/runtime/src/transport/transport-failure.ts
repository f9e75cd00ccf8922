import type { TransportFailure } from "../ports.ts";
import { AddressRefusedError } from "./address-refused-error.ts";

type Kind = TransportFailure["kind"];

/** Node's and undici's error codes for a connection that never stood: nothing was sent. */
const CONNECT_CODES: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EADDRNOTAVAIL",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EAI_FAIL",
  "UND_ERR_CONNECT_TIMEOUT",
]);

const TLS_CODES =
  /^(ERR_TLS_|ERR_SSL_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH)/;
const MALFORMED_CODES = /^(HPE_|UND_ERR_HEADERS_OVERFLOW|UND_ERR_INVALID_ARG)/;
const TIMEOUT_CODES = /^(UND_ERR_HEADERS_TIMEOUT|UND_ERR_BODY_TIMEOUT|ETIMEDOUT)$/;

/** The error and its causes, outermost first; AggregateError counts by its first member. */
function chain(error: unknown): Error[] {
  const found: Error[] = [];
  let current: unknown = error;
  while (current instanceof Error && found.length < 8) {
    found.push(current);
    current = current instanceof AggregateError ? current.errors[0] : current.cause;
  }
  return found;
}

function kindOf(errors: readonly Error[]): { kind: Kind; code: string } {
  for (const error of errors) {
    if (error instanceof AddressRefusedError) return { kind: "address_refused", code: "" };
    const code = "code" in error ? String(error.code) : "";
    if (CONNECT_CODES.has(code)) return { kind: "connect", code };
    if (TLS_CODES.test(code)) return { kind: "tls", code };
    if (TIMEOUT_CODES.test(code)) return { kind: "timeout", code };
    if (code === "HPE_INVALID_EOF_STATE") return { kind: "lost", code };
    const malformed = MALFORMED_CODES.test(code) || error.name === "HTTPParserError";
    if (malformed) return { kind: "malformed", code };
  }
  return { kind: "lost", code: errors.map((e) => ("code" in e ? String(e.code) : "")).join("") };
}

/** Names what went wrong with an attempt, by error code only: messages may hold addresses and data. */
export function transportFailure(error: unknown): TransportFailure {
  const { kind, code } = kindOf(chain(error));
  const sent = kind === "lost" || kind === "timeout" || kind === "malformed";
  return Object.freeze({ kind, sent, detail: code === "" ? kind : code });
}
