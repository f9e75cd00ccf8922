import { catalogDirectory } from "@plasm/catalogs";
import { describe, expect, test } from "vitest";
import { failureOf } from "../harness/agent-failure.ts";
import { startCountingProxy } from "../harness/counting-proxy.ts";
import { openSession, seedsOf } from "../harness/open-session.ts";
import type { Surface } from "../harness/surfaces.ts";
import { startWorld } from "../harness/world.ts";
import { MULTI, TAGGED } from "../servers/docker-registry/fill-registry.ts";
import { startDockerRegistry } from "../servers/docker-registry/start-docker-registry.ts";
import { useStarted } from "../servers/endings.ts";

const running = useStarted(async (endings) => {
  const { url, api } = await startDockerRegistry(endings);
  const proxy = await startCountingProxy(url);
  endings.add(() => proxy.close());
  const env = { PLASM_BACKEND_DOCKER_REGISTRY: proxy.url };
  const world = await startWorld({ catalogs: [catalogDirectory("docker-registry")], env });
  endings.add(() => world.close());
  return { api, proxy, world };
});

/** What was sent, a digest's colon as it is written. */
const sent = (): readonly string[] =>
  running().proxy.requests.map((one) => decodeURIComponent(one));

/** Each deletes an image of its own. */
const SURFACES: readonly (readonly [Surface, image: string])[] = [
  ["MCP 2026 over HTTP", "1.03"],
  ["HTTP", "1.04"],
];

interface Discovered {
  readonly options: readonly { readonly api: string; readonly entity: string }[];
}

describe.each(SURFACES)("%s, on a real registry", (surface, image) => {
  async function open(what: string, ...entities: readonly string[]) {
    const agent = await running().world.agent(surface);
    const seeds = seedsOf("docker-registry", ...entities);
    return { agent, ...(await openSession(agent, `${surface}: ${what}`, seeds)) };
  }

  test("all repositories: one page with a handle, or every page by its Link header", async () => {
    const { api, proxy } = running();
    const { agent, ref } = await open("repositories", "Repository");
    const names = await api.names("_catalog?n=1000", "repositories");
    proxy.forgetRequests();
    const first = await agent.run(ref, "Repository");
    expect(first.results[0]?.rows.map(({ name }) => name)).toEqual(names.slice(0, 100));
    expect(proxy.requests).toEqual(["GET /v2/_catalog?n=100"]);
    const [handle] = first.meta.paging;
    const rest = await agent.run(ref, `page(${handle?.next_page_handle})`);
    expect(rest.results[0]?.rows.map(({ name }) => name)).toEqual(names.slice(100));
    // The registry's own link, as it stands.
    expect(proxy.requests.slice(1)).toEqual([
      `GET /v2/_catalog?last=${encodeURIComponent(names[99] ?? "")}&n=100`,
    ]);

    proxy.forgetRequests();
    const counted = await agent.run(ref, "Repository.aggregate(n=count)", { force: true });
    expect(counted.results[0]?.rows).toEqual([{ n: names.length }]);
    expect(proxy.requests).toHaveLength(2);
  });

  test("how big is the newest image, and what does it run: from the question to the numbers", async () => {
    const { api, proxy, world } = running();
    const agent = await world.agent(surface);
    const found = (await agent.discover({ intent: "how big is an image" })) as Discovered;
    expect(found.options[0]).toMatchObject({ api: "docker-registry", entity: "Manifest" });
    const { ref } = await open("size", "Tag", "Manifest", "Blob", "ImageConfig");
    const tags = await agent.run(ref, `Tag{repository="team/web"}.sort(name, desc).limit(1)`);
    const [newest] = tags.results[0]?.rows ?? [];
    const all = (await api.names("team/web/tags/list", "tags")).toSorted();
    const tag = all.at(-1) ?? "";
    expect(newest).toEqual({ repository: "team/web", name: tag });
    expect(all).toHaveLength(TAGGED["team/web"]);

    proxy.forgetRequests();
    const run = await agent.run(
      ref,
      `m = Manifest(repository="team/web", reference="${tag}")
m.layers.aggregate(layers=count, bytes=sum(size))
m.config[architecture, command, created]`,
    );
    const told = await api.manifest("team/web", tag);
    const layers = told["layers"] as unknown as readonly { readonly size: number }[];
    expect(run.results.map(({ rows }) => rows)).toEqual([
      [{ layers: 2, bytes: layers.reduce((sum, { size }) => sum + size, 0) }],
      [{ architecture: "amd64", command: ["--port", "80"], created: "2026-01-05T10:00:00Z" }],
    ]);
    expect(sent().map((request) => request.replace(/sha256:.*/, "…"))).toEqual([
      `GET /v2/team/web/manifests/${tag}`,
      "GET /v2/team/web/blobs/…",
    ]);
  });

  test("which platforms: the index, then the image of each", async () => {
    const { agent, ref } = await open("platforms", "Manifest", "ImageConfig");
    const run = await agent.run(
      ref,
      `i = Manifest(repository="${MULTI.repository}", reference="${MULTI.tag}")
p = i.manifests.sort(architecture)
p[os, architecture], p.config[architecture, user]`,
      { force: true },
    );
    expect(run.results.map(({ rows }) => rows)).toEqual([
      [
        { os: "linux", architecture: "amd64" },
        { os: "linux", architecture: "arm64" },
      ],
      [
        { architecture: "amd64", user: "app" },
        { architecture: "arm64", user: "app" },
      ],
    ]);
  });

  test("an image is deleted once, after review, by digest; by tag it is refused", async () => {
    const { api, proxy } = running();
    const { agent, ref } = await open("delete", "Tag", "Manifest");
    const tag = `${image}0`;
    const { digest } = await api.manifest("team/app", tag);
    const byTag = `Manifest(repository="team/app", reference="${tag}").delete()`;
    const refused = await failureOf(agent.run(ref, byTag, { force: true }));
    expect(refused.message).toContain("provided digest did not match");

    const program = `Manifest(repository="team/app", reference="${digest}").delete()`;
    proxy.forgetRequests();
    const blocked = await failureOf(agent.run(ref, program));
    expect(blocked.problem.code).toBe("plasm-review-required");
    const plan = await agent.plan(ref, program);
    expect(plan.meta.dry_verdict).toBe("review");
    expect(proxy.requests).toEqual([]);
    const before = await api.names("team/app/tags/list", "tags");

    const commit = { plan_commit_ref: plan.meta.plan_commit_ref };
    await agent.run(ref, program, commit);
    await agent.run(ref, program, commit);
    expect(sent()).toEqual([`DELETE /v2/team/app/manifests/${digest}`]);
    const after = await agent.run(ref, `Tag{repository="team/app"}[name]`);
    expect(after.results[0]?.rows.map(({ name }) => name).toSorted()).toEqual(
      before.filter((name) => !name.startsWith(image)).toSorted(),
    );
  });
});
