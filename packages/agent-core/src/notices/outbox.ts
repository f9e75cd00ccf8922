import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { countNotice } from "../meter.ts";
import type { Notice, NoticeRecord } from "../records/notices.ts";
import type { Aged, Store, StoreOps } from "../store-port.ts";

/** Where people outside are told of what happens (OPS-49). */
export interface NoticeTarget {
  /** names it in the store: a process with a target of this name sends what waits for it */
  readonly name: string;
  /** Delivers one notice; throws where that may not have worked, so that it is tried again. */
  send(notice: Notice, signal: AbortSignal): Promise<void>;
}

/** What a notice says of what happened; what is left out is null, or nothing. */
export type NoticeFacts = Partial<Omit<Notice, "id" | "at">> & Pick<Notice, "type" | "tenant">;

const NOTHING = Object.freeze({
  subject: null,
  acting_for: null,
  commit_uuid: null,
  plan_commit_ref: null,
  operation_uuid: null,
  effects: 0,
  capabilities: [],
  expires_at: null,
  verdict: null,
  decided_by: null,
  in_doubt: 0,
  watch: null,
});

/** Capabilities that a notice names. */
const MOST_NAMED = 20;

/**
 * Puts a notice into the outbox of each target, in the transaction in which it happens: what did not happen is told to nobody,
 * and what did outlasts any process (OPS-50).
 */
export async function noteNotice(
  tx: StoreOps,
  targets: readonly string[],
  facts: NoticeFacts,
): Promise<void> {
  if (targets.length === 0) return;
  const since = tx.now();
  const { capabilities = [] } = facts;
  const notice: Notice = {
    ...NOTHING,
    ...facts,
    capabilities: [...new Set(capabilities)].slice(0, MOST_NAMED),
    id: `msg_${randomUUID()}`,
    at: new Date(since).toISOString(),
  };
  for (const target of targets) {
    const record: NoticeRecord = { notice, target, attempts: 0, since };
    await tx.insert("notice", facts.tenant, `${notice.id}/${target}`, record);
  }
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** How long after a failed attempt the next one is made; the last one for all that follow. */
const PAUSES_MS = [2 * SECOND_MS, 10 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS];
/** No notice is tried longer: whoever is told a day late has found out. */
const LONGEST_MS = 24 * HOUR_MS;
/** How long an outbox keeps what no process sends. */
export const NOTICE_KEPT_MS = 2 * LONGEST_MS;
/** Until an attempt whose process died is made again by any: longer than one may take. */
const CLAIM_MS = 15 * SECOND_MS;
const ATTEMPT_MS = 10 * SECOND_MS;
/** A target whose attempts take longer than this one may hang: what else waits for it is put behind what waits for others. */
const SLOW_MS = 2 * SECOND_MS;
/** What this process has no target for may be for another one. */
const FOREIGN_MS = MINUTE_MS;
/** Attempts at one target at a time: one that hangs holds up none but itself. */
const MOST_AT_ONCE = 4;
const PORTION = 100;
/** What an attempt under way may still take when the process stops. */
const STOP_MS = 3 * SECOND_MS;

type Waiting = Aged<NoticeRecord>;

interface NoticeSenderOptions {
  readonly store: Store;
  readonly targets: readonly NoticeTarget[];
  readonly everyMs: number;
  readonly warn: (what: string, cause: unknown) => void;
}

/** How often what waits is looked for, in ms. */
export const SEND_EVERY_MS = 500;

/**
 * Sends what waits in the outbox to the targets of this process. Of any number of processes one makes an attempt; where it dies, another
 * makes the next one, so that each target is told at least once, with one id (OPS-50).
 */
export class NoticeSender {
  readonly #options: NoticeSenderOptions;
  readonly #targets: ReadonlyMap<string, NoticeTarget>;
  readonly #underWay = new Map<
    Promise<void>,
    { readonly target: string; readonly since: number }
  >();
  readonly #stopped = new AbortController();
  #timer: NodeJS.Timeout | null = null;
  #looking: Promise<void> = Promise.resolve();
  #isWarned = false;

  constructor(options: NoticeSenderOptions) {
    this.#options = options;
    this.#targets = new Map(options.targets.map((target) => [target.name, target]));
  }

  /** Looks from now on, where there is somebody to tell. */
  start(): void {
    if (this.#targets.size === 0) return;
    this.#timer = setTimeout(() => {
      this.#looking = this.#look().finally(() => {
        if (!this.#stopped.signal.aborted) this.start();
      });
    }, this.#options.everyMs).unref();
  }

  /** Resolves when attempts under way are over, or after a while; what is left is for others. */
  async stop(): Promise<void> {
    const patience = new AbortController();
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#stopped.abort();
    await this.#looking;
    const over = Promise.all(this.#underWay.keys());
    const longest = delay(STOP_MS, undefined, { signal: patience.signal }).catch(() => undefined);
    await Promise.race([over, longest]);
    patience.abort();
  }

  async #look(): Promise<void> {
    const { store, warn } = this.#options;
    try {
      // What is put behind others makes room for them in the next portion.
      const behind = new Map<string, number>();
      for (let putBehind = PORTION; putBehind === PORTION;) {
        putBehind = 0;
        for (const waiting of await store.aged("notice", store.now(), PORTION)) {
          if (this.#stopped.signal.aborted) return;
          if (await this.#take(waiting, behind)) putBehind += 1;
        }
      }
      this.#isWarned = false;
    } catch (cause) {
      // Once an outage: what waits stays until it can be sent.
      if (!this.#isWarned) warn("Notices could not be read", cause);
      this.#isWarned = true;
    }
  }

  /** Sends a notice, or leaves it for later; returns whether it was put behind others. `behind` counts those of this look, by target. */
  async #take(waiting: Waiting, behind: Map<string, number>): Promise<boolean> {
    const { store, warn } = this.#options;
    const { scope, id, version, value } = waiting;
    if (store.now() - value.since > LONGEST_MS) {
      if (!(await store.remove("notice", scope, id, version))) return false;
      countNotice(value.target, "given_up");
      warn(`${value.notice.type} ${value.notice.id} could not be told to ${value.target}`, null);
      return false;
    }
    const target = this.#targets.get(value.target);
    if (target === undefined) {
      await this.#claim(waiting, FOREIGN_MS, value.attempts);
      return true;
    }
    const busy = [...this.#underWay.values()].filter((one) => one.target === target.name);
    if (busy.length >= MOST_AT_ONCE) {
      if (busy.some(({ since }) => store.now() - since < SLOW_MS)) return false;
      // Each as late as its turn may come: looking at all of them again and again would be much work for nothing.
      const before = behind.get(target.name) ?? 0;
      behind.set(target.name, before + 1);
      const turns = 1 + Math.floor(before / MOST_AT_ONCE);
      await this.#claim(waiting, Math.min(turns * SLOW_MS, MINUTE_MS), value.attempts);
      return true;
    }
    if (!(await this.#claim(waiting, CLAIM_MS, value.attempts + 1))) return false;
    const attempt = this.#send(target, waiting).finally(() => this.#underWay.delete(attempt));
    this.#underWay.set(attempt, { target: target.name, since: store.now() });
    return false;
  }

  /** Has nobody look at a notice for so long; false where another process was quicker. */
  #claim({ scope, id, version, value }: Waiting, ms: number, attempts: number): Promise<boolean> {
    return this.#options.store.transaction(async (tx) => {
      if (!(await tx.cas("notice", scope, id, version, { ...value, attempts }))) return false;
      await tx.ageFrom("notice", scope, id, tx.now() + ms);
      return true;
    });
  }

  async #send(target: NoticeTarget, { scope, id, value }: Waiting): Promise<void> {
    const { store, warn } = this.#options;
    const signal = AbortSignal.timeout(ATTEMPT_MS);
    // A target that does not end with its signal must not outlast its claim: another process would send the same beside it.
    const ended = new Promise<never>((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
    });
    const failed = await Promise.race([target.send(value.notice, signal), ended]).then(
      () => null,
      (cause: unknown) => ({ cause }),
    );
    countNotice(target.name, failed === null ? "sent" : "failed");
    try {
      // Told is told, whoever has claimed it since.
      if (failed === null) {
        await store.transaction((tx) => tx.delete("notice", scope, id));
        return;
      }
      const pause = PAUSES_MS[Math.min(value.attempts, PAUSES_MS.length - 1)] ?? MINUTE_MS;
      await store.ageFrom("notice", scope, id, store.now() + pause);
      // Once a notice: the attempts that follow say the same.
      if (value.attempts === 0) warn(`${target.name} could not be told`, failed.cause);
    } catch (cause) {
      // It is tried again when its claim is over: receivers know the id.
      warn(`What became of a notice to ${target.name} could not be kept`, cause);
    }
  }
}
