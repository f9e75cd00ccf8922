import type { JsonObject } from "@plasm/core";
import type { AgentClient } from "./agent-client.ts";
import type { AgentRun } from "./answers.ts";

/** Follows the only page handle of a run to its end; `limitOf` may ask for pages of its own size. */
export async function allPages(
  agent: AgentClient,
  ref: string,
  first: AgentRun,
  limitOf: () => number | null = () => null,
): Promise<readonly JsonObject[]> {
  const rows = [...(first.results[0]?.rows ?? [])];
  let handle = first.meta.paging[0]?.next_page_handle;
  while (handle !== undefined) {
    const limit = limitOf();
    const program = limit === null ? `page(${handle})` : `page(${handle}, limit=${limit})`;
    const page = await agent.run(ref, program);
    const got = page.results[0]?.rows ?? [];
    const next = page.meta.paging[0]?.next_page_handle;
    if (got.length === 0 && next !== undefined)
      throw new Error(`${program} gave no rows and goes on`);
    rows.push(...got);
    handle = next;
  }
  return rows;
}
