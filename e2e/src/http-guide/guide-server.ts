import { appendFile, cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startHttpServer } from "@plasm/http";
import { mountMcp } from "@plasm/mcp";
import { openHost, openKeys } from "@plasm/host";
import { startSampleApis } from "@plasm/sample-apis";
import { fixtureCatalogDir } from "@plasm/testkit";

/** A server on which nobody was before, on the sample APIs, whose callers have to say who they are. */
export interface GuideServer {
  readonly url: string;
  /** addresses that differ from one run to the next, with those that a page shows */
  readonly addresses: readonly (readonly [string, string])[];
  /** the keys by the names that the page has for them */
  readonly keys: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

const TENANT = "acme";

async function makeKeys(dataDir: string): Promise<Readonly<Record<string, string>>> {
  const { keys, close } = await openKeys(dataDir, {});
  const add = async (subject: string, role: "agent" | "operator" | "admin"): Promise<string> =>
    (await keys.add({ tenant: TENANT, subject, role })).key;
  const made = {
    AGENT_KEY: await add("ann", "agent"),
    OPERATOR_KEY: await add("olga", "operator"),
    ADMIN_KEY: await add("root", "admin"),
  };
  await close();
  return made;
}

export async function startGuideServer(): Promise<GuideServer> {
  const dir = await mkdtemp(join(tmpdir(), "plasm-http-guide-"));
  const dataDir = join(dir, "data");
  const apis = await startSampleApis({ dataDir: join(dir, "apis"), ports: { quay: 0, yard: 0 } });
  const keys = await makeKeys(dataDir);
  // The published samples tell nobody of changes.
  const quay = join(dir, "quay");
  await cp(fixtureCatalogDir("quay"), quay, { recursive: true });
  const webhook = "changes: {scheme: token, header: X-Quay-Token, env: QUAY_WEBHOOK_TOKEN}";
  await appendFile(join(quay, "domain.yaml"), `\nwebhooks: {${webhook}}\n`);
  const host = await openHost({
    dataDir,
    catalogs: [quay, fixtureCatalogDir("yard")],
    env: {
      PLASM_BACKEND_QUAY: apis.quay.url,
      PLASM_BACKEND_YARD: apis.yard.url,
      QUAY_WEBHOOK_TOKEN: "a-token-of-quay",
    },
    auth: { mode: "required" },
  });
  const { engine, operators, administrators, auth } = host;
  const serves = { engine, mcp: mountMcp(host), operators, administrators, auth };
  const { url, ...server } = await startHttpServer({ ...serves, host: "127.0.0.1", port: 0 });
  return {
    url,
    addresses: [
      [url, "http://127.0.0.1:3000"],
      [apis.quay.url, "http://127.0.0.1:4801"],
      [apis.yard.url, "http://127.0.0.1:4802"],
    ],
    keys,
    close: async () => {
      await server.close();
      await host.close();
      await apis.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
