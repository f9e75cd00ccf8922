import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Policy } from "@plasm/core";
import { startSampleApis, type SampleApis } from "@plasm/sample-apis";
import { fixtureCatalogDir } from "@plasm/testkit";
import type { AgentClient, McpAgentClient } from "./agent-client.ts";
import type { PlasmOptions } from "./plasm-command.ts";
import { startPlasmServer, type PlasmServer } from "./plasm-server.ts";
import { connect, connectMcp, type McpSurface, type Surface } from "./surfaces.ts";

/** Sample APIs, a Plasm server on their catalogs, and the agents that a test file talks through. */
export interface World {
  readonly apis: SampleApis;
  readonly url: string;
  readonly options: PlasmOptions;
  /** The agent of a surface, connected at first use. */
  agent(surface: Surface): Promise<AgentClient>;
  mcpAgent(surface: McpSurface): Promise<McpAgentClient>;
  /** One more agent, with a connection of its own. */
  newAgent(surface: Surface): Promise<AgentClient>;
  newMcpAgent(surface: McpSurface): Promise<McpAgentClient>;
  /** While `work` runs, the sample APIs answer every request with an error that no retry helps. */
  failing(work: () => Promise<void>): Promise<void>;
  /** Kills the server by SIGKILL and starts it again on the same address and data. */
  crash(): Promise<void>;
  close(): Promise<void>;
}

export interface WorldOptions {
  /** further catalogs */
  readonly catalogs?: readonly string[];
  /** further backends and credentials */
  readonly env?: Readonly<Record<string, string>>;
  /** what everybody may do; all is allowed without it (SURF-25) */
  readonly policy?: Policy;
}

/** Every read that may be large is reviewed (PLAN-054). */
export const READS_REVIEWED: Policy = { unreviewed_reads: { requests: 0 } };

/** Where a server finds a policy: the variable that names its file. */
async function policyFile(dir: string, policy?: Policy): Promise<Readonly<Record<string, string>>> {
  if (policy === undefined) return {};
  const file = join(dir, "policy.json");
  await writeFile(file, JSON.stringify({ default: policy }));
  return { PLASM_POLICY: file };
}

interface Started {
  readonly dir: string;
  readonly apis: SampleApis;
  /** whether the sample APIs fail */
  readonly fault: { on: boolean };
  readonly options: PlasmOptions;
}

async function startApis(extra: WorldOptions): Promise<Started> {
  const dir = await mkdtemp(join(tmpdir(), "plasm-e2e-"));
  const fault = { on: false };
  const apis = await startSampleApis({
    dataDir: join(dir, "apis"),
    ports: { quay: 0, yard: 0 },
    onRequest: () => (fault.on ? Response.json({ message: "broken" }, { status: 500 }) : undefined),
  });
  const options: PlasmOptions = {
    dataDir: join(dir, "data"),
    catalogs: [fixtureCatalogDir("quay"), fixtureCatalogDir("yard"), ...(extra.catalogs ?? [])],
    env: {
      PLASM_BACKEND_QUAY: apis.quay.url,
      PLASM_BACKEND_YARD: apis.yard.url,
      ...(await policyFile(dir, extra.policy)),
      ...extra.env,
    },
  };
  return { dir, apis, options, fault };
}

class RunningWorld implements World {
  readonly apis: SampleApis;
  readonly options: PlasmOptions;
  readonly #dir: string;
  readonly #fault: { on: boolean };
  #server: PlasmServer;
  readonly #agents: AgentClient[] = [];
  readonly #shared = new Map<Surface, Promise<AgentClient>>();

  constructor(started: Started, server: PlasmServer) {
    this.apis = started.apis;
    this.options = started.options;
    this.#dir = started.dir;
    this.#fault = started.fault;
    this.#server = server;
  }

  get url(): string {
    return this.#server.url;
  }

  agent(surface: Surface): Promise<AgentClient> {
    const shared = this.#shared.get(surface) ?? this.newAgent(surface);
    this.#shared.set(surface, shared);
    return shared;
  }

  async mcpAgent(surface: McpSurface): Promise<McpAgentClient> {
    return (await this.agent(surface)) as McpAgentClient;
  }

  async newAgent(surface: Surface): Promise<AgentClient> {
    const agent = await connect(surface, this);
    this.#agents.push(agent);
    return agent;
  }

  async newMcpAgent(surface: McpSurface): Promise<McpAgentClient> {
    const agent = await connectMcp(surface, this);
    this.#agents.push(agent);
    return agent;
  }

  async failing(work: () => Promise<void>): Promise<void> {
    this.#fault.on = true;
    try {
      await work();
    } finally {
      this.#fault.on = false;
    }
  }

  async crash(): Promise<void> {
    await this.#server.kill();
    this.#server = await startPlasmServer(this.options, this.#server.port);
  }

  async close(): Promise<void> {
    await Promise.all(this.#agents.map((agent) => agent.close()));
    try {
      await this.#server.stop();
    } finally {
      await this.apis.close();
      await rm(this.#dir, { recursive: true, force: true });
    }
  }
}

/** Starts a world of its own: nothing is shared with other test files. */
export async function startWorld(extra: WorldOptions = {}): Promise<World> {
  const started = await startApis(extra);
  try {
    return new RunningWorld(started, await startPlasmServer(started.options));
  } catch (error) {
    await started.apis.close();
    await rm(started.dir, { recursive: true, force: true });
    throw error;
  }
}
