import { createHash } from "node:crypto";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Host, openHost, openKeys } from "@plasm/host";
import { createMcpHandler } from "@plasm/mcp";
import { fixtureCatalogDir } from "@plasm/testkit";
import { OAUTH_CLIENT, type OAuthServer, startOAuthServer } from "@plasm/testkit/servers";
import type { Hono } from "hono";
import { createHttpApp } from "../create-http-app.ts";

type Fields = Readonly<Record<string, string>>;

/** A server whose catalog people sign in to, with the provider and the API behind it: one for each test. */
export class ConnectServer {
  readonly oauth: OAuthServer;
  readonly directory: string;
  readonly origin: string;
  #host: Host | null = null;
  #app: Hono | null = null;

  private constructor(oauth: OAuthServer, directory: string, origin: string) {
    this.oauth = oauth;
    this.directory = directory;
    this.origin = origin;
  }

  /** Starts the provider, and writes the catalog. */
  static async start(
    origin = "http://127.0.0.1",
    redirects = [`${origin}/v1/connect/callback`],
    oauthOfCatalog = "{ provider: harbour-id, scopes: { boats.read: {} } }",
    readClient?: (url: string) => Promise<Response>,
  ): Promise<ConnectServer> {
    const oauth = await startOAuthServer({
      redirectUris: redirects,
      ...(readClient === undefined ? {} : { readClient }),
    });
    const directory = await mkdtemp(join(tmpdir(), "plasm-connect-"));
    const catalog = join(directory, "catalogs", "quay");
    await cp(fixtureCatalogDir("quay"), catalog, { recursive: true });
    const path = join(catalog, "domain.yaml");
    const auth = "scheme: oauth_bearer, env: QUAY_TOKEN";
    const declared = `\noauth: ${oauthOfCatalog}\n`;
    const text = (await readFile(path, "utf8")).replace("scheme: none", auth);
    await writeFile(path, text + declared);
    return new ConnectServer(oauth, directory, origin);
  }

  get host(): Host {
    if (this.#host === null) throw new Error("The server is not open");
    return this.#host;
  }

  /** Opens the server; `served` says whether people reach its pages. */
  async open(env: Fields = {}, mode = "off", served = true): Promise<void> {
    await this.#host?.close();
    const host = await openHost({
      dataDir: join(this.directory, "data"),
      catalogs: [join(this.directory, "catalogs")],
      env: {
        PLASM_OAUTH_HARBOUR_ID_ISSUER: this.oauth.url,
        PLASM_OAUTH_HARBOUR_ID_CLIENT_ID: OAUTH_CLIENT,
        PLASM_BACKEND_QUAY: this.oauth.url,
        ...env,
      },
      auth: { mode },
    });
    this.#host = host;
    const { engine, connections, connect, auth, accounts } = host;
    if (served) connect.serveAt(this.origin);
    const mcp = createMcpHandler({ engine, connections, auth, connect });
    const { hostname } = new URL(this.origin);
    this.#app = createHttpApp({ engine, mcp, connect, auth, accounts, hosts: [hostname] });
  }

  /** Opens it for people with keys, whose own credentials calls use unless told otherwise. */
  async openFor(
    env: Fields = { PLASM_CREDENTIALS: "user" },
  ): Promise<{ ann: string; bob: string }> {
    const keys = await openKeys(join(this.directory, "data"), {});
    await keys.keys.add({ tenant: "acme", subject: "first", role: "agent" });
    await keys.close();
    await this.open(env, "required");
    const keyOf = async (subject: string): Promise<string> =>
      (await this.host.operators.keys.add({ tenant: "acme", subject, role: "agent" })).key;
    return { ann: await keyOf("ann"), bob: await keyOf("bob") };
  }

  /** What the audit log tells of sign-ins in the tenant of callers without proof (OPS-40). */
  async signedIn(): Promise<readonly unknown[]> {
    const { lines } = await this.host.operators.audit.page("anonymous", {
      since: null,
      until: null,
      kind: "signed_in",
      subject: null,
      entryId: null,
      after: null,
      limit: 10,
      order: "asc",
    });
    return lines;
  }

  /** Stores an envelope of tokens, as servers of before did, which is read as what they encrypt is. */
  async store(
    owner: { key: string; tenant: string | null; principal: string | null },
    envelope: object,
  ): Promise<void> {
    const directory = join(this.directory, "data", "credentials");
    const { key, tenant, principal } = owner;
    const name = createHash("sha256").update(JSON.stringify([key, tenant, principal]));
    const value = JSON.stringify(envelope);
    await mkdir(directory, { recursive: true });
    await writeFile(
      join(directory, `${name.digest("hex").slice(0, 40)}.json`),
      JSON.stringify({ version: 1, ...owner, changedAt: 1, value }),
    );
  }

  async close(): Promise<void> {
    await this.#host?.close();
    await this.oauth.close();
    await rm(this.directory, { recursive: true, force: true });
  }

  send(path: string, init: RequestInit = {}): Promise<Response> {
    return Promise.resolve(this.#app?.fetch(new Request(new URL(path, this.origin), init))).then(
      (answer) => answer ?? Response.error(),
    );
  }

  /** An agent's session on boats; with an intent it may name an account. */
  async session(as: Fields = {}, account?: string, intent?: string): Promise<string> {
    const seed = { api: "quay", entity: "Boat", ...(account === undefined ? {} : { account }) };
    const body = JSON.stringify({ seeds: [seed], ...(intent === undefined ? {} : { intent }) });
    const headers = { "content-type": "application/json", ...as };
    const opened = await this.send("/execute", { method: "POST", headers, body });
    if (opened.status !== 303) throw new Error(`No session: ${await opened.text()}`);
    return opened.headers.get("location") ?? "";
  }

  run(at: string, program: string, as: Fields = {}): Promise<Response> {
    const headers = { "content-type": "text/plain", ...as };
    return this.send(at, { method: "POST", headers, body: program });
  }

  runRef(at: string, ref: string, as: Fields = {}): Promise<Response> {
    const headers = { "content-type": "application/json", ...as };
    return this.send(at, {
      method: "POST",
      headers,
      body: JSON.stringify({ plan_commit_ref: ref }),
    });
  }

  /** What an agent is told that runs without a credential: the link, and the ref that runs afterwards. */
  async asked(at: string, as: Fields = {}): Promise<{ link: string; ref: string }> {
    const answer = await this.run(at, "Boat.limit(1)", as);
    const { detail, code } = (await answer.json()) as { detail: string; code: string };
    const isAsked =
      /^not run: nothing was sent\nquay(?: account \w+)? is not connected(?:; its accounts are [\w, /]+)?\. /.test(
        detail,
      );
    if (answer.status !== 502 || code !== "plasm-upstream-auth" || !isAsked)
      throw new Error(`Nobody was asked to sign in: ${answer.status} ${code} ${detail}`);
    return {
      link: /https?:\/\/\S+\/v1\/connect\/\S+/.exec(detail)?.[0] ?? detail,
      ref: /plan_commit_ref=(\w+)/.exec(detail)?.[1] ?? detail,
    };
  }

  /** Presses the button of the page, as a person whose key is the one given. */
  press(link: string, key?: string): Promise<Response> {
    const body = new URLSearchParams(key === undefined ? {} : { key });
    return this.send(link, { method: "POST", body, headers: { origin: this.origin } });
  }

  /** Consents at the provider, and returns where the browser is sent back to. */
  consented(begun: Response, refuses = false): Promise<URL> {
    return this.oauth.visit(begun.headers.get("location") ?? "", { name: "ann", refuses });
  }

  /** Comes back from the provider with what a browser holds. */
  back(to: URL, ...begun: readonly Response[]): Promise<Response> {
    return this.send(to.href, { headers: { cookie: begun.map(cookieOf).join("; ") } });
  }

  /** Whose tokens the API has seen since this is called, in order. */
  witness(): () => readonly (string | null)[] {
    const from = this.oauth.calls.length;
    return () => this.oauth.calls.slice(from).map(({ person }) => person);
  }

  /** Calls a tool over MCP with a key; the text of the answer, as its model sees it. */
  async callTool(key: string, name: string, args: object): Promise<string> {
    const answer = await this.send("/mcp", {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "x-api-key": key,
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name, arguments: args },
      }),
    });
    return answer.text();
  }
}

/** The cookie that a browser keeps of an answer. */
export const cookieOf = (answer: Response): string =>
  answer.headers.get("set-cookie")?.split(";")[0] ?? "";
