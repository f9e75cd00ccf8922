import { catalogDirectory } from "@plasm/catalogs";
import { fullName, type GitHubShaped, startGitHubShaped } from "@plasm/sample-apis/github";
import type { AgentClient } from "../harness/agent-client.ts";
import type { AgentRun } from "../harness/answers.ts";
import { seedsOf } from "../harness/open-session.ts";
import { startWorld, type World } from "../harness/world.ts";
import { useStarted } from "../servers/endings.ts";

type Repository = GitHubShaped["data"]["repositories"][number];
type Issue = Repository["issues"][number];

/** A world whose GitHub is a server with data of its own, on which Ann works. */
export interface GitHubWorld {
  readonly world: World;
  readonly github: GitHubShaped;
  /** what the server has, asked directly */
  repository(name: string): Repository;
  issue(number: number): Issue;
  /** method and path of each request that changes something */
  writes(): readonly string[];
  /** paths of all requests, their queries behind them */
  reads(): readonly string[];
}

/** Starts one for the tests of a file; `more` are further settings of its server. */
export function useGitHubWorld(more: Readonly<Record<string, string>> = {}): () => GitHubWorld {
  return useStarted(async ({ add }): Promise<GitHubWorld> => {
    // Clients read owners and names of repositories out of addresses, which are GitHub's.
    const github = await startGitHubShaped({ publicOrigin: "https://api.github.com" });
    add(() => github.close());
    const env = {
      PLASM_BACKEND_GITHUB: github.url,
      GITHUB_TOKEN: github.tokenOf("ann"),
      ...more,
    };
    const world = await startWorld({ catalogs: [catalogDirectory("github")], env });
    add(() => world.close());
    const repository = (name: string): Repository => {
      const found = github.data.repositories.find((each) => fullName(each) === name);
      if (found === undefined) throw new Error(`no repository ${name}`);
      return found;
    };
    const sent = (write: boolean): readonly string[] =>
      github.requests
        .filter(({ method }) => (method !== "GET") === write)
        .map(({ method, path, query }) => (write ? `${method} ${path}` : path + query));
    return {
      world,
      github,
      repository,
      issue: (number) => {
        const found = repository("harbour/quay").issues.find((each) => each.number === number);
        if (found === undefined) throw new Error(`no issue ${number}`);
        return found;
      },
      writes: () => sent(true),
      reads: () => sent(false),
    };
  });
}

/** One session of an agent, over entities of github. */
export interface GitHubSession {
  /** what was taught */
  readonly text: string;
  /** Runs a program without effects. */
  read(program: string): Promise<AgentRun>;
  /** Plans a program, which must send nothing, and runs what was planned. */
  change(program: string): Promise<AgentRun>;
}

/** Opens it in names, with the entities given and those of `others`. */
export async function openGitHub(
  { github }: GitHubWorld,
  agent: AgentClient,
  intent: string,
  entities: readonly string[],
  others: ReturnType<typeof seedsOf> = [],
): Promise<GitHubSession> {
  const seeds = [...seedsOf("github", ...entities), ...others];
  const { text, meta } = await agent.context({ intent, seeds, notation: "names" });
  const ref = meta.logical_session_ref;
  return {
    text,
    read: (program) => agent.run(ref, program, { force: true, wait: true }),
    change: async (program) => {
      const before = github.requests.length;
      const { meta: planned } = await agent.plan(ref, program);
      if (github.requests.length > before) throw new Error("a dry run sent requests");
      return agent.run(ref, program, { plan_commit_ref: planned.plan_commit_ref, wait: true });
    },
  };
}
