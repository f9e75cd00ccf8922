import { join } from "node:path";
import { startHttpServer } from "@plasm/http";
import { mountMcp } from "@plasm/mcp";
import { openHost } from "@plasm/host";
import { startSampleApis, type SampleApis } from "@plasm/sample-apis";
import { fixture, temporaryDirectory } from "./spawn-plasm.ts";

/** A real server on the quay and yard catalogs, with their APIs behind it. */
export interface TestServer {
  readonly url: string;
  readonly apis: SampleApis;
  readonly dataDir: string;
  close(): Promise<void>;
}

export interface ServerOptions {
  /** stands for quay's API */
  readonly quay?: string;
  readonly dataDir?: string;
  readonly port?: number;
  /** further catalogs */
  readonly catalogs?: readonly string[];
  readonly policyFile?: string;
  /** who may call, as `plasm serve --auth` has it */
  readonly auth?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts it; the caller closes it, and calls `cleanUp` after that. */
export async function startServer(options: ServerOptions = {}): Promise<TestServer> {
  const directory = await temporaryDirectory();
  const { policyFile } = options;
  const dataDir = options.dataDir ?? join(directory, "data");
  const ports = { quay: 0, yard: 0 };
  const apis = await startSampleApis({ dataDir: join(directory, "apis"), ports });
  const host = await openHost({
    dataDir,
    catalogs: [fixture("quay"), fixture("yard"), ...(options.catalogs ?? [])],
    ...(policyFile === undefined ? {} : { policyFile }),
    ...(options.auth === undefined ? {} : { auth: { mode: options.auth } }),
    env: {
      ...options.env,
      PLASM_BACKEND_QUAY: options.quay ?? apis.quay.url,
      PLASM_BACKEND_YARD: apis.yard.url,
    },
  });
  const { engine, operators, administrators, auth } = host;
  const serves = { engine, mcp: mountMcp(host), operators, administrators, auth };
  const address = { host: "127.0.0.1", port: options.port ?? 0 };
  const server = await startHttpServer({ ...serves, ...address });
  return {
    url: server.url,
    apis,
    dataDir,
    close: async () => {
      await server.close();
      await host.close();
      await apis.close();
    },
  };
}
