import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Received, type Reply, startServer, type TestServer } from "@plasm/testkit/servers";
import { quickClock, run, type Setting } from "../../testing/fixture-run.ts";
import { memorySecrets, TOKEN_PATH } from "../../testing/guarded-depot.ts";
import { parcels } from "../../testing/parcel-catalog.ts";
import { planProgram } from "../../testing/run-program.ts";
import { createRedactor } from "./redactor.ts";

const START = Date.UTC(2026, 0, 5, 12);
const FIRST = "first-access-token";

let server: TestServer;
/** whether the first token is still taken */
let valid: boolean;

function api({ method, path, headers, body }: Received): Reply {
  if (path === TOKEN_PATH) return { json: { access_token: "second-access-token" } };
  if (!valid && headers.authorization === `Bearer ${FIRST}`) return { status: 401, json: {} };
  if (path.endsWith("/scans")) return { json: { items: [{ id: "s1" }, { id: "s2" }] } };
  return { json: { id: "p1", note: method === "GET" ? "as it was" : body } };
}

beforeEach(async () => {
  valid = true;
  server = await startServer(api);
});
afterEach(() => server.close());

/** Runs a program with a token of these scopes. */
function program(text: string, scope: string | undefined, more: Partial<Setting> = {}) {
  const catalog = parcels(server.url);
  const envelope = {
    version: 1,
    entry_id: "parcels",
    access_token: FIRST,
    refresh_token: "first-refresh-token",
    expires_at_unix: START / 1000 + 3_600,
    ...(scope === undefined ? {} : { scope }),
  };
  const settings = {
    PLASM_OAUTH_POST_ID_TOKEN_URL: server.url + TOKEN_PATH,
    PLASM_OAUTH_POST_ID_CLIENT_ID: "plasm",
  };
  const hosted = { "plasm:outbound:parcels": JSON.stringify(envelope) };
  const plan = planProgram(text, [catalog]);
  const secrets = memorySecrets(settings, hosted);
  const setting = { catalogs: [catalog], backends: {}, secrets, clock: quickClock(START) };
  const variables = new Map([["parcels", { share_token: "sh4re-token" }]]);
  return run({ ...setting, sessionVariables: variables, ...more }, plan.nodes, plan.returns);
}

const asked = (): readonly string[] =>
  server.log.map(({ method, url, headers }) =>
    [method, url, headers.authorization?.replace(/^Bearer (\w+)-.*$/, "$1") ?? "nobody"].join(" "),
  );

const UPDATE = 'Parcel("p1").update(note="new")';

describe("RUN-124: effects and relations", () => {
  test("an effect that met 401 is sent once more, and is one effect", async () => {
    valid = false;
    const { effects, status } = await program(UPDATE, undefined);
    expect(status).toBe("succeeded");
    expect(effects.map((effect) => effect.status)).toEqual(["done"]);
    expect(asked()).toEqual([
      "PATCH /parcels/p1 first",
      `POST ${TOKEN_PATH} nobody`,
      "PATCH /parcels/p1 second",
    ]);
  });

  test("an effect whose scopes are missing is never sent", async () => {
    const { effects, nodes } = await program(UPDATE, "read");
    expect(effects.map((effect) => effect.status)).toEqual(["skipped"]);
    expect(nodes[0]?.error?.message).toContain(
      "needs the scopes read and write; granted are: read",
    );
    expect(server.log).toEqual([]);
  });

  test("what a provider says was granted is told as far as it is scopes, and not without end", async () => {
    const many = Array.from({ length: 30 }, (_, at) => `s${at}`);
    const odd = ['"quoted"', "back\\slash", "x".repeat(201), "zürich", "tab\u0001"];
    const { nodes } = await program(UPDATE, [...odd, ...many, "s0"].join(" "));
    const shown = many.slice(0, 20).join(", ");
    expect(nodes[0]?.error?.message).toContain(`granted are: ${shown} and 10 more.`);
  });

  test("with them it is", async () => {
    expect((await program(UPDATE, "write read")).status).toBe("succeeded");
  });

  test.each([
    ["scans", "succeeded", ["GET /parcels/p1/scans first"]],
    ["read", "failed", []],
  ])("a relation needs its own: granted %s, it %s", async (scope, status, requests) => {
    const outcome = await program('Parcel("p1").scans', scope);
    expect(outcome.status).toBe(status);
    expect(asked()).toEqual(requests);
    const codes = outcome.nodes.flatMap(({ error }) => (error === null ? [] : [error.code]));
    expect(codes).toEqual(status === "failed" ? ["auth_refused"] : []);
  });
});

describe("RUN-015: variables of a session", () => {
  test("templates see them, and nothing tells them", async () => {
    const outcome = await program('Parcel("p1")', undefined);
    expect(asked()).toEqual(["GET /parcels/p1?share=sh4re-token first"]);
    expect(JSON.stringify(outcome)).not.toContain("sh4re");
  });

  test("those of another catalog do not serve", async () => {
    const sessionVariables = new Map([["yard", { share_token: "of-yard" }]]);
    const outcome = await program('Parcel("p1")', undefined, { sessionVariables });
    expect(outcome.nodes[0]?.error?.code).toBe("argument_missing");
    expect(server.log).toEqual([]);
  });
});

describe("RUN-142: secrets in data", () => {
  test.each<[string, string, string]>([
    ["a long one", "s3cret", '{"a":"[redacted]"}'],
    ["one too short to be told from words", "s3cre", '{"a":"s3cret"}'],
  ])("%s", (_name, secret, expected) => {
    const redactor = createRedactor();
    redactor.add(secret);
    const data = Buffer.from('{"a":"s3cret"}');
    expect(Buffer.from(redactor.redactData(data)).toString()).toBe(expected);
  });

  test("bytes around it stay as they are, whatever their encoding", () => {
    const redactor = createRedactor();
    redactor.add("späte-Rose");
    const around = Buffer.from([0xff, 0x00, 0xc3]);
    const data = Buffer.concat([around, Buffer.from("späte-Rose"), around]);
    const clean = Buffer.from(redactor.redactData(data));
    expect(clean).toEqual(Buffer.concat([around, Buffer.from("[redacted]"), around]));
  });
});
