import type { Json, JsonObject } from "@plasm/core";
import { MULTI } from "./fill-registry.ts";
import type { Descriptor, RegistryApi } from "./registry-api.ts";

/** A program that calls a capability, and the rows that the registry's own API says it has. */
export interface CapabilityExample {
  readonly program: (api: RegistryApi) => Promise<string> | string;
  readonly rows: (api: RegistryApi) => Promise<readonly JsonObject[]>;
}

const APP = "team/app";
const TAG = "1.000";

const member = (value: Json | undefined, name: string): Json => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  return (value as JsonObject)[name] ?? null;
};

const manifestRow = async (
  api: RegistryApi,
  repository: string,
  reference: string,
): Promise<JsonObject> => {
  const told = await api.manifest(repository, reference);
  return {
    repository,
    reference,
    media_type: told["mediaType"] ?? null,
    schema_version: told["schemaVersion"] ?? null,
    config_digest: member(told["config"], "digest"),
    config_size: member(told["config"], "size"),
    config_media_type: member(told["config"], "mediaType"),
    annotations: told["annotations"] ?? null,
  };
};

const MANIFEST_COLUMNS =
  "[repository, reference, media_type, schema_version, config_digest, config_size, config_media_type, annotations]";

const layerOf = async (api: RegistryApi): Promise<string> => {
  const layers = (await api.manifest(APP, TAG))["layers"] as unknown as readonly Descriptor[];
  return layers[0]?.digest ?? "";
};

/** One or more examples for each capability that reads, by its name in the catalog. */
export const READS: Readonly<Record<string, readonly CapabilityExample[]>> = {
  repository_query: [
    {
      program: () => "Repository.limit(1000)[name]",
      rows: async (api) =>
        (await api.names("_catalog?n=7", "repositories")).map((name) => ({ name })),
    },
    {
      program: () => 'Repository{after="small/r100"}[name]',
      rows: async (api) =>
        (await api.names("_catalog", "repositories"))
          .filter((name) => name > "small/r100")
          .map((name) => ({ name })),
    },
  ],
  tag_query: [
    {
      program: () => `Repository("${APP}").tags.sort(name)[repository, name]`,
      rows: async (api) =>
        (await api.names(`${APP}/tags/list`, "tags"))
          .toSorted()
          .map((name) => ({ repository: APP, name })),
    },
  ],
  manifest_get: [
    {
      program: () => `Manifest(repository="${APP}", reference="${TAG}")${MANIFEST_COLUMNS}`,
      rows: async (api) => [await manifestRow(api, APP, TAG)],
    },
    {
      program: async (api) =>
        `Manifest(repository="${APP}", reference="${(await api.manifest(APP, TAG)).digest}")${MANIFEST_COLUMNS}`,
      rows: async (api) => [await manifestRow(api, APP, (await api.manifest(APP, TAG)).digest)],
    },
    {
      program: () =>
        `Manifest(repository="${MULTI.repository}", reference="arm64")${MANIFEST_COLUMNS}`,
      rows: async (api) => [await manifestRow(api, MULTI.repository, "arm64")],
    },
    {
      program: () => `t = Tag{repository="${APP}", name="${TAG}"}\nt.manifest${MANIFEST_COLUMNS}`,
      rows: async (api) => [await manifestRow(api, APP, TAG)],
    },
  ],
  imageconfig_get: [
    {
      program: () =>
        `Manifest(repository="${MULTI.repository}", reference="arm64").config[architecture, os, variant, created, author, user, environment, entrypoint, command, directory, labels, ports, volumes, stop_signal]`,
      rows: async () => [
        {
          architecture: "arm64",
          os: "linux",
          variant: null,
          created: "2026-01-05T10:00:00Z",
          author: "ann",
          user: "app",
          environment: ["PATH=/bin", "MODE=test"],
          entrypoint: ["/bin/app"],
          command: ["--port", "80"],
          directory: "/srv",
          labels: { "org.opencontainers.image.version": "1.4" },
          ports: { "80/tcp": {} },
          volumes: null,
          stop_signal: "SIGTERM",
        },
      ],
    },
  ],
  blob_get: [
    {
      program: async (api) =>
        `Blob(repository="${APP}", digest="${await layerOf(api)}")[repository, digest]`,
      rows: async (api) => [{ repository: APP, digest: await layerOf(api) }],
    },
  ],
};
