import type { Problem } from "../errors/problem.ts";
import type { StoreOps } from "../store-port.ts";
import { noteAudit } from "./audit-log.ts";

/** Refusals of one caller that stand each in a line of their own, in a minute: nobody fills a log by asking again and again. */
const MOST = 60;
const WINDOW_MS = 60_000;

/** Who was refused, as the audit log tells it. */
export interface RefusedCaller {
  readonly tenant: string;
  readonly subject: string | null;
  readonly actingFor: string | null;
  readonly requestId: string | null;
}

interface Window {
  noted: number;
  /** refusals that have no line of their own */
  more: number;
}

interface RefusalLogOptions {
  readonly store: StoreOps;
  readonly warn: (what: string, cause: unknown) => void;
}

/** Why a call was refused for what its caller may not do. */
interface Refusal {
  readonly outcome: string;
  /** what of a program policy denies, which names the capability */
  readonly denied: string | null;
}

/** Returns null where a call was not refused, or for another reason than what its caller may do. */
function refusalIn({ status, code, errors }: Problem): Refusal | null {
  const denied = errors.find((one) => one.code === "policy_denied")?.message ?? null;
  if (status === 403) return { outcome: code, denied };
  return denied === null ? null : { outcome: "policy_denied", denied };
}

/** Notes in the audit log who was refused what policy forbids (OPS-40). */
export class RefusalLog {
  readonly #options: RefusalLogOptions;
  readonly #windows = new Map<string, Window>();

  constructor(options: RefusalLogOptions) {
    this.#options = options;
  }

  /** Notes how a call ended, if it was refused. Never throws: who is refused is refused, whatever becomes of the line. */
  async note(call: string, caller: RefusedCaller, problem: Problem): Promise<void> {
    const refusal = refusalIn(problem);
    if (refusal === null) return;
    const window = this.#windowOf(caller);
    if (window.noted >= MOST) {
      window.more += 1;
      return;
    }
    window.noted += 1;
    const { outcome, denied } = refusal;
    await this.#write(caller, outcome, denied === null ? call : `${call}: ${denied}`);
  }

  #windowOf(caller: RefusedCaller): Window {
    const key = JSON.stringify([caller.tenant, caller.subject]);
    const open = this.#windows.get(key);
    if (open !== undefined) return open;
    const window: Window = { noted: 0, more: 0 };
    this.#windows.set(key, window);
    setTimeout(() => {
      this.#windows.delete(key);
      if (window.more === 0) return;
      const detail = `${window.more} more within a minute`;
      void this.#write({ ...caller, actingFor: null, requestId: null }, null, detail);
    }, WINDOW_MS).unref();
    return window;
  }

  async #write(caller: RefusedCaller, outcome: string | null, detail: string): Promise<void> {
    const { store, warn } = this.#options;
    try {
      await noteAudit(store, caller.tenant, {
        kind: "refused",
        subject: caller.subject,
        acting_for: caller.actingFor,
        request_id: caller.requestId,
        outcome,
        detail,
      });
    } catch (cause) {
      warn("A refusal could not be noted in the audit log", cause);
    }
  }
}
