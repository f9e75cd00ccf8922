import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type GitHubShaped, startGitHubShaped } from "@plasm/sample-apis/github";
import { type SampleApis, startSampleApis } from "@plasm/sample-apis";

type Repository = GitHubShaped["data"]["repositories"][number];

/** The two vendors, each with data that is the same at every start. */
export interface PeersWorld {
  readonly github: GitHubShaped;
  readonly apis: SampleApis;
  /** where a side may keep its files */
  readonly dir: string;
  readonly token: string;
  repository(name: string): Repository;
  /** what quay answers, asked directly */
  quay(path: string): Promise<unknown>;
  /** requests so far, to both */
  requests(): number;
  /** Puts the first data back. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

/** Starts both vendors on loopback. */
export async function startPeersWorld(): Promise<PeersWorld> {
  const dir = await mkdtemp(join(tmpdir(), "plasm-peers-"));
  // Clients read owners and names of repositories out of addresses, which are GitHub's.
  const github = await startGitHubShaped({ publicOrigin: "https://api.github.com" });
  const apis = await startSampleApis({ dataDir: join(dir, "apis"), ports: { quay: 0, yard: 0 } });
  return {
    github,
    apis,
    dir,
    token: github.tokenOf("ann"),
    repository: (name) => {
      const found = github.data.repositories.find(
        ({ owner, name: own }) => `${owner}/${own}` === name,
      );
      if (found === undefined) throw new Error(`no repository ${name}`);
      return found;
    },
    quay: async (path) => (await fetch(apis.quay.url + path)).json(),
    requests: () => github.requests.length + apis.requests.length,
    reset: async () => {
      github.reset();
      await apis.reset();
    },
    close: async () => {
      await github.close();
      await apis.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
