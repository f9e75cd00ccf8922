import type { AgentClient, Seed } from "./agent-client.ts";
import type { ContextMeta } from "./answers.ts";
import { taughtSymbols, type TaughtSymbols } from "./taught-symbols.ts";

export interface OpenSession {
  readonly ref: string;
  readonly text: string;
  readonly meta: ContextMeta;
  readonly symbols: TaughtSymbols;
}

/** Seeds of one catalog. */
export const seedsOf = (api: string, ...entities: readonly string[]): readonly Seed[] =>
  entities.map((entity) => ({ api, entity }));

/** Opens a session in symbols that no test opened before. */
export async function openSession(
  agent: AgentClient,
  intent: string,
  seeds: readonly Seed[],
): Promise<OpenSession> {
  const { text, meta } = await agent.context({ intent, seeds, notation: "symbols" });
  if (meta.reused) throw new Error(`${intent} is another test's session`);
  return { ref: meta.logical_session_ref, text, meta, symbols: taughtSymbols(text) };
}
