import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LOCAL } from "@plasm/agent-core";
import { visible } from "@plasm/core/internal";
import { startHttpServer } from "@plasm/http";
import { mountMcp } from "@plasm/mcp";
import { openHost } from "@plasm/host";
import { fixtureCatalogDir, halfPairsIn, HOSTILE_TEXTS } from "@plasm/testkit";
import { startHostileApi } from "./hostile-api.ts";

/** A real server between a hostile API, a hostile catalog and whoever calls. */
export interface HostileWorld {
  readonly url: string;
  /** where the catalog and the backend are, for servers of other processes */
  readonly place: {
    readonly catalogs: readonly string[];
    readonly env: Readonly<Record<string, string>>;
    readonly dataDir: string;
  };
  /** a directory of the test's own */
  readonly directory: string;
  readonly operatorKey: string;
  close(): Promise<void>;
}

/** What a file of UTF-8 may say: no half of a pair, no NUL. */
const DESCRIPTIONS = HOSTILE_TEXTS.filter(
  ({ text }) => halfPairsIn(text) === 0 && !text.includes("\0"),
).map(({ text }) => visible(JSON.stringify(text)));

/** A catalog of which every description is the next hostile text; in YAML each is a quoted string. */
function hostileDescriptions(domain: string): string {
  let at = -1;
  const next = (): string => {
    at += 1;
    return DESCRIPTIONS[at % DESCRIPTIONS.length] ?? "";
  };
  return domain
    .replaceAll(
      /^( *)description: .*$/gm,
      (_line, blanks: string) => `${blanks}description: ${next()}`,
    )
    .replaceAll(/, description: [^"}\n]*\}/g, () => `, description: ${next()} }`);
}

async function writeCatalog(directory: string): Promise<string> {
  const own = join(directory, "quay");
  await cp(fixtureCatalogDir("quay"), own, { recursive: true });
  const file = join(own, "domain.yaml");
  await writeFile(file, hostileDescriptions(await readFile(file, "utf8")));
  return own;
}

/** Starts all of it; updates need an operator's word. */
export async function openHostileWorld(): Promise<HostileWorld> {
  const directory = await mkdtemp(join(tmpdir(), "plasm-hostile-"));
  const api = await startHostileApi();
  const catalogs = [await writeCatalog(directory)];
  const env = { PLASM_BACKEND_QUAY: api.url };
  const host = await openHost({ dataDir: join(directory, "data"), catalogs, env });
  const { engine, operators, administrators, auth } = host;
  const serves = { engine, mcp: mountMcp(host), operators, administrators, auth };
  const server = await startHttpServer({ ...serves, host: "127.0.0.1", port: 0 });
  const key = async (role: "operator" | "admin") =>
    (await operators.keys.add({ tenant: LOCAL.scope, subject: role, role })).key;
  const operatorKey = await key("operator");
  const set = await fetch(`${server.url}/v1/admin/policy/${LOCAL.scope}`, {
    method: "PUT",
    headers: { "content-type": "application/json", "x-api-key": await key("admin") },
    body: JSON.stringify({ apis: { quay: { approval: { operator: ["update"] } } } }),
  });
  if (set.status !== 200) throw new Error(await set.text());
  return {
    url: server.url,
    place: { catalogs, env: { ...env, PLASM_LOG: "info" }, dataDir: join(directory, "other") },
    directory,
    operatorKey,
    close: async () => {
      await server.close();
      await host.close();
      await api.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
