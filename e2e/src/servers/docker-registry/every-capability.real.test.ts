import { describe, expect, test } from "vitest";
import { openCatalogEngine } from "../catalog-engine.ts";
import { useStarted } from "../endings.ts";
import { READS } from "./capability-examples.ts";
import { MULTI, SMALL, TAGGED } from "./fill-registry.ts";
import type { Descriptor } from "./registry-api.ts";
import { startDockerRegistry } from "./start-docker-registry.ts";

const running = useStarted(async (endings) => {
  const { url, api } = await startDockerRegistry(endings);
  const plasm = await openCatalogEngine("docker-registry", url, await endings.directory("plasm"));
  endings.add(() => plasm.close());
  return { api, plasm };
});

const run = (program: string) => running().plasm.run(program);
const tagsOf = (repository: string) => running().api.names(`${repository}/tags/list`, "tags");

/** The capabilities that change something; each has a test of its own below. */
const WRITES = ["manifest_delete", "tag_delete"];

test("every capability of the catalog is called here", () => {
  expect([...Object.keys(READS), ...WRITES].toSorted()).toEqual(running().plasm.capabilities);
});

test("the registry holds 250 tags in several repositories, and more than a page of repositories", async () => {
  const counts = await Promise.all(
    Object.keys(TAGGED).map(async (name) => (await tagsOf(name)).length),
  );
  expect(counts).toEqual(Object.values(TAGGED));
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(250);
  const names = await running().api.names("_catalog?n=1000", "repositories");
  expect(names).toHaveLength(SMALL + Object.keys(TAGGED).length + 1);
});

const reads = Object.entries(READS).flatMap(([capability, examples]) =>
  examples.map((example, at) => [capability, at + 1, example] as const),
);

test.each(reads)(
  "%s gives what the registry's own API says (%i)",
  async (capability, _, example) => {
    const { api } = running();
    const ran = await run(await example.program(api));
    expect(ran.capabilities).toContain(capability);
    expect(ran.results).toEqual([await example.rows(api)]);
    expect(ran.results[0]).not.toHaveLength(0);
  },
);

test("layers come with the manifest, their sizes add up, and those of an index by platform", async () => {
  const { api } = running();
  const told = await api.manifest("team/app", "1.000");
  const layers = told["layers"] as unknown as readonly Descriptor[];
  const { results } = await run(`m = Manifest(repository="team/app", reference="1.000")
m.layers[digest, size, media_type], m.layers.aggregate(bytes=sum(size))
i = Manifest(repository="${MULTI.repository}", reference="${MULTI.tag}")
i.manifests[reference, os, architecture], i.manifests.layers[size]`);
  const index = await api.manifest(MULTI.repository, MULTI.tag);
  const children = index["manifests"] as unknown as readonly (Descriptor & {
    readonly platform: { readonly os: string; readonly architecture: string };
  })[];
  expect(results).toEqual([
    layers.map(({ digest, size, mediaType }) => ({ digest, size, media_type: mediaType })),
    [{ bytes: layers.reduce((sum, { size }) => sum + size, 0) }],
    children.map(({ digest, platform }) => ({ reference: digest, ...platform })),
    // Both images are made of one layer, which is one blob.
    [{ size: "shared layer".length }],
  ]);
});

describe("refusals come in the registry's words", () => {
  test.each([
    [
      `Repository("team/none").tags`,
      /404: "repository name not known to registry: name: team\/none"\./,
    ],
    [`Manifest(repository="team/app", reference="none")`, /not_found/],
    [`Blob(repository="team/app", digest="sha256:${"0".repeat(64)}")`, /not_found/],
    [`Blob(repository="team/app", digest="sha256:12")`, /404|400/],
    [`Tag(repository="team/app", name="1.001").delete()`, /400: "provided digest did not match/],
    [
      `Manifest(repository="team/app", reference="1.001").delete()`,
      /400: "provided digest did not match/,
    ],
    [
      `Manifest(repository="team/app", reference="sha256:${"0".repeat(64)}").delete()`,
      /404.*unknown/,
    ],
  ])("%s: %s", async (program, words) => {
    const before = await tagsOf("team/app");
    await expect(run(program)).rejects.toThrow(words);
    expect(await tagsOf("team/app")).toEqual(before);
  });

  test("slashes of a repository's name stay, other characters are data", async () => {
    for (const name of ["../../v2/_catalog", "team/app?n=1", "team/app#x", "team%2fapp"]) {
      await expect(run(`Repository("${name}").tags`)).rejects.toThrow(/40[04]|argument_invalid/);
    }
  });
});

test("an image is deleted by its digest, and with it the tags that point at it, no other", async () => {
  const { api } = running();
  const before = await tagsOf("team/app");
  const { digest } = await api.manifest("team/app", "1.010");
  const program = `Manifest(repository="team/app", reference="${digest}").delete()`;
  const ran = await run(program);
  expect(ran.capabilities).toEqual(["manifest_delete"]);
  expect(ran.results[0]).toMatchObject([{ ok: true }]);
  const gone = before.filter((tag) => tag.startsWith("1.01"));
  expect(gone).toHaveLength(10);
  expect((await tagsOf("team/app")).toSorted()).toEqual(
    before.filter((tag) => !gone.includes(tag)).toSorted(),
  );
  expect(await api.status(`team/app/manifests/${digest}`)).toBe(404);
  await expect(run(program)).rejects.toThrow(/404/);
});

test("a repository whose tags are all gone has none", async () => {
  const { api } = running();
  const { digest } = await api.manifest("small/r000", "1");
  const { results } = await run(`Manifest(repository="small/r000", reference="${digest}").delete()
Repository("small/r000").tags`);
  expect(results[1]).toEqual([]);
});
