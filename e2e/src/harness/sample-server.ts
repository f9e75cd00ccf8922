import { startHttpServer } from "@plasm/http";
import { mountMcp } from "@plasm/mcp";
import { openHost } from "@plasm/host";
import type { SampleApis } from "@plasm/sample-apis";
import { fixtureCatalogDir } from "@plasm/testkit";

export interface SampleServer {
  readonly url: string;
  close(): Promise<void>;
}

/** A server in this process on the sample catalogs; on a new directory nobody has used it, so the first session is s0. */
export async function startSampleServer(dataDir: string, apis: SampleApis): Promise<SampleServer> {
  const host = await openHost({
    dataDir,
    catalogs: [fixtureCatalogDir("quay"), fixtureCatalogDir("yard")],
    env: { PLASM_BACKEND_QUAY: apis.quay.url, PLASM_BACKEND_YARD: apis.yard.url },
  });
  const { engine } = host;
  const server = await startHttpServer({ engine, mcp: mountMcp(host), host: "127.0.0.1", port: 0 });
  return {
    url: server.url,
    close: async () => {
      await server.close();
      await host.close();
    },
  };
}
