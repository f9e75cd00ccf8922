import { typedKey, type KeySource } from "../auth/typed-key.ts";
import type { CliContext } from "../cli-context.ts";
import { DEFAULT_SERVER, readProfile } from "../workspace/profile.ts";
import { workspaceDirectory } from "../workspace/workspace-directory.ts";
import { serverClient, type ServerClient } from "./server-client.ts";

/** The server of the workspace, called with a key that is never kept, and no other. Throws CliError. */
export async function clientWithKey(cli: CliContext, source: KeySource): Promise<ServerClient> {
  const profile = await readProfile(workspaceDirectory(cli));
  const server = profile?.server ?? DEFAULT_SERVER;
  return serverClient({ server, api_key: await typedKey(cli, source) });
}
