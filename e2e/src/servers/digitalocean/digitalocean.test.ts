import type { JsonObject } from "@plasm/core";
import { afterEach, expect, test } from "vitest";
import { openCatalogEngine } from "../catalog-engine.ts";
import { useStarted } from "../endings.ts";
import { startDigitalocean, TOKEN } from "./digitalocean-api.ts";

const world = useStarted(async (endings) => {
  const api = await startDigitalocean(endings);
  const open = async (token: string) => {
    const data = await endings.directory("digitalocean");
    const env = { DIGITALOCEAN_TOKEN: token };
    const plasm = await openCatalogEngine("digitalocean", `${api.url}/v2`, data, { env });
    endings.add(() => plasm.close());
    return plasm;
  };
  return { api, open, plasm: await open(TOKEN) };
});
afterEach(() => void world().api.taken());

/** The rows of the last result of a program. */
async function rows(program: string) {
  const { results } = await world().plasm.run(program);
  return results.at(-1) ?? [];
}

/** The id of a row, as programs and paths have it. */
function idOf(row: JsonObject | undefined): string {
  const id = row?.["id"];
  if (typeof id !== "string" && typeof id !== "number") throw new Error("a row without an id");
  return String(id);
}

/** What the API was asked with: method and path of each request, and its body. */
const asked = () =>
  world().api.requests.map(({ line, body }) => [line, body === "" ? null : JSON.parse(body)]);

test("a list is read page by page to its end", async () => {
  expect(await rows("Droplet[id, name].aggregate(n=count)")).toEqual([{ n: 230 }]);
  expect(world().api.taken()).toEqual([
    "GET /v2/droplets?page=1&per_page=100",
    "GET /v2/droplets?page=2&per_page=100",
    "GET /v2/droplets?page=3&per_page=100",
  ]);
});

test("filters are the API's own", async () => {
  expect(await rows("Droplet{tag=shop}[name]")).toEqual(
    ["web-1", "web-2", "web-3"].map((name) => ({ name })),
  );
  expect(world().api.taken()).toEqual(["GET /v2/droplets?tag_name=shop&page=1&per_page=100"]);
  const records = await rows('Domain("example.com").records{type=NS}[name, data]');
  expect(records).toHaveLength(3);
  expect(world().api.taken()).toEqual([
    "GET /v2/domains/example.com/records?type=NS&page=1&per_page=100",
  ]);
});

test("a droplet is made, read, turned off, resized, renamed, copied and destroyed", async () => {
  const create = `Droplet.create(name="db-1", region="fra1", size="s-1vcpu-1gb", image="ubuntu-24-04-x64", tags=["db"])[id, name, status, region]`;
  const [made] = await rows(create);
  expect(made).toMatchObject({ name: "db-1", status: "new", region: "fra1" });
  const droplet = `Droplet(${idOf(made)})`;
  expect(await rows(`${droplet}[status, public_ip, private_ip, size]`)).toEqual([
    {
      status: "active",
      public_ip: expect.stringMatching(/^203\.0\.113\./),
      private_ip: expect.stringMatching(/^10\./),
      size: "s-1vcpu-1gb",
    },
  ]);
  expect(await rows(`${droplet}.power-off()`)).toMatchObject([{ type: "power_off" }]);
  await rows(`${droplet}.resize(size="s-2vcpu-4gb")`);
  await rows(`${droplet}.power-on()`);
  await rows(`${droplet}.rename(name="db-2")`);
  await rows(`${droplet}.take-snapshot(name="before")`);
  expect(await rows(`${droplet}[name, size, status]`)).toEqual([
    { name: "db-2", size: "s-2vcpu-4gb", status: "active" },
  ]);
  expect(await rows(`${droplet}.snapshots[name]`)).toEqual([{ name: "before" }]);
  expect(await rows(`${droplet}.actions[type]`)).toHaveLength(6);
  await rows(`${droplet}.delete()`);
  await expect(rows(`${droplet}[name]`)).rejects.toThrow("not_found");
  const path = `/v2/droplets/${idOf(made)}`;
  expect(asked()).toEqual([
    ["POST /v2/droplets", expect.objectContaining({ name: "db-1", tags: ["db"] })],
    [`GET ${path}`, null],
    [`POST ${path}/actions`, { type: "power_off" }],
    [`POST ${path}/actions`, { type: "resize", size: "s-2vcpu-4gb" }],
    [`POST ${path}/actions`, { type: "power_on" }],
    [`POST ${path}/actions`, { type: "rename", name: "db-2" }],
    [`POST ${path}/actions`, { type: "snapshot", name: "before" }],
    [`GET ${path}`, null],
    [`GET ${path}/snapshots?page=1&per_page=100`, null],
    [`GET ${path}/actions?page=1&per_page=100`, null],
    [`DELETE ${path}`, null],
    [`GET ${path}`, null],
  ]);
});

test("a domain with its records", async () => {
  await rows(`Domain.create(name="example.org", ip_address="203.0.113.7")`);
  const add = `Record.create(domain=Domain("example.org"), type=CNAME, name="www", data="example.org.")[id, name]`;
  const [www] = await rows(add);
  const record = `Record(domain="example.org", id=${idOf(www)})`;
  expect(await rows(`${record}.update(ttl=60)[ttl, data]`)).toEqual([
    { ttl: 60, data: "example.org." },
  ]);
  expect(await rows(`${record}[name, ttl]`)).toEqual([{ name: "www", ttl: 60 }]);
  await rows(`${record}.delete()`);
  expect(await rows('Domain("example.org").records[type]')).toHaveLength(4);
  await rows('Domain("example.org").delete()');
  expect(asked().filter(([line]) => !String(line).startsWith("GET"))).toEqual([
    ["POST /v2/domains", { name: "example.org", ip_address: "203.0.113.7" }],
    ["POST /v2/domains/example.org/records", { type: "CNAME", name: "www", data: "example.org." }],
    [`PATCH /v2/domains/example.org/records/${idOf(www)}`, { ttl: 60 }],
    [`DELETE /v2/domains/example.org/records/${idOf(www)}`, null],
    ["DELETE /v2/domains/example.org", null],
  ]);
});

test("a volume is made, attached, made larger, copied, detached and deleted", async () => {
  const [made] = await rows(
    `Volume.create(name="logs", size_gigabytes=20, region="fra1")[id, region, droplet_ids]`,
  );
  expect(made).toMatchObject({ region: "fra1", droplet_ids: [] });
  const volume = `Volume("${idOf(made)}")`;
  const [droplet] = await rows('Droplet{name="web-2"}[id]');
  await rows(`${volume}.attach(droplet=Droplet(${idOf(droplet)}))`);
  await expect(rows(`${volume}.delete()`)).rejects.toThrow("still attached to a droplet");
  await rows(`${volume}.resize(size_gigabytes=40)`);
  await rows(`Snapshot.create(volume=${volume}, name="monday")`);
  expect(await rows(`${volume}.snapshots[name, min_disk_size]`)).toEqual([
    { name: "monday", min_disk_size: 40 },
  ]);
  await rows(`${volume}.detach(droplet=Droplet(${idOf(droplet)}))`);
  await rows(`${volume}.delete()`);
  expect(asked().filter(([line]) => /actions|snapshots$/.test(String(line)))).toEqual([
    [expect.stringContaining("/actions"), { type: "attach", droplet_id: droplet?.["id"] }],
    [expect.stringContaining("/actions"), { type: "resize", size_gigabytes: 40 }],
    [expect.stringContaining("/snapshots"), { name: "monday" }],
    [expect.stringContaining("/actions"), { type: "detach", droplet_id: droplet?.["id"] }],
  ]);
});

test("a project holds resources, and is deleted when it holds none", async () => {
  const [made] = await rows(`Project.create(name="Lab", purpose="Tests")[id, environment]`);
  const project = `Project("${idOf(made)}")`;
  const [droplet] = await rows('Droplet{name="web-4"}[id]');
  const urn = `do:droplet:${idOf(droplet)}`;
  await rows(`Resource.assign(project=${project}, resources=["${urn}"])`);
  expect(await rows(`${project}.resources[urn, status]`)).toEqual([{ urn, status: "ok" }]);
  expect(await rows(`${project}.update(environment=Staging)[name, environment]`)).toEqual([
    { name: "Lab", environment: "Staging" },
  ]);
  await expect(rows(`${project}.delete()`)).rejects.toThrow("cannot delete a project");
});

test("an app, its deployments, and one that is stopped", async () => {
  const [app] = await rows("App[id, live_url, region, project]");
  expect(app).toMatchObject({ live_url: "https://shop.ondigitalocean.app", region: "fra" });
  const of = `App("${idOf(app)}")`;
  expect(await rows(`${of}.deployments[phase]`)).toEqual([{ phase: "ACTIVE" }]);
  const [next] = await rows(`Deployment.create(app=${of}, force_build=true)[id, phase, cause]`);
  expect(next).toMatchObject({ phase: "PENDING_BUILD", cause: "manual" });
  const deployment = `Deployment(app="${idOf(app)}", id="${idOf(next)}")`;
  expect(await rows(`${deployment}.cancel()[phase]`)).toEqual([{ phase: "CANCELED" }]);
  await rows(`${of}.update(spec={"name": "shop", "region": "fra"})`);
  expect(await rows(`${of}[spec]`)).toEqual([{ spec: { name: "shop", region: "fra" } }]);
});

test("firewalls let droplets in and out", async () => {
  const rule = `{protocol: tcp, ports: "22", sources: {"addresses": ["0.0.0.0/0"]}}`;
  const [made] = await rows(`Firewall.create(name="ssh", inbound_rules=[${rule}])[id, status]`);
  const firewall = `Firewall("${idOf(made)}")`;
  const [droplet] = await rows('Droplet{name="web-6"}[id]');
  const id = Number(droplet?.["id"]);
  await rows(`${firewall}.add-droplets(droplet_ids=[${id}])`);
  expect(await rows(`Droplet(${id}).firewalls[name]`)).toEqual([{ name: "ssh" }]);
  await rows(`${firewall}.remove-droplets(droplet_ids=[${id}])`);
  expect(await rows(`${firewall}[droplet_ids, status]`)).toEqual([
    { droplet_ids: [], status: "succeeded" },
  ]);
});

test("keys, images, sizes, regions, the account", async () => {
  const [key] = await rows(`SshKey.create(name="mine", public_key="ssh-ed25519 AAAA")[id]`);
  await rows(`SshKey(${idOf(key)}).update(name="ours")`);
  expect(await rows("SshKey[name]")).toEqual([{ name: "ours" }]);
  expect(await rows("Image{type=distribution}[slug].limit(1)")).toHaveLength(1);
  expect(await rows("Size.sort(price_monthly)[slug, price_monthly]")).toHaveLength(2);
  expect(await rows("Region[slug, name]")).toContainEqual({ slug: "fra1", name: "Frankfurt 1" });
  expect(await rows("Account.get()[email, droplet_limit]")).toEqual([
    { email: "ann@example.com", droplet_limit: 250 },
  ]);
});

test("what the API refuses is told in its own words", async () => {
  await expect(
    rows(`Droplet.create(name="x", size="huge", image="debian-12-x64")`),
  ).rejects.toThrow("You specified an invalid size for Droplet creation.");
  await expect(
    rows(`Record.create(domain=Domain("example.com"), type=CNAME, name="w", data="no.dot")`),
  ).rejects.toThrow("Data needs to end with a dot (.)");
  const stranger = await world().open("dop_v1_of-nobody");
  await expect(stranger.run("Account.get()")).rejects.toThrow("Unable to authenticate you");
});
