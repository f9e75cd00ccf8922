import { SdkError, SdkErrorCode } from "@modelcontextprotocol/server";

const isClosed = (reason: unknown): boolean =>
  reason instanceof SdkError && reason.code === SdkErrorCode.ConnectionClosed;

/**
 * The signal of a call without the end of its connection: in the 2025 protocols only a message
 * cancels, and a run whose client has gone goes on to its end (OPS-11).
 */
export function cancelledOnly(signal: AbortSignal): AbortSignal {
  const controller = new AbortController();
  signal.addEventListener("abort", () => {
    const reason: unknown = signal.reason;
    if (!isClosed(reason)) controller.abort(reason);
  });
  return controller.signal;
}
