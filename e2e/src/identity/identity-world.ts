import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { KeyOwner } from "@plasm/agent-core/internal";
import type { JsonObject, Policy } from "@plasm/core";
import { startHttpServer } from "@plasm/http";
import { mountMcp } from "@plasm/mcp";
import { type Host, openHost, openKeys } from "@plasm/host";
import { openCredentialFiles } from "@plasm/runtime";
import { startSampleApis, type SampleApis } from "@plasm/sample-apis";
import { fixtureCatalogDir } from "@plasm/testkit";
import {
  gateAgent,
  requestOf,
  type Fetch,
  type GateAgent,
  type GateSurface,
} from "../gate/gate-agent.ts";

/** Headers by which a caller says who it is. */
export type Credential = Readonly<Record<string, string>>;

/** What a route answered, in full. */
export interface Raw {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** A real server on a port of its own, callers of many kinds, and the APIs behind it. */
export interface IdentityWorld {
  readonly url: string;
  readonly host: Host;
  readonly apis: SampleApis;
  /** sends what a test makes, as this caller */
  fetchAs(who: Credential): Fetch;
  call(who: Credential, method: string, path: string, body?: object): Promise<Raw>;
  /** the credential of a key made for somebody */
  key(owner: Partial<KeyOwner>): Promise<Credential>;
  agent(surface: GateSurface, who: Credential, intent: string): Promise<GateAgent>;
  /** sets a tenant's policy over HTTP, as an administrator */
  setPolicy(tenant: string, policy: Policy): Promise<void>;
  /** what another server on the same store answers; it is ended with this one */
  replica(): Promise<IdentityWorld["call"]>;
  /** `Authorization` headers of the requests that the APIs got since the last look */
  carried(): readonly (string | undefined)[];
  close(): Promise<void>;
}

export interface IdentityOptions {
  readonly auth?: "off" | "optional" | "required";
  readonly env?: Readonly<Record<string, string>>;
  /** quay's calls need a credential: these, by the user whose it is */
  readonly credentials?: Readonly<Record<string, string>>;
  /** where it listens; anywhere without it */
  readonly port?: number;
}

/** The tenant of callers whose test names none. */
export const TENANT = "acme";

/** Quay with names that no other catalog has, behind a token if it is to be. */
async function quayIn(directory: string, guarded: boolean): Promise<string> {
  const own = join(directory, "quay");
  await cp(fixtureCatalogDir("quay"), own, { recursive: true });
  const domain = join(own, "domain.yaml");
  const tags = "tags: [sample, harbour, moorings]\nregistry_aliases: [dockside]";
  const text = (await readFile(domain, "utf8")).replace("tags: [sample, harbour]", tags);
  const token = "scheme: bearer_token, env: QUAY_TOKEN";
  await writeFile(domain, guarded ? text.replace("scheme: none", token) : text);
  return own;
}

async function storeCredentials(dataDir: string, credentials: Credential): Promise<void> {
  const files = openCredentialFiles(dataDir, () => Date.now(), process.env);
  const key = "plasm:outbound:v1:catalog:quay";
  for (const [principal, secret] of Object.entries(credentials)) {
    await files.set({ key, tenant: TENANT, principal }, secret, "set", "e2e");
  }
}

async function openAll(directory: string, asked: IdentityOptions) {
  const { auth: mode = "required", env = {}, credentials } = asked;
  const dataDir = join(directory, "data");
  const apis = await startSampleApis({
    dataDir: join(directory, "apis"),
    ports: { quay: 0, yard: 0 },
  });
  if (credentials !== undefined) await storeCredentials(dataDir, credentials);
  // A server that demands proof wants somebody who has it.
  const { keys, close } = await openKeys(dataDir, env);
  await keys.add({ tenant: TENANT, subject: "first", role: "agent" });
  await close();
  const options = {
    dataDir,
    catalogs: [await quayIn(directory, credentials !== undefined), fixtureCatalogDir("yard")],
    env: { ...env, PLASM_BACKEND_QUAY: apis.quay.url, PLASM_BACKEND_YARD: apis.yard.url },
    auth: { mode },
  };
  return { apis, openOne: () => openHost(options) };
}

/** A server on a port of its own, and how callers reach it. */
async function serve(host: Host, port = 0) {
  const { engine, operators, administrators, auth, origin, console: page } = host;
  const serves = {
    engine,
    mcp: mountMcp(host),
    operators,
    administrators,
    auth,
    origin,
    console: page,
  };
  // Its tests send more bad credentials in a second than a server takes of anybody.
  const rate = { burst: 1_000_000, perMinute: 1 };
  const guesses = { credentials: rate, key: rate, paths: rate, entries: 1_000 };
  const server = await startHttpServer({ ...serves, guesses, host: "127.0.0.1", port });
  const { url } = server;
  const fetchAs =
    (who: Credential): Fetch =>
    async (request) => {
      const { pathname, search } = new URL(request.url);
      const headers = new Headers(request.headers);
      for (const [name, value] of Object.entries(who)) headers.set(name, value);
      const body = request.body === null ? {} : { body: await request.text() };
      const sent = { method: request.method, headers, redirect: "manual", ...body } as const;
      return fetch(`${url}${pathname}${search}`, sent);
    };
  const call: IdentityWorld["call"] = async (who, method, path, body) => {
    const response = await fetchAs(who)(requestOf(method, path, body));
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const close = async (): Promise<void> => {
    await server.close();
    await host.close();
  };
  return { url, fetchAs, call, close };
}

export async function openIdentityWorld(options: IdentityOptions = {}): Promise<IdentityWorld> {
  const directory = await mkdtemp(join(tmpdir(), "plasm-identity-"));
  const { apis, openOne } = await openAll(directory, options);
  const host = await openOne();
  const { url, fetchAs, call, ...first } = await serve(host, options.port);
  const closing = [first.close];
  const key: IdentityWorld["key"] = async (owner) => {
    const whole = { tenant: TENANT, subject: "ann", role: "agent", ...owner } as const;
    return { "x-api-key": (await host.operators.keys.add(whole)).key };
  };
  const admin = await key({ role: "admin", subject: "root" });
  return {
    url,
    host,
    apis,
    fetchAs,
    call,
    key,
    agent: (surface, who, intent) => gateAgent(surface, fetchAs(who), intent),
    setPolicy: async (tenant, policy) => {
      const path = `/v1/admin/policy/${encodeURIComponent(tenant)}`;
      const { status, text } = await call(admin, "PUT", path, policy);
      if (status !== 200) throw new Error(text);
    },
    carried: () => {
      const seen = apis.requests.map(({ headers }) => headers["authorization"]);
      apis.forgetRequests();
      return seen;
    },
    replica: async () => {
      const second = await serve(await openOne());
      closing.push(second.close);
      return second.call;
    },
    close: async () => {
      for (const end of closing) await end();
      await apis.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** The JSON of an answer. */
export const jsonOf = ({ text }: Raw): JsonObject => JSON.parse(text) as JsonObject;

/** A text of an answer; throws where there is none. */
export function textIn(value: Readonly<Record<string, unknown>> | undefined, name: string): string {
  const text = value?.[name];
  if (typeof text === "string") return text;
  throw new Error(`no ${name} in ${JSON.stringify(value)}`);
}
