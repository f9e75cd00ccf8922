import { Failure } from "../errors/failure.ts";
import type { Caller } from "../identity/caller.ts";
import type { GraftQuestion } from "../ports.ts";
import { attach, keepContents, NO_SET, writeSet } from "./attach.ts";
import { DEFAULT_PROFILE, type GraftDeps } from "./graft-deps.ts";
import type { GraftPlace } from "./graft-place.ts";
import { readGraftSet } from "./read-graft-set.ts";

/** How long a process that asks may take before another one asks: more than the provider may. */
const ASKING_MS = 30_000;

/** What an answer may be wrapped in, as the argument is (GRAFT-2). */
function unwrapped(answer: unknown): unknown {
  if (typeof answer !== "object" || answer === null || Array.isArray(answer)) return answer;
  const { grafts } = answer as { readonly grafts?: unknown };
  return grafts === undefined ? answer : grafts;
}

/** The provider has been asked when its answer is stored, so one that failed is asked again (GRAFT-14). */
async function storeAnswer(deps: GraftDeps, place: GraftPlace, answer: unknown): Promise<void> {
  const set = unwrapped(answer) ?? null;
  const given =
    set === null
      ? { name: "", createdTs: "", manifestPath: "", guardrails: undefined, items: [] }
      : readGraftSet(set, false, "the provider's answer");
  const kept = await keepContents(deps.store, given);
  for (;;) {
    if (await deps.store.transaction((tx) => attach(tx, place, kept, "provider"))) return;
  }
}

/** Whether it is this process that asks; nobody does where one has, or is about to. */
async function claim({ store }: GraftDeps, place: GraftPlace): Promise<boolean> {
  for (;;) {
    const found = await store.get("graftSet", place.scope, place.id);
    const before = found?.value ?? NO_SET;
    if (before.asked || before.askingUntil > store.now()) return false;
    const next = { ...before, askingUntil: store.now() + ASKING_MS };
    if (await writeSet(store, place, found, next)) return true;
  }
}

async function release({ store }: GraftDeps, place: GraftPlace): Promise<void> {
  for (;;) {
    const found = await store.get("graftSet", place.scope, place.id);
    if (found === null) return;
    if (await writeSet(store, place, found, { ...found.value, askingUntil: 0 })) return;
  }
}

/** What went wrong, as the caller may know it: no address, no word of the provider's. */
export const graftError = (thrown: unknown): string =>
  thrown instanceof Failure || (thrown instanceof Error && thrown.name === "GraftProviderError")
    ? thrown.message
    : "The grafts could not be read or written.";

/**
 * Asks the configured provider once per owner, at the first context (GRAFT-2), and for no profile of
 * `default` (GRAFT-4). What goes wrong is told, not thrown: null where nothing did (GRAFT-14).
 */
export async function askProvider(
  deps: GraftDeps,
  caller: Caller,
  place: GraftPlace,
  intent: string | null,
): Promise<string | null> {
  const { provider, profile } = deps.grafts;
  if (provider === null || profile === DEFAULT_PROFILE) return null;
  const question: GraftQuestion = { userId: place.userId, tenant: caller.scope, profile, intent };
  return deps.asking.run(JSON.stringify([place.scope, place.id]), async () => {
    if (!(await claim(deps, place))) return null;
    try {
      await storeAnswer(deps, place, await provider.ask(question));
      return null;
    } catch (thrown) {
      deps.warn("the provider of grafts failed", thrown);
      await release(deps, place);
      return graftError(thrown);
    }
  });
}
