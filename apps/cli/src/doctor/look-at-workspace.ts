import { stat } from "node:fs/promises";
import { DEFAULT_SERVER, profilePath, type Profile } from "../workspace/profile.ts";
import { note, ok, wrong, type Finding } from "./finding.ts";

const OTHERS = 0o077;

/** Whether there is a profile, and whether its key is for its owner alone (SURF-22). */
export async function lookAtWorkspace(
  directory: string,
  profile: Profile | null,
): Promise<Finding> {
  if (profile === null) {
    return note(`no profile in ${directory}; ${DEFAULT_SERVER} is used. plasm init makes one.`);
  }
  const path = profilePath(directory);
  const { mode } = await stat(path);
  if (profile.api_key !== undefined && (mode & OTHERS) !== 0) {
    return wrong(`the API key in ${path} can be read by others: chmod 600 ${path}`);
  }
  return ok(`profile ${path}${profile.api_key === undefined ? "" : ", with an API key"}`);
}
