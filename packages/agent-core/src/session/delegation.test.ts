import { openCatalog } from "@plasm/core";
import { systemClock, systemIds } from "@plasm/runtime";
import { readFixtureCatalog } from "@plasm/testkit";
import { describe, expect, test } from "vitest";
import { createEngine } from "../create-engine.ts";
import type { Engine } from "../engine.ts";
import type { Caller } from "../identity/caller.ts";
import type { SessionSecretsOf } from "./secrets.ts";
import type { SessionAddress } from "./handles.ts";
import { boatsApi } from "../../test/boats-api.ts";
import { testStore } from "../../test/test-store.ts";

const caller = (subject: string | null): Caller => ({ scope: "acme", subject, connection: null });
const [ann, bob, service] = [caller("ann"), caller("bob"), caller(null)];

/** Calls use the user's own credentials. */
const delegated: SessionSecretsOf = ({ scope, subject }) => ({
  credentials: {
    tenant: scope,
    delegated: true,
    ...(subject === null ? {} : { principal: subject }),
  },
});
const ofTheDeployment: SessionSecretsOf = ({ scope }) => ({ credentials: { tenant: scope } });

const BEARER = "scheme: bearer_token, env: QUAY_TOKEN";

/** An engine on quay, each user's credential in its place, and the users that its calls came for. */
function engineWith(secretsOf: SessionSecretsOf, auth = BEARER) {
  const { domain, mappings } = readFixtureCatalog("quay");
  const text = domain.replace("scheme: none", auth);
  const opened = openCatalog({
    entryId: "quay",
    domain: { file: "domain.yaml", text },
    mappings: { file: "mappings.yaml", text: mappings },
  });
  if (opened.catalog === null) throw new Error("quay does not open");
  const entry = { catalog: opened.catalog, domain: text, mappings, credentials: true };
  const api = boatsApi();
  const carried: (string | undefined)[] = [];
  const engine = createEngine({
    store: testStore(),
    registry: { list: () => [entry], get: (id) => (id === "quay" ? entry : undefined) },
    ports: {
      transport: {
        send: (request) => {
          carried.push(request.headers.find(([name]) => name === "Authorization")?.[1]);
          return api.transport.send(request);
        },
        close: () => api.transport.close(),
      },
      secrets: {
        env: () => "of-the-deployment",
        hosted: async (_key, { principal }) =>
          principal === undefined ? undefined : `of-${principal}`,
      },
      clock: systemClock,
      ids: systemIds,
      functions: new Map(),
    },
    secretsOf,
  });
  return { engine, carried };
}

const OPEN = { intent: "boats", seeds: [{ api: "quay", entity: "Boat" }] };
const open = async (engine: Engine, who: Caller, more: object = {}) => {
  const { meta } = await engine.context(who, { ...OPEN, ...more });
  const told = meta as {
    logical_session_id: string;
    logical_session_ref: string;
    execute_binding: { prompt_hash: string; session_id: string };
    reused: boolean;
  };
  const { prompt_hash: promptHash, session_id: sessionId } = told.execute_binding;
  return { ...told, key: { promptHash, sessionId } };
};

const codeOf = async (engine: Engine, work: Promise<unknown>): Promise<string> => {
  try {
    await work;
    return "done";
  } catch (thrown) {
    return engine.problemOf(thrown).code;
  }
};

describe("SURF-24 a caller that stands for no user", () => {
  test("opens nothing on catalogs that need one's credentials", async () => {
    const { engine, carried } = engineWith(delegated);
    const opening = engine.context(service, OPEN);
    await expect(opening).rejects.toThrow(/Calls of quay use the credentials of a user.*principal/);
    expect(await codeOf(engine, engine.context(service, OPEN))).toBe("plasm-principal-required");
    expect(await codeOf(engine, engine.context(service, { ...OPEN, principal: "ann" }))).toBe(
      "plasm-policy-denied",
    );
    expect(carried).toEqual([]);
    await engine.close();
  });

  test("opens catalogs that need none, and whatever the deployment has credentials for", async () => {
    for (const { engine } of [engineWith(delegated, "scheme: none"), engineWith(ofTheDeployment)]) {
      expect((await open(engine, service)).logical_session_ref).toBe("s0");
      await engine.close();
    }
  });
});

describe("SESS-5 SESS-13 G15 two principals with one intent", () => {
  test("B15 have sessions of their own, where calls are delegated", async () => {
    const { engine, carried } = engineWith(delegated);
    const [first, second] = [await open(engine, ann), await open(engine, bob)];
    expect(second.key.sessionId).not.toBe(first.key.sessionId);
    expect(second.reused).toBe(false);
    expect((await open(engine, ann)).key).toEqual(first.key);
    for (const who of [ann, bob, ann]) {
      const request = { program: "Boat.limit(1)", force: true };
      await engine.run(who, { kind: "ref", ref: "s0" }, request);
    }
    expect(carried).toEqual(["Bearer of-ann", "Bearer of-bob", "Bearer of-ann"]);
    await engine.close();
  });

  test("B18 share one where they are not", async () => {
    const { engine } = engineWith(ofTheDeployment);
    const [first, second] = [await open(engine, ann), await open(engine, bob)];
    expect(second.key).toEqual(first.key);
    await engine.close();
  });

  test("B15 also without an intent", async () => {
    const { engine } = engineWith(delegated);
    const without = { intent: undefined };
    const [first, second] = [await open(engine, ann, without), await open(engine, bob, without)];
    expect(second.key.sessionId).not.toBe(first.key.sessionId);
    expect((await open(engine, ann, without)).key).toEqual(first.key);
    await engine.close();
  });

  test("SESS-38 the other's session and snapshots are unknown, by whatever id", async () => {
    const { engine } = engineWith(delegated);
    const own = await open(engine, ann);
    await open(engine, bob);
    const ref = { kind: "ref", ref: own.logical_session_id } as const;
    const pair = { kind: "pair", ...own.key } as const;
    const request = { program: "Boat.limit(1)", force: true };
    await engine.run(ann, ref, request);
    await engine.readResource(ann, `plasm://session/${own.logical_session_id}/r/1`);
    for (const address of [ref, pair]) {
      expect(await codeOf(engine, engine.run(bob, address, request))).toBe("plasm-unknown-session");
      expect(await codeOf(engine, engine.describe(bob, address))).toBe("plasm-unknown-session");
    }
    const named = engine.context(bob, { ...OPEN, session: own.key });
    expect(await codeOf(engine, named)).toBe("plasm-unknown-session");
    for (const uri of [
      `plasm://session/${own.logical_session_id}/r/1`,
      "plasm://session/s0/r/1",
      `plasm://session/${own.logical_session_id}/table`,
    ]) {
      expect(await codeOf(engine, engine.readResource(bob, uri)), uri).toMatch(/^plasm-unknown-/);
    }
    await engine.close();
  });

  test.each([
    ["bound", {}],
    ["unbound", { intent: undefined }],
  ])(
    "SESS-38 nothing of the other's session is there, %s, by no call and no id",
    async (_, over) => {
      const { engine } = engineWith(delegated);
      const own = await open(engine, ann, over);
      await open(engine, bob, over);
      const pair = { kind: "pair", ...own.key } as const;
      const ran = await engine.run(ann, pair, { program: "Boat.limit(1)", force: true });
      const [step] = ran.meta["steps"] as readonly { readonly run_id: string }[];
      const runId = step?.run_id ?? "";
      const calls: readonly ((who: Caller, at: SessionAddress) => Promise<unknown>)[] = [
        (who, at) => engine.plan(who, at, "Boat"),
        (who, at) => engine.explain(who, at, { program: "Boat" }),
        (who, at) => engine.symbols(who, at),
        (who, at) => engine.status(who, at),
        (who, at) => engine.runs(who, at),
        (who, at) => engine.artifact(who, at, { n: 1 }),
        (who, at) => engine.artifact(who, at, { runId }),
        (who, at) => engine.grafts(who, at),
      ];
      const byUuid = { kind: "ref", ref: own.logical_session_id } as const;
      const addresses = own.logical_session_id === null ? [pair] : [pair, byUuid];
      for (const address of addresses) {
        for (const call of calls) {
          await call(ann, address);
          expect(await codeOf(engine, call(bob, address)), String(call)).toBe(
            "plasm-unknown-session",
          );
        }
      }
      const uri = `plasm://execute/${own.key.promptHash}/${own.key.sessionId}/run/${runId}`;
      expect(await engine.readResource(ann, uri)).toMatchObject({ uri });
      expect(await codeOf(engine, engine.readResource(bob, uri))).toBe("plasm-unknown-session");
      await engine.close();
    },
  );
});
