import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Endings } from "../endings.ts";
import { freePort } from "../free-port.ts";
import { requireCommand } from "../require-command.ts";
import { type ServerProcess, startServerProcess } from "../server-process.ts";
import { fillRegistry } from "./fill-registry.ts";
import { placeFilledData } from "./filled-data.ts";
import { type RegistryApi, registryApi } from "./registry-api.ts";

export interface DockerRegistry {
  /** origin without a final slash, on 127.0.0.1 */
  readonly url: string;
  readonly api: RegistryApi;
}

/** JSON is YAML; `more` is further parts of the configuration. */
const configuration = (address: string, directory: string, more: object): string =>
  JSON.stringify({
    version: 0.1,
    log: { level: "error", accesslog: { disabled: true } },
    storage: { filesystem: { rootdirectory: directory }, delete: { enabled: true } },
    http: { addr: address },
    ...more,
  });

/** A private registry that keeps its data in a directory and its configuration beside it. */
async function serve(data: string, more: object = {}): Promise<ServerProcess> {
  const command = requireCommand("/usr/bin/docker-registry");
  const dir = dirname(data);
  const address = `127.0.0.1:${await freePort()}`;
  await writeFile(join(dir, "registry.yml"), configuration(address, data, more));
  return startServerProcess({
    name: "docker-registry",
    command,
    args: ["serve", "registry.yml"],
    cwd: dir,
    env: { PATH: process.env["PATH"] ?? "", HOME: dir },
    address: () => `http://${address}`,
    probe: "/v2/",
  });
}

async function serveWhile(data: string, work: (api: RegistryApi) => Promise<void>): Promise<void> {
  const { url, close } = await serve(data);
  try {
    await work(registryApi(url));
  } finally {
    await close();
  }
}

/** Starts an empty private registry that lets manifests be deleted. Throws if it is not installed. */
export async function startEmptyRegistry(endings: Endings, more: object): Promise<DockerRegistry> {
  const dir = await endings.directory("docker-registry");
  const { url, close } = await serve(join(dir, "data"), more);
  endings.add(close);
  return { url, api: registryApi(url) };
}

/** Starts one that holds 250 tags of images, an index of two platforms, and many small repositories. */
export async function startDockerRegistry(endings: Endings): Promise<DockerRegistry> {
  const data = join(await endings.directory("docker-registry"), "data");
  await placeFilledData(data, serveWhile, fillRegistry);
  const { url, close } = await serve(data);
  endings.add(close);
  return { url, api: registryApi(url) };
}
