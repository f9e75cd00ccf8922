import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Engine } from "../engine.ts";
import type { Caller } from "../identity/caller.ts";
import type { SessionSecretsOf } from "../session/secrets.ts";
import { boatsApi } from "../../test/boats-api.ts";
import { engineOn } from "../../test/engine-on.ts";
import { testStore } from "../../test/test-store.ts";

/** Calls use the user's own credentials. */
const secretsOf: SessionSecretsOf = ({ scope, subject }) => ({
  credentials: {
    tenant: scope,
    delegated: true,
    ...(subject === null ? {} : { principal: subject }),
  },
});

const caller = (subject: string, over: Partial<Caller> = {}): Caller => ({
  scope: "acme",
  subject,
  connection: null,
  ...over,
});
const ANN = caller("ann");
const FOR_ANN = [
  caller("desk", { service: true, actAs: ["ann"] }),
  caller("clerk", { actAs: ["ann"] }),
];
const OTHERS = [
  caller("bob"),
  caller("desk", { service: true, actAs: ["bob"] }),
  caller("clerk", { actAs: ["bob"] }),
  caller("ann", { scope: "umbrella" }),
];

let engine: Engine;
let traceId = "";
beforeEach(async () => {
  const store = testStore();
  const api = boatsApi();
  const first = engineOn({ store, api, secretsOf });
  const seeds = [{ api: "quay", entity: "Boat" }];
  const { meta } = await first.context(ANN, { intent: "paint", seeds });
  traceId = meta["logical_session_id"] as string;
  // What a stopping process has noted is written (SURF-29).
  await first.drain(1_000);
  engine = engineOn({ store, api, secretsOf });
});
afterEach(() => engine.close());

const listed = async (who: Caller): Promise<readonly string[]> => {
  const { traces } = await engine.traces(who);
  return (traces as readonly { readonly trace_id: string }[]).map(({ trace_id: id }) => id);
};

/** The code and text of what a call throws, without the id that it names. */
async function refusal(id: string, call: (id: string) => Promise<unknown>): Promise<string> {
  const thrown = await call(id).catch((cause: unknown) => cause);
  const { code, text } = engine.problemOf(thrown);
  return `${code} ${text.replaceAll(id, "ID")}`;
}

describe("SESS-38 P25 a trace, where calls are delegated", () => {
  it("is the user's own, and of those who may act for that user", async () => {
    for (const who of [ANN, ...FOR_ANN]) {
      expect(await listed(who)).toEqual([traceId]);
      expect(await engine.trace(who, traceId)).toMatchObject({ trace_id: traceId });
    }
  });

  it.each(OTHERS)("is to $scope $subject $actAs what never was", async (who) => {
    expect(await listed(who)).toEqual([]);
    const invented = traceId.replaceAll(/[0-9a-f]/g, "0");
    const read = (id: string) => engine.trace(who, id);
    const follow = (id: string) => engine.watchTrace(who, id, new AbortController().signal);
    for (const call of [read, follow]) {
      const told = await refusal(traceId, call);
      expect(told).toMatch(/^plasm-unknown-trace /);
      expect(told).toBe(await refusal(invented, call));
    }
  });
});
