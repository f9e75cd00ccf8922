import { join } from "node:path";
import { hasTexts, readJsonFile, writeFileOf, writeJsonFile } from "./json-file.ts";

/** Which server to talk to, and as whom. */
export interface Profile {
  /** origin, and path if it has one, without a final slash */
  readonly server: string;
  readonly api_key?: string;
}

/** What `plasm serve` listens on unless told otherwise. */
export const DEFAULT_SERVER = "http://127.0.0.1:3000";

export const profilePath = (workspace: string): string => join(workspace, "profile.json");

const isProfile = (value: unknown): value is Profile =>
  hasTexts(value, ["server"]) && (!("api_key" in value) || typeof value.api_key === "string");

/** The profile, or null if there is none yet. Throws CliError if it is damaged. */
export const readProfile = (workspace: string): Promise<Profile | null> =>
  readJsonFile(profilePath(workspace), isProfile);

/** Keeps a profile. The directory is kept out of git, for the key's sake. */
export async function writeProfile(workspace: string, profile: Profile): Promise<void> {
  await writeFileOf(join(workspace, ".gitignore"), "*\n");
  await writeJsonFile(profilePath(workspace), profile);
}
