import { CliError, failedError } from "../cli-error.ts";

/** Codes that say no request got out, so that nothing can have been done. */
const NOT_REACHED = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
  // what fetch says of ports that no web server may have
  "bad port",
]);
const NOT_TRUSTED = /CERT|TLS|SSL|SIGNATURE/;

function codeOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return "unknown";
  if (thrown.cause !== undefined) return codeOf(thrown.cause);
  const { code } = thrown as NodeJS.ErrnoException;
  return code ?? thrown.message;
}

/** Why no answer came, and what to do: one message for whatever fetch throws. A CliError stays as it is. */
export function connectionError(server: string, thrown: unknown): CliError {
  if (thrown instanceof CliError) return thrown;
  const code = codeOf(thrown);
  if (NOT_REACHED.has(code) || NOT_TRUSTED.test(code)) {
    return failedError(
      `No server at ${server} (${code}). ` +
        "Start one: plasm serve --catalogs DIR; or name another: plasm init --server URL",
      thrown,
    );
  }
  return failedError(
    `The connection to ${server} broke before the answer came (${code}). ` +
      "What was asked may have been done: a run with --commit may be sent again, it is not repeated.",
    thrown,
  );
}
