import type { JsonObject } from "@plasm/core";
import {
  type Descriptor,
  type Manifest,
  MANIFEST_TYPES,
  type RegistryApi,
} from "./registry-api.ts";

/** Repositories with many tags, and how many. */
export const TAGGED = { "team/app": 120, "team/web": 80, "library/alpine": 50 } as const;
/** Repositories of one tag each, so that their list has more than one page. */
export const SMALL = 105;
/** What the registry holds for several platforms. */
export const MULTI = { repository: "team/multi", tag: "latest" } as const;

const DOCKER_CONFIG = "application/vnd.docker.container.image.v1+json";
const DOCKER_LAYER = "application/vnd.docker.image.rootfs.diff.tar.gzip";
const OCI_CONFIG = "application/vnd.oci.image.config.v1+json";
const OCI_LAYER = "application/vnd.oci.image.layer.v1.tar+gzip";
const AT_ONCE = 8;

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** What an image of the architecture runs. */
const imageConfig = (architecture: string): JsonObject => ({
  architecture,
  os: "linux",
  author: "ann",
  created: "2026-01-05T10:00:00Z",
  config: {
    User: "app",
    Env: ["PATH=/bin", "MODE=test"],
    Entrypoint: ["/bin/app"],
    Cmd: ["--port", "80"],
    WorkingDir: "/srv",
    Labels: { "org.opencontainers.image.version": "1.4" },
    ExposedPorts: { "80/tcp": {} },
    StopSignal: "SIGTERM",
  },
  history: [{ created: "2026-01-05T10:00:00Z", created_by: "COPY app /bin/app" }],
  rootfs: { type: "layers", diff_ids: [] },
});

/** Runs tasks a few at a time. */
async function each<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const queue = [...items];
  const worker = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) await work(next);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

const image = (
  mediaType: string,
  config: Descriptor,
  layers: readonly Descriptor[],
  more: JsonObject = {},
): Manifest => ({ schemaVersion: 2, mediaType, config, layers, ...more });

/** A repository of Docker's format: every tenth tag is a new image, the others are names of the same. */
async function fillTagged(api: RegistryApi, repository: string, tags: number): Promise<void> {
  const config = await api.upload(
    repository,
    bytes(JSON.stringify(imageConfig("amd64"))),
    DOCKER_CONFIG,
  );
  const base = await api.upload(repository, bytes("base".repeat(64)), DOCKER_LAYER);
  const numbers = Array.from({ length: tags }, (_, at) => at);
  const tops = new Map<number, Descriptor>();
  await each(
    numbers.filter((at) => at % 10 === 0),
    async (at) => {
      tops.set(at, await api.upload(repository, bytes(`${repository} top ${at}`), DOCKER_LAYER));
    },
  );
  await each(numbers, async (at) => {
    const top = tops.get(at - (at % 10));
    if (top === undefined) throw new Error(`no layer for ${at}`);
    const tag = `1.${String(at).padStart(3, "0")}`;
    await api.push(repository, tag, image(MANIFEST_TYPES.docker, config, [base, top]));
  });
}

/** An index of two platforms, whose images are of OCI's format. */
async function fillMulti(api: RegistryApi): Promise<void> {
  const { repository, tag } = MULTI;
  const layer = await api.upload(repository, bytes("shared layer"), OCI_LAYER);
  const manifests: JsonObject[] = [];
  for (const architecture of ["amd64", "arm64"]) {
    const config = await api.upload(
      repository,
      bytes(JSON.stringify(imageConfig(architecture))),
      OCI_CONFIG,
    );
    const annotations = { "org.opencontainers.image.source": "https://code.example/app" };
    const manifest = image(MANIFEST_TYPES.oci, config, [layer], { annotations });
    const digest = await api.push(repository, architecture, manifest);
    const size = JSON.stringify(manifest).length;
    manifests.push({
      mediaType: MANIFEST_TYPES.oci,
      digest,
      size,
      platform: { architecture, os: "linux" },
    });
  }
  await api.push(repository, tag, { schemaVersion: 2, mediaType: MANIFEST_TYPES.index, manifests });
}

/** Uploads 250 tags of images of several layers, an index of two platforms, and many small repositories. */
export async function fillRegistry(api: RegistryApi): Promise<void> {
  for (const [repository, tags] of Object.entries(TAGGED)) await fillTagged(api, repository, tags);
  await fillMulti(api);
  const { config, layers } = (await api.manifest("team/app", "1.000")) as unknown as {
    readonly config: Descriptor;
    readonly layers: readonly Descriptor[];
  };
  const names = Array.from({ length: SMALL }, (_, at) => `small/r${String(at).padStart(3, "0")}`);
  await each(names, async (name) => {
    for (const blob of [config, ...layers]) await api.mount(name, "team/app", blob);
    await api.push(name, "1", image(MANIFEST_TYPES.docker, config, layers));
  });
}
