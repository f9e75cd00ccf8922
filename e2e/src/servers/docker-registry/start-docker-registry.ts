import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Endings } from "../endings.ts";
import { freePort } from "../free-port.ts";
import { requireCommand } from "../require-command.ts";
import { startServerProcess } from "../server-process.ts";
import { fillRegistry } from "./fill-registry.ts";
import { type RegistryApi, registryApi } from "./registry-api.ts";

export interface DockerRegistry {
  /** origin without a final slash, on 127.0.0.1 */
  readonly url: string;
  readonly api: RegistryApi;
}

/** JSON is YAML; `auth` is a part of the configuration. */
const configuration = (address: string, directory: string, auth: object): string =>
  JSON.stringify({
    version: 0.1,
    log: { level: "error", accesslog: { disabled: true } },
    storage: { filesystem: { rootdirectory: directory }, delete: { enabled: true } },
    http: { addr: address },
    ...auth,
  });

/** Starts an empty private registry that lets manifests be deleted. Throws if it is not installed. */
export async function startEmptyRegistry(
  endings: Endings,
  auth: object = {},
): Promise<DockerRegistry> {
  const command = requireCommand("/usr/bin/docker-registry");
  const dir = await endings.directory("docker-registry");
  const address = `127.0.0.1:${await freePort()}`;
  await writeFile(join(dir, "registry.yml"), configuration(address, join(dir, "data"), auth));
  const { url, close } = await startServerProcess({
    name: "docker-registry",
    command,
    args: ["serve", "registry.yml"],
    cwd: dir,
    env: { PATH: process.env["PATH"] ?? "", HOME: dir, OTEL_TRACES_EXPORTER: "none" },
    address: () => `http://${address}`,
    probe: "/v2/",
  });
  endings.add(close);
  return { url, api: registryApi(url) };
}

/** Starts one and fills it. */
export async function startDockerRegistry(endings: Endings): Promise<DockerRegistry> {
  const registry = await startEmptyRegistry(endings);
  await fillRegistry(registry.api);
  return registry;
}
