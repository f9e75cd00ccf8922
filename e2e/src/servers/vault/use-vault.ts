import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { openCredentialFiles } from "@plasm/runtime";
import { findSecrets, type Leak } from "@plasm/testkit";
import type { PlasmOptions } from "../../harness/plasm-command.ts";
import { type PlasmServer, startPlasmServer } from "../../harness/plasm-server.ts";
import { startVaultApi, type VaultApi } from "./vault-api.ts";
import { writeVaultCatalogs } from "./vault-catalogs.ts";

/** A secret of every scheme, each with letters that its writings differ in. */
export const SECRETS = {
  header: "hdr/S3cret+of=header?",
  query: 'qry S3cret&of"query"',
  bearer: "brr-S3cret~of~bearer",
  firstAccess: "env.S3cret.first.access",
  firstRefresh: "env/S3cret/first/refresh",
  secondAccess: "env+S3cret+second+access",
  secondRefresh: "env/S3cret/second/refresh",
  application: "app/S3cret/of/application",
  optional: "opt:S3cret:of:optional",
  client: "cli/S3cret+of=client",
  clientToken: "tok.S3cret/of.client",
} as const;

export interface Vault {
  readonly api: VaultApi;
  readonly url: string;
  readonly options: PlasmOptions;
  /** the same without its recording, for servers of their own */
  readonly stdio: PlasmOptions;
  readonly server: PlasmServer;
  /** Where secrets stand in a text. */
  search(where: string, text: string): readonly Leak[];
  /** Where they stand in what was kept: data, recordings; not where they are kept on purpose. */
  searchFiles(): Promise<readonly Leak[]>;
  close(): Promise<void>;
}

const tokensOf = (form: URLSearchParams) =>
  form.get("grant_type") === "refresh_token"
    ? { access_token: SECRETS.secondAccess, refresh_token: SECRETS.secondRefresh, expires_in: 900 }
    : { access_token: SECRETS.clientToken };

/** Each secret comes in another way: environment, env file, stored, an envelope that has ended. */
async function giveSecrets(dataDir: string): Promise<void> {
  await mkdir(dataDir);
  const quoted = JSON.stringify(SECRETS.query);
  await writeFile(join(dataDir, ".env"), `VAULT_QUERY='${SECRETS.query}'\nOTHER=${quoted}\n`, {
    mode: 0o600,
  });
  const files = openCredentialFiles(dataDir, () => Date.now(), process.env);
  const own = { tenant: null, principal: null };
  const bearer = { key: "plasm:outbound:v1:catalog:vault_bearer", ...own };
  await files.set(bearer, SECRETS.bearer, "set", "e2e");
  const envelope = {
    version: 1,
    entry_id: "vault_envelope",
    access_token: SECRETS.firstAccess,
    refresh_token: SECRETS.firstRefresh,
    expires_at_unix: Math.floor(Date.now() / 1000) - 60,
  };
  const key = { key: "plasm:outbound:v1:vault", ...own };
  await files.set(key, JSON.stringify(envelope), "set", "e2e");
}

const environment = (api: string): Readonly<Record<string, string>> => ({
  PLASM_LOG: "debug",
  VAULT_HEADER: SECRETS.header,
  VAULT_OPTIONAL: SECRETS.optional,
  VAULT_ID: "vault-client",
  VAULT_SECRET: SECRETS.client,
  PLASM_OAUTH_VAULT_ID_TOKEN_URL: `${api}/oauth/token`,
  PLASM_OAUTH_VAULT_ID_CLIENT_ID: "vault-app",
  PLASM_OAUTH_VAULT_ID_CLIENT_SECRET: SECRETS.application,
});

/** Files under a directory, but for the one that an operator has written secrets into. */
async function filesUnder(directory: string): Promise<readonly string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name !== ".env")
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Starts the API and a server on its catalogs that records all its calls. */
export async function startVault(): Promise<Vault> {
  const directory = await mkdtemp(join(tmpdir(), "plasm-vault-"));
  const api = await startVaultApi(tokensOf);
  const dataDir = join(directory, "data");
  await giveSecrets(dataDir);
  await writeVaultCatalogs(join(directory, "catalogs"), api.url);
  const catalogs = [join(directory, "catalogs")];
  const stdio: PlasmOptions = { dataDir, catalogs, env: environment(api.url) };
  const options = { ...stdio, args: ["--record", join(directory, "recording")] };
  const server = await startPlasmServer(options);
  return {
    api,
    url: server.url,
    options,
    stdio,
    server,
    search: (where, text) => findSecrets(where, text, SECRETS),
    async searchFiles() {
      const leaks: Leak[] = [];
      for (const path of await filesUnder(directory)) {
        leaks.push(...findSecrets(relative(directory, path), await readFile(path), SECRETS));
      }
      return leaks;
    },
    async close() {
      await server.stop();
      await api.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
