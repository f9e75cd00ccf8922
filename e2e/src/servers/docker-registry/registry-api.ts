import { createHash } from "node:crypto";
import type { Json, JsonObject } from "@plasm/core";

/** What a manifest says of a blob. */
export interface Descriptor extends JsonObject {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
}

/** A manifest or an index of some. */
export interface Manifest extends JsonObject {
  readonly mediaType: string;
}

const digestOf = (bytes: Uint8Array | string): string =>
  `sha256:${createHash("sha256").update(bytes).digest("hex")}`;

export const MANIFEST_TYPES = {
  docker: "application/vnd.docker.distribution.manifest.v2+json",
  oci: "application/vnd.oci.image.manifest.v1+json",
  index: "application/vnd.oci.image.index.v1+json",
} as const;

const ACCEPT = Object.values(MANIFEST_TYPES).join(", ");

/** A registry asked and written to directly, without Plasm. */
export interface RegistryApi {
  /** Uploads bytes, unless the repository has them. */
  upload(repository: string, bytes: Uint8Array, mediaType: string): Promise<Descriptor>;
  /** Makes a blob of one repository one of another, too. */
  mount(repository: string, from: string, blob: Descriptor): Promise<void>;
  /** Stores a manifest under a tag; gives its digest. */
  push(repository: string, tag: string, manifest: Manifest): Promise<string>;
  /** All names that a paged list gives. */
  names(path: string, member: string): Promise<readonly string[]>;
  manifest(
    repository: string,
    reference: string,
  ): Promise<JsonObject & { readonly digest: string }>;
  status(path: string): Promise<number>;
}

async function expectStatus(response: Response, status: number): Promise<Response> {
  if (response.status === status) return response;
  throw new Error(`${response.url}: ${response.status} ${await response.text()}`);
}

export function registryApi(url: string): RegistryApi {
  const v2 = (path: string): string => `${url}/v2/${path}`;
  return {
    async upload(repository, bytes, mediaType) {
      const digest = digestOf(bytes);
      const begun = await fetch(v2(`${repository}/blobs/uploads/`), { method: "POST" });
      const place = new URL((await expectStatus(begun, 202)).headers.get("location") ?? "", url);
      place.searchParams.set("digest", digest);
      const headers = { "content-type": "application/octet-stream" };
      await expectStatus(
        await fetch(place, { method: "PUT", headers, body: Buffer.from(bytes) }),
        201,
      );
      return { mediaType, digest, size: bytes.length };
    },
    async mount(repository, from, { digest }) {
      const asked = new URLSearchParams({ mount: digest, from });
      const path = v2(`${repository}/blobs/uploads/?${asked.toString()}`);
      await expectStatus(await fetch(path, { method: "POST" }), 201);
    },
    async push(repository, tag, manifest) {
      const body = JSON.stringify(manifest);
      const headers = { "content-type": manifest.mediaType };
      const path = v2(`${repository}/manifests/${tag}`);
      await expectStatus(await fetch(path, { method: "PUT", headers, body }), 201);
      return digestOf(body);
    },
    async names(path, member) {
      const found: string[] = [];
      for (let next: string | undefined = v2(path); next !== undefined;) {
        const response = await expectStatus(await fetch(next), 200);
        const body = (await response.json()) as Readonly<Record<string, Json>>;
        found.push(...((body[member] ?? []) as readonly string[]));
        const link = /<([^>]+)>/.exec(response.headers.get("link") ?? "")?.[1];
        next = link === undefined ? undefined : new URL(link, url).href;
      }
      return found;
    },
    async manifest(repository, reference) {
      const path = v2(`${repository}/manifests/${reference}`);
      const response = await expectStatus(await fetch(path, { headers: { accept: ACCEPT } }), 200);
      const digest = response.headers.get("docker-content-digest") ?? "";
      return { ...((await response.json()) as JsonObject), digest };
    },
    status: async (path) => {
      const response = await fetch(v2(path), { headers: { accept: ACCEPT } });
      await response.body?.cancel();
      return response.status;
    },
  };
}
