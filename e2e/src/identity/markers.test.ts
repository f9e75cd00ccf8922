import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { openKeys } from "@plasm/host";
import { startSampleApis, type SampleApis } from "@plasm/sample-apis";
import { findSecrets, fixtureCatalogDir, type Leak } from "@plasm/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { requestOf } from "../gate/gate-agent.ts";
import { startPlasmServer, type PlasmServer } from "../harness/plasm-server.ts";
import { hs256 } from "./tokens.ts";

const SECRET = "m4rker-of-the-issuer/s+secret=and?long";

/** What callers show and the server knows; each is looked for in every writing, whole. */
const markers: Record<string, string> = {
  issuer: SECRET,
  junkKey: "m4rker.junk~key",
  junkToken: "m4rker.junk.token-of-nobody",
  basic: Buffer.from("m4rker:basic-password").toString("base64"),
  queryKey: "m4rker-in/the+query",
  rotated: "",
};

let directory = "";
let [server, apis]: [PlasmServer, SampleApis] = [] as never;
const answers: (readonly [string, string])[] = [];

/** The part of a key, or of a token, that is its secret. */
const secretOf = (text: string): string => text.slice(-30);

async function keep(name: string, text: string): Promise<string> {
  markers[name] = secretOf(text);
  return text;
}

async function makeKeys(dataDir: string): Promise<Readonly<Record<string, string>>> {
  const { keys, close } = await openKeys(dataDir, {});
  const made: Record<string, string> = {};
  for (const role of ["agent", "operator", "admin"] as const) {
    made[role] = await keep(role, (await keys.add({ tenant: "acme", subject: role, role })).key);
  }
  const { key, record } = await keys.add({ tenant: "acme", subject: "old", role: "agent" });
  made["old"] = await keep("rotated", key);
  await keys.rotate(record.id);
  await close();
  return made;
}

let given: Readonly<Record<string, string>> = {};
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "plasm-markers-"));
  const dataDir = join(directory, "data");
  apis = await startSampleApis({ dataDir: join(directory, "apis"), ports: { quay: 0, yard: 0 } });
  given = await makeKeys(dataDir);
  await writeFile(join(dataDir, ".env"), `PLASM_JWT_SECRET='${SECRET}'\n`, { mode: 0o600 });
  server = await startPlasmServer({
    dataDir,
    catalogs: [fixtureCatalogDir("quay")],
    env: { PLASM_LOG: "debug", PLASM_BACKEND_QUAY: apis.quay.url },
    args: ["--auth", "required"],
  });
}, 120_000);
afterAll(async () => {
  await apis.close();
  await rm(directory, { recursive: true, force: true });
});

/** Sends a request and keeps all that comes back, headers too. */
async function send(
  headers: Readonly<Record<string, string>>,
  method: string,
  path: string,
  body?: object,
): Promise<{ readonly status: number; readonly location: string | null }> {
  const { headers: own } = requestOf(method, path, body);
  const response = await fetch(`${server.url}${path}`, {
    method,
    redirect: "manual",
    headers: { ...Object.fromEntries(own), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const said = [...response.headers].map((pair) => pair.join(": ")).join("\n");
  answers.push([`${method} ${path}`, `${said}\n${await response.text()}`]);
  return { status: response.status, location: response.headers.get("location") };
}

const call = (name: string, args: object) => ({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name, arguments: args },
});
const SEEDS = [{ api: "quay", entity: "Boat" }];

/** What a caller of any kind may send, sensible or not. */
async function talk(headers: Readonly<Record<string, string>>, query = ""): Promise<void> {
  await send(headers, "GET", `/v1/whoami${query}`);
  await send(headers, "GET", `/v1/registry${query}`);
  await send(headers, "GET", `/v1/no/such/route${query}`);
  await send(headers, "POST", `/v1/discover${query}`, { intent: "boats" });
  await send(headers, "GET", `/v1/approvals${query}`);
  await send(headers, "PUT", `/v1/admin/policy/acme${query}`, { forse: true });
  await send(headers, "POST", `/mcp${query}`, call("plasm_context", { intent: "a", seeds: SEEDS }));
  await send(headers, "POST", `/mcp${query}`, call("plasm_run", { program: "Boat" }));
  const { location } = await send(headers, "POST", `/execute${query}`, {
    intent: "b",
    seeds: SEEDS,
    notation: "names",
  });
  const path = location ?? `/execute/${"a".repeat(64)}/${"b".repeat(32)}`;
  await send(headers, "POST", `${path}${query}`, { program: "Boat.limit(1)", force: true });
  await send(headers, "POST", `${path}${query}`, { program: "Boat{" });
  await send(headers, "GET", `${path}/runs${query}`);
}

function search(where: string, text: string | Uint8Array): readonly Leak[] {
  return findSecrets(where, text, markers);
}

describe("SURF-27 who calls, by whatever it says", { timeout: 60_000 }, () => {
  test("is shown in no answer, good or bad, and in no header of one", async () => {
    const token = await keep("token", hs256(SECRET, { tenant: "acme", sub: "tom" }));
    const expired = await keep("expired", hs256(SECRET, { tenant: "acme", exp: 1 }));
    const forged = await keep("forged", hs256(`${SECRET}, not`, { tenant: "acme" }));
    const { agent = "", operator = "", admin = "", old = "" } = given;
    const { junkKey = "", junkToken = "", basic = "", queryKey = "" } = markers;
    for (const headers of [
      { "x-api-key": agent },
      { authorization: `Bearer ${agent}` },
      { "x-api-key": operator },
      { "x-api-key": admin },
      { authorization: `Bearer ${token}` },
      { authorization: `Bearer ${expired}` },
      { authorization: `Bearer ${forged}` },
      { "x-api-key": old },
      { "x-api-key": junkKey },
      { authorization: `Bearer ${junkToken}` },
      { authorization: `Basic ${basic}` },
      { "x-api-key": junkKey, authorization: `Bearer ${token}` },
    ]) {
      await talk(headers);
    }
    const asQuery = `?api_key=${encodeURIComponent(queryKey)}&access_token=${token}`;
    await talk({ "x-api-key": agent }, asQuery);
    await talk({}, asQuery);
    const told = answers.flatMap(([where, text]) => search(where, text));
    expect(told).toEqual([]);
    expect(answers.length).toBeGreaterThan(150);
    expect(answers.some(([, text]) => text.includes('"method":"jwt"'))).toBe(true);
    expect(answers.some(([, text]) => text.includes("rows"))).toBe(true);
  });

  test("is written in no log at debug, and in no file but those for secrets", async () => {
    await server.stop();
    const log = server.said();
    expect(log).toContain("plasm_run");
    expect(search("log", log)).toEqual([]);
    const entries = await readdir(directory, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile() && entry.name !== ".env");
    const leaks: Leak[] = [];
    for (const { parentPath, name } of files) {
      const path = join(parentPath, name);
      leaks.push(...search(relative(directory, path), await readFile(path)));
    }
    expect(files.map(({ name }) => name)).toContain("plasm.db");
    expect(leaks).toEqual([]);
  });

  test("the search finds what is there", async () => {
    const env = await readFile(join(directory, "data", ".env"));
    expect(search(".env", env).length).toBeGreaterThan(0);
  });
});
