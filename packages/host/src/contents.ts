import { join } from "node:path";
import { LOCAL } from "@plasm/agent-core";
import {
  openCompiledCache,
  openCredentialFiles,
  openRecording,
  type Recording,
  RecordingError,
  type RecordingMode,
  registerPlugins,
  systemClock,
} from "@plasm/runtime";
import { loadCatalogs } from "./directory-catalogs.ts";
import { HostStartError } from "./environment.ts";
import type { HostOptions, RecordingChoice } from "./host-options.ts";
import { backendsOf } from "./live-catalogs.ts";
import { readPolicyFile } from "./policies.ts";
import { directoryVariables, hostSecrets } from "./secrets.ts";

/** What a host reads from files and the environment before its store is opened. */
export type HostContents = Awaited<ReturnType<typeof readContents>>;

/**
 * Reads what a host works with: a recording, secrets, plug-ins, the catalogs of directories, the file of policies,
 * and where backends are. Opens nothing that has to be closed. Throws HostStartError.
 */
export async function readContents(options: HostOptions) {
  const { env, warn = () => undefined, dataDir } = options;
  const recording = await hostRecording(options.recording, warn);
  const files = openCredentialFiles(dataDir, () => systemClock.now(), env);
  const secretsFault = recording?.replays === true ? null : files.fault();
  const variables = directoryVariables(env);
  const secrets = hostSecrets({ env, files, tenant: LOCAL.scope, recording, variables });
  const cache = await openCompiledCache(join(dataDir, "compiled"));
  const plugins = registerPlugins(options.plugins ?? []);
  const loading = { functions: plugins.functionNames, ...(cache === null ? {} : { cache }) };
  const opening = { loading, hasCredential: secrets.has, keep: variables.keep };
  const catalogs = await loadCatalogs(options.catalogs, opening);
  const opened = catalogs.entries.map(({ catalog }) => catalog);
  const entryIds = opened.map(({ entryId }) => entryId);
  const policies = await readPolicyFile(options.policyFile, opened);
  const set = backendsOf(entryIds, env);
  const backends = recording?.backends(set) ?? set;
  return {
    recording,
    secrets,
    files,
    secretsFault,
    variables,
    plugins,
    loading,
    catalogs,
    entryIds,
    policies,
    backends,
  };
}

/** Opens the recording that was chosen. Throws HostStartError. */
async function hostRecording(
  choice: RecordingChoice | undefined,
  warn: (what: string, cause: unknown) => void,
): Promise<Recording | null> {
  if (choice === undefined) return null;
  const onFault = (cause: unknown): void => warn("the recording cannot be written", cause);
  try {
    return await openRecording({ ...choice, onFault });
  } catch (thrown) {
    if (!(thrown instanceof RecordingError)) throw thrown;
    throw new HostStartError(thrown.message, { cause: thrown });
  }
}

const RECORDING_REMARKS: Readonly<Record<RecordingMode, (directory: string) => string>> = {
  record: (directory) => `recording all calls in ${directory}`,
  replay: (directory) => `replaying ${directory}: no call is sent`,
  hybrid: (directory) => `calls that are recorded in ${directory} are replayed, others sent`,
};

/** A remark on what is recorded or replayed. */
export const recordingRemark = ({ mode, directory }: RecordingChoice): string =>
  RECORDING_REMARKS[mode](directory);
