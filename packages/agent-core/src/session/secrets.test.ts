import { openCatalog } from "@plasm/core";
import { type SecretProvider, systemClock, systemIds, type TransportRequest } from "@plasm/runtime";
import { readFixtureCatalog } from "@plasm/testkit";
import { expect, test } from "vitest";
import { createEngine } from "../create-engine.ts";
import type { SignInInvitations } from "../program/deps.ts";
import { LOCAL } from "../identity/caller.ts";
import { boatsApi } from "../../test/boats-api.ts";
import { agentOn } from "../../test/engine-on.ts";
import { testStore } from "../../test/test-store.ts";
import { keepingVariables, type SessionSecretsOf, usersSecrets } from "./secrets.ts";

/** Quay behind a bearer token that the deployment does not have. */
function guardedQuay() {
  const { entryId, domain, mappings } = readFixtureCatalog("quay");
  const text = domain.replace("scheme: none", "scheme: bearer_token, env: QUAY_TOKEN");
  const opened = openCatalog({
    entryId,
    domain: { file: "domain.yaml", text },
    mappings: { file: "mappings.yaml", text: mappings },
  });
  if (opened.catalog === null) throw new Error("quay does not open");
  return { catalog: opened.catalog, domain: text, mappings, credentials: false };
}

/** The authorization that each request carried, of an engine on guarded quay. */
function guardedEngine(
  secretsOf?: SessionSecretsOf,
  secrets: SecretProvider = { env: () => undefined, hosted: async () => undefined },
  signIn?: SignInInvitations,
) {
  const api = boatsApi();
  const carried: (string | undefined)[] = [];
  const authorization = ({ headers }: TransportRequest): string | undefined =>
    headers.find(([name]) => name.toLowerCase() === "authorization")?.[1];
  const entry = guardedQuay();
  const engine = createEngine({
    store: testStore(),
    registry: { list: () => [entry], get: (id) => (id === "quay" ? entry : undefined) },
    ports: {
      transport: {
        send: (request) => {
          carried.push(authorization(request));
          return api.transport.send(request);
        },
        close: () => api.transport.close(),
      },
      secrets,
      clock: systemClock,
      ids: systemIds,
      functions: new Map(),
    },
    ...(secretsOf === undefined ? {} : { secretsOf }),
    ...(signIn === undefined ? {} : { signIn }),
  });
  return { engine, carried };
}

test("RUN-120 each session uses its own credential, and no other's", async () => {
  const tokens = new Map<string, string>();
  const { engine, carried } = guardedEngine((caller, session) => {
    if (session === "") return { credentials: { tenant: caller.scope } };
    const token = tokens.get(session) ?? `token-${tokens.size + 1}`;
    tokens.set(session, token);
    const own = new Map([["quay", token]]);
    return { credentials: { tenant: caller.scope, session: own } };
  });
  const first = await agentOn(engine, "first");
  const second = await agentOn(engine, "second");
  await first.run("Boat.limit(1)");
  await second.run("Boat.limit(1)");
  await first.run("Boat.limit(2)");
  expect(carried).toEqual(["Bearer token-1", "Bearer token-2", "Bearer token-1"]);
  await engine.close();
});

test.each(["Boat.limit(1)", 'Boat("c1").update(note="x")'])(
  "RUN-129 what was planned for no account is sent as none that is added since: %s",
  async (program) => {
    const stored = new Map([["plasm:outbound:v1:catalog:quay", "own"]]);
    let isAdded = false;
    const { engine, carried } = guardedEngine(
      undefined,
      {
        env: () => undefined,
        // The default goes and an account comes when the gate is passed, and before anything is sent.
        hosted: async (key) => stored.get(key),
        accounts: () => (isAdded ? ["work"] : []),
      },
      {
        lastsMs: 0,
        accountOf: () => null,
        accountFault: () => null,
        accountQuestion: () => null,
        missingScopes: () => null,
        invite: async () => {
          isAdded = true;
          stored.clear();
          stored.set("plasm:outbound:v1:catalog:quay@work", "of-work");
          return null;
        },
      },
    );
    const agent = await agentOn(engine);
    const { text } = await agent.run(program, { force: true });
    expect(carried).toEqual([]);
    expect(text).toContain("There is no credential for quay");
    await engine.close();
  },
);

test("RUN-129 a page goes on with the account that it was begun with, and with no other", async () => {
  let account: string | null = null;
  const { engine, carried } = guardedEngine(
    undefined,
    { env: () => undefined, hosted: async (key) => key.split(":").at(-1) },
    {
      lastsMs: 0,
      accountOf: () => account,
      accountQuestion: () => null,
      missingScopes: () => null,
      accountFault: () => null,
      invite: async () => null,
    },
  );
  const agent = await agentOn(engine);
  const begun = await agent.run("Boat.page_size(1)[id]");
  const page = /page\(\w+\)/.exec(begun.text)?.[0] ?? begun.text;
  account = "work";
  const other = await agent.run(page);
  expect([other.problem?.code, other.text]).toEqual([
    "plasm-unknown-handle",
    expect.stringContaining("Read it again"),
  ]);
  expect(carried).toEqual(["Bearer quay"]);
  account = null;
  expect((await agent.run(page)).text).toContain("b2");
  account = "work";
  const again = await agent.run("Boat.page_size(1)[id]");
  const own = /page\(\w+\)/.exec(again.text)?.[0] ?? again.text;
  expect((await agent.run(own)).text).toContain("b2");
  account = null;
  expect((await agent.run(own)).problem?.code).toBe("plasm-unknown-handle");
  await engine.close();
});

test("SURF-24 a caller who stands for no user is told of no account", async () => {
  const { engine } = guardedEngine(
    (caller) => ({ credentials: { tenant: caller.scope, delegated: true } }),
    undefined,
    {
      lastsMs: 0,
      accountOf: () => null,
      accountQuestion: () => null,
      missingScopes: () => null,
      accountFault: () => "name one of home",
      invite: async () => null,
    },
  );
  const seeds = [{ api: "quay", entity: "Boat", account: "hmoe" }];
  const opened = engine.context(LOCAL, { intent: "look", seeds });
  await expect(opened).rejects.toThrow(/Calls of quay use the credentials of a user/);
  await engine.close();
});

test("RUN-150 a session without one is told every source, and what gives it one", async () => {
  const { engine, carried } = guardedEngine();
  const { text, problem } = await (await agentOn(engine)).run("Boat.limit(1)");
  expect(problem?.code).toBe("plasm-upstream-auth");
  expect(text).toContain(
    "plasm auth (plasm:outbound:v1:catalog:quay), environment variable QUAY_TOKEN",
  );
  expect(text).toContain("plasm auth set quay");
  expect(carried).toEqual([]);
  expect((await engine.registry(LOCAL))[0]).toMatchObject({
    credentials: false,
    credentials_needed:
      "on the server run plasm auth set quay, or set QUAY_TOKEN in its environment or env file and restart it",
  });
  await engine.close();
});

test("RUN-105: what a hook set with one user's credentials serves no other user of the session", () => {
  const secretsOf = keepingVariables(usersSecrets);
  const [ann, bob] = ["ann", "bob"].map((subject) => ({ ...LOCAL, subject }));
  secretsOf(ann ?? LOCAL, "s1").keep?.("quay", { share_token: "of-ann" });
  expect(secretsOf(ann ?? LOCAL, "s1").variables?.get("quay")).toEqual({ share_token: "of-ann" });
  expect(secretsOf(bob ?? LOCAL, "s1").variables).toBeUndefined();
});

test("RUN-105: what a hook set serves the session's later runs, and no other session", () => {
  const hosts = new Map([["quay", { share_token: "host", base_token: "base" }]]);
  const secretsOf = keepingVariables(() => ({ credentials: { tenant: "t" }, variables: hosts }));
  secretsOf(LOCAL, "s1").keep?.("quay", { share_token: "set" });
  secretsOf(LOCAL, "s1").keep?.("yard", { hall: "h" });
  const variables = (session: string) => [...(secretsOf(LOCAL, session).variables ?? [])];
  expect(variables("s1")).toEqual([
    ["quay", { share_token: "set", base_token: "base" }],
    ["yard", { hall: "h" }],
  ]);
  expect(variables("s2")).toEqual([...hosts]);
  // What came with the credential of one account serves no other, nor calls without one.
  const hallOf = (quay?: string) =>
    secretsOf(LOCAL, "s1", quay === undefined ? {} : { quay }).variables?.get("quay")?.["hall"];
  secretsOf(LOCAL, "s1", { quay: "work" }).keep?.("quay", { hall: "of-work" });
  expect([hallOf("work"), hallOf("home"), hallOf()]).toEqual(["of-work", undefined, undefined]);
  expect(variables("s1")[0]?.[1]).toEqual({ share_token: "set", base_token: "base" });
  const other = { ...LOCAL, scope: "another" };
  expect([...(secretsOf(other, "s1").variables ?? [])]).toEqual([...hosts]);
});
