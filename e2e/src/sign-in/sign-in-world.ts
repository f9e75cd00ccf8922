import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { type Host, openHost, openKeys } from "@plasm/host";
import { findSecrets, fixtureCatalogDir, type Leak } from "@plasm/testkit";
import { OAUTH_CLIENT, type OAuthServer, startOAuthServer } from "@plasm/testkit/servers";
import { type PlasmServer, startPlasmServer } from "../harness/plasm-server.ts";
import type { Account } from "./witness.ts";

/** Where a program comes from. */
export type Surface = "mcp" | "http" | "embedded";

/** Runs programs of one account on one surface; an answer is its whole text. */
export type RunAs = (program: string) => Promise<string>;

/** Signs in by a link, as a person who has this key. */
export type Consent = (link: string, key: string, person: string) => Promise<void>;

const CALLBACK = "/v1/connect/callback";

/**
 * A server that is killed and started again, a program that embeds the engine on the same data directory, and the provider and API behind
 * both. Whatever anybody is told, and all that is written, is kept to be searched.
 */
export class SignInWorld {
  readonly oauth: OAuthServer;
  readonly directory: string;
  /** all that was answered, printed and logged */
  readonly told: (readonly [where: string, text: string])[] = [];
  readonly #keys: ReadonlyMap<string, string>;
  readonly #consent: Consent | null;
  #server: PlasmServer;
  #host: Host;

  private constructor(
    oauth: OAuthServer,
    directory: string,
    keys: ReadonlyMap<string, string>,
    server: PlasmServer,
    host: Host,
    consent: Consent | null,
  ) {
    this.oauth = oauth;
    this.directory = directory;
    this.#keys = keys;
    this.#server = server;
    this.#host = host;
    this.#consent = consent;
  }

  /** Starts it. Whoever signs in does so by `consent`; else by requests like those of a browser. */
  static async start(
    principals: readonly string[],
    consent: Consent | null = null,
  ): Promise<SignInWorld> {
    const oauth = await startOAuthServer();
    const directory = await mkdtemp(join(tmpdir(), "plasm-sign-ins-"));
    await writeCatalog(directory);
    const { keys: ring, close } = await openKeys(join(directory, "data"), {});
    const keys = new Map<string, string>();
    for (const subject of principals)
      keys.set(subject, (await ring.add({ tenant: "acme", subject, role: "agent" })).key);
    await close();
    const server = await startServer(directory, oauth.url, 0);
    const host = await openHost({
      dataDir: join(directory, "data"),
      catalogs: [join(directory, "catalogs")],
      env: settings(directory, oauth.url),
      auth: { mode: "required" },
    });
    return new SignInWorld(oauth, directory, keys, server, host, consent);
  }

  /** Where the server is. */
  get url(): string {
    return this.#server.url;
  }

  keyOf(principal: string): string {
    const key = this.#keys.get(principal);
    if (key === undefined) throw new Error(`${principal} has no key`);
    return key;
  }

  /** Ends the server by SIGKILL, whatever it is doing, and starts it again where it was. */
  async kill(): Promise<void> {
    const { port } = this.#server;
    await this.#server.kill();
    this.told.push(["a killed server", this.#server.said()]);
    this.#server = await startServer(this.directory, this.oauth.url, port);
  }

  /** A session of an account on a surface. It signs in by its link whenever it is told to. */
  async session(surface: Surface, account: Account): Promise<RunAs> {
    const intent = `${surface} of ${account.person}`;
    const seeds = [{ api: "quay", entity: "Boat", account: account.label }];
    const run = await this.#open(surface, this.#key(account), { intent, seeds });
    return async (program) => {
      for (let tries = 0; ; tries += 1) {
        const text = await this.#persistent(() => run(program));
        this.told.push([intent, text]);
        const [link] = /http:\S+\/v1\/connect\/[\w-]+/.exec(text) ?? [];
        if (link === undefined) return text;
        if (tries > 3) throw new Error(`${account.person} is asked to sign in again and again`);
        await this.#signIn(link, account);
      }
    };
  }

  /** Where a token or a code stands that the provider gave: in what was told, in the data directory, or in a backup of its store. */
  async leaks(): Promise<readonly Leak[]> {
    const secrets = Object.fromEntries(this.oauth.issued.map((text, n) => [`token ${n}`, text]));
    this.told.push(["the server", this.#server.said()]);
    const data = join(this.directory, "data");
    const database = new DatabaseSync(join(data, "plasm.db"));
    await backup(database, join(data, "backup.db"));
    database.close();
    const files = await readdir(data, { recursive: true, withFileTypes: true });
    const read = files
      .filter((file) => file.isFile())
      .map(async ({ parentPath, name }) => {
        const path = join(parentPath, name);
        return findSecrets(path, await readFile(path), secrets);
      });
    return [
      ...(await Promise.all(read)).flat(),
      ...this.told.flatMap(([where, text]) => findSecrets(where, text, secrets)),
    ];
  }

  async close(): Promise<void> {
    await this.#host.close();
    await this.#server.kill();
    await this.oauth.close();
    await rm(this.directory, { recursive: true, force: true });
  }

  #key({ principal }: Account): string {
    return this.keyOf(principal);
  }

  /** Again as long as nobody answers: the server is being started. */
  async #persistent(send: () => Promise<string>): Promise<string> {
    for (let tries = 0; ; tries += 1) {
      try {
        return await send();
      } catch (thrown) {
        // As long as a server may take to start on a machine that does much else.
        if (tries > 2_400) throw thrown;
        await new Promise((done) => setTimeout(done, 50));
      }
    }
  }

  async #open(surface: Surface, key: string, context: object): Promise<RunAs> {
    switch (surface) {
      case "mcp":
        return this.#openMcp(key, context);
      case "http":
        return this.#openHttp(key, context);
      case "embedded":
        return this.#openEmbedded(key, context);
    }
  }

  async #openMcp(key: string, context: object): Promise<RunAs> {
    let client: Client | null = null;
    const connected = async (): Promise<Client> => {
      const made = new Client(
        { name: "sign-ins", version: "1" },
        { versionNegotiation: { mode: { pin: "2026-07-28" } } },
      );
      const requestInit = { headers: { "x-api-key": key } };
      const url = new URL("/mcp", this.#server.url);
      await made.connect(new StreamableHTTPClientTransport(url, { requestInit }));
      return made;
    };
    const call = async (name: string, args: object): Promise<string> => {
      client ??= await connected();
      return JSON.stringify(await client.callTool({ name, arguments: { ...args } }));
    };
    const opened = await this.#persistent(() => call("plasm_context", context));
    const [, ref = ""] = /logical_session_ref (s\d+)/.exec(opened) ?? [];
    return (program) =>
      call("plasm_run", { logical_session_ref: ref, program, force: true, wait: true });
  }

  async #openHttp(key: string, context: object): Promise<RunAs> {
    const send = async (path: string, body: object): Promise<Response> =>
      fetch(new URL(path, this.#server.url), {
        method: "POST",
        redirect: "manual",
        headers: { "content-type": "application/json", "x-api-key": key },
        body: JSON.stringify(body),
      });
    let at = "";
    await this.#persistent(async () => {
      at = (await send("/execute", context)).headers.get("location") ?? "";
      return at;
    });
    return async (program) => (await send(at, { program, force: true, wait: true })).text();
  }

  async #openEmbedded(key: string, context: object): Promise<RunAs> {
    const { engine, auth } = this.#host;
    const headers = new Headers({ "x-api-key": key });
    const { caller } = await auth.agentOf(headers);
    // Where the pages are is the server's to say.
    this.#host.connect.serveAt(this.#server.url);
    const { text } = await engine.context(caller, context as never);
    const [, ref = ""] = /logical_session_ref (s\d+)/.exec(text) ?? [];
    const address = { kind: "ref", ref } as const;
    return async (program) => {
      try {
        return JSON.stringify(
          await engine.run(caller, address, { program, force: true, wait: true }),
        );
      } catch (thrown) {
        return JSON.stringify(engine.problemOf(thrown));
      }
    };
  }

  /** Presses the button and consents, as the person of the account. */
  async #signIn(link: string, account: Account): Promise<void> {
    if (this.#consent !== null) return this.#consent(link, this.#key(account), account.person);
    const { pathname } = new URL(link);
    const send = (path: string, init: RequestInit): Promise<Response> =>
      // A link of the embedding program is opened there.
      this.#host.connect.fetch(new Request(new URL(path, this.#server.url), init));
    for (const open of [
      (path: string, init: RequestInit) =>
        fetch(new URL(path, this.#server.url), { redirect: "manual", ...init }),
      send,
    ]) {
      const body = new URLSearchParams({ key: this.#key(account) });
      const begun = await open(pathname, { method: "POST", body }).catch(() => null);
      const to = begun?.headers.get("location") ?? null;
      if (begun === null || to === null) continue;
      const back = await this.oauth.visit(to, { name: account.person });
      const cookie = begun.headers.get("set-cookie")?.split(";")[0] ?? "";
      const path = `${CALLBACK}${back.search}`;
      const done = await open(path, { headers: { cookie } }).catch(() => null);
      if (done !== null) {
        const headers = JSON.stringify([...done.headers]);
        this.told.push(["a page", `${headers} ${await done.text()}`]);
      }
      return;
    }
  }
}

const settings = (directory: string, url: string): Readonly<Record<string, string>> => ({
  PLASM_LOG: "debug",
  PLASM_CREDENTIALS: "user",
  PLASM_SECRETS_KEY_FILE: join(directory, "key"),
  PLASM_OAUTH_HARBOUR_ID_ISSUER: url,
  PLASM_OAUTH_HARBOUR_ID_CLIENT_ID: OAUTH_CLIENT,
  PLASM_BACKEND_QUAY: url,
});

const startServer = (directory: string, url: string, port: number): Promise<PlasmServer> =>
  startPlasmServer(
    {
      dataDir: join(directory, "data"),
      catalogs: [join(directory, "catalogs")],
      env: settings(directory, url),
      args: ["--auth", "required"],
    },
    port,
  );

/** The catalog of boats, which people sign in to. */
async function writeCatalog(directory: string): Promise<void> {
  const catalog = join(directory, "catalogs", "quay");
  await cp(fixtureCatalogDir("quay"), catalog, { recursive: true });
  const path = join(catalog, "domain.yaml");
  const text = (await readFile(path, "utf8")).replace(
    "scheme: none",
    "scheme: oauth_bearer, env: QUAY_TOKEN",
  );
  await writeFile(path, `${text}\noauth: { provider: harbour-id, scopes: { boats.read: {} } }\n`);
}
