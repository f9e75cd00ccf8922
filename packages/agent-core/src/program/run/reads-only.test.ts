import { expect, test } from "vitest";
import { boatsApi } from "../../../test/boats-api.ts";
import { agentOn, engineOn } from "../../../test/engine-on.ts";
import { testStore } from "../../../test/test-store.ts";
import { LOCAL } from "../../identity/caller.ts";

const READER = { ...LOCAL, readsOnly: { lacks: "plasm.effects", stepUp: null } };
const CHANGE = 'Boat("b1").update(note="x")';

/** An agent whose credential is for reading alone, and the changes that its API was asked for. */
async function reader() {
  const api = boatsApi(2);
  const changes: string[] = [];
  api.before = async ({ method, path }) => {
    if (method !== "GET") changes.push(`${method} ${path}`);
    return null;
  };
  const engine = engineOn({ store: testStore(), api });
  const full = await agentOn(engine, "boats", LOCAL);
  return { changes, full, agent: await agentOn(engine, "boats", READER) };
}

interface Refs {
  readonly own: string;
  readonly other: string;
  readonly used: string;
}

test.each([
  ["no ref", () => ({})],
  ["a ref that there is not", () => ({ planCommitRef: "pc9" })],
  ["the ref of this plan", ({ own }: Refs) => ({ planCommitRef: own })],
  ["the ref of another plan", ({ other }: Refs) => ({ planCommitRef: other })],
  ["the ref of another plan that has run", ({ used }: Refs) => ({ planCommitRef: used })],
])(
  "SURF-23 a credential for reading runs no effect with %s, forced or not",
  async (_what, more) => {
    const { agent, full, changes } = await reader();
    const planned = await agent.plan(CHANGE);
    const read = await agent.plan("Boat.limit(1)[id]");
    // The same user ran it before, with a credential that may change something.
    const ran = await full.run('Boat("b2").update(note="y")', { force: true, wait: true });
    expect(changes).toHaveLength(1);
    changes.length = 0;
    const [own, other, used] = [planned, read, ran].map(({ meta }) =>
      String(meta["plan_commit_ref"]),
    );
    const sent = more({ own, other, used } as Refs);
    for (const force of [false, true]) {
      const { problem } = await agent.run(CHANGE, { ...sent, force, wait: true });
      expect(problem?.code).toBe("plasm-insufficient-scope");
    }
    expect(changes).toEqual([]);
  },
);
