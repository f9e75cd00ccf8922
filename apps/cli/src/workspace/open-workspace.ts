import type { CliContext } from "../cli-context.ts";
import { serverClient, type ServerClient } from "../server/server-client.ts";
import { DEFAULT_SERVER, readProfile } from "./profile.ts";
import { workspaceDirectory } from "./workspace-directory.ts";

/** What a command that talks to the server works with. */
export interface Workspace {
  readonly directory: string;
  readonly client: ServerClient;
}

/** The workspace and the server of its profile; without a profile, the local default. Throws CliError. */
export async function openWorkspace(cli: CliContext): Promise<Workspace> {
  const directory = workspaceDirectory(cli);
  const profile = (await readProfile(directory)) ?? { server: DEFAULT_SERVER };
  return { directory, client: serverClient(profile) };
}
