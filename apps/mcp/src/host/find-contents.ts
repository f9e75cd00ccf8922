import { join } from "node:path";
import { LOCAL } from "@plasm/agent-core";
import {
  openCompiledCache,
  openCredentialFiles,
  registerPlugins,
  systemClock,
} from "@plasm/runtime";
import { builtInPlugins } from "./built-in-plugins.ts";
import { directoryVariables } from "./directory-variables.ts";
import { backendsOf } from "./host-catalogs.ts";
import type { HostOptions } from "./host-options.ts";
import { readPolicyFile } from "./host-policies.ts";
import { hostRecording } from "./host-recording.ts";
import { hostSecrets } from "./host-secrets.ts";
import { loadCatalogs } from "./load-catalogs.ts";

/** What there is in files and the environment, before the store is opened. */
export type Found = Awaited<ReturnType<typeof findContents>>;

/**
 * Reads what a host works with: a recording, secrets, plug-ins, the catalogs of directories, the file of policies,
 * and where backends are. Opens nothing that has to be closed. Throws HostStartError.
 */
export async function findContents(options: HostOptions) {
  const { env, warn = () => undefined, dataDir } = options;
  const recording = await hostRecording(options.recording, warn);
  const files = openCredentialFiles(dataDir, () => systemClock.now());
  const variables = directoryVariables(env);
  const secrets = hostSecrets(env, files, LOCAL.scope, recording, variables);
  const cache = await openCompiledCache(join(dataDir, "compiled"));
  const plugins = registerPlugins(options.plugins ?? builtInPlugins);
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
    variables,
    plugins,
    loading,
    catalogs,
    entryIds,
    policies,
    backends,
  };
}
