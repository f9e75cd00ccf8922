import { SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import type { CallNote } from "./call-note.ts";

/** A slot: the pair of an execute session is a key to it, and is for nobody else to read (SESS-9). */
const REF = /^s\d+$/;

/** A span for one call of a surface; nothing where no SDK is set up. It holds no argument and no text (SURF-27). */
export const callSpan = <T>(
  name: string,
  tenant: string | null,
  note: CallNote,
  work: () => Promise<T>,
): Promise<T> =>
  // Asked for anew, since one that is kept stays with the SDK of its first span.
  trace
    .getTracer("@plasm/mcp")
    .startActiveSpan(
      name,
      { kind: SpanKind.SERVER, attributes: tenant === null ? {} : { "plasm.tenant": tenant } },
      async (span) => {
        try {
          return await work();
        } finally {
          const { name: last, ref, outcome } = note;
          if (last !== null && last !== name) span.updateName(last);
          if (ref !== null && REF.test(ref)) span.setAttribute("plasm.ref", ref);
          span.setAttribute("plasm.outcome", outcome);
          if (outcome !== "ok") span.setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        }
      },
    );
