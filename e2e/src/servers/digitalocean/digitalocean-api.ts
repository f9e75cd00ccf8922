import { type Context, Hono } from "hono";
import type { Endings } from "../endings.ts";
import { type Row, serveVendorApi, type VendorApi } from "../vendor-api.ts";
import {
  act,
  actOnVolume,
  AT,
  type Cloud,
  notFound,
  Refusal,
  REGIONS,
  seeded,
  SIZES,
  unprocessable,
  uuid,
} from "./digitalocean-cloud.ts";

export const TOKEN = "dop_v1_of-the-test";

/** One page of rows, with the links that the API gives. */
function page(c: Context, origin: string, key: string, all: Iterable<Row>): Response {
  const rows = [...all];
  const url = new URL(c.req.url);
  const number = (name: string, usual: number): number =>
    Number(url.searchParams.get(name) ?? usual);
  const [at, size] = [number("page", 1), number("per_page", 20)];
  if (!(size >= 1 && size <= 200)) throw unprocessable("per_page must be between 1 and 200");
  const last = Math.max(1, Math.ceil(rows.length / size));
  const link = (to: number): string => {
    url.searchParams.set("page", String(to));
    return `${origin}${url.pathname}${url.search}`;
  };
  const pages = {
    ...(at > 1 ? { first: link(1), prev: link(at - 1) } : {}),
    ...(at < last ? { next: link(at + 1), last: link(last) } : {}),
  };
  return c.json({
    [key]: rows.slice((at - 1) * size, at * size),
    links: last === 1 ? {} : { pages },
    meta: { total: rows.length },
  });
}

const bodyOf = async (c: Context): Promise<Row> => (await c.req.json()) as Row;

function demand(body: Row, ...names: readonly string[]): Row {
  for (const name of names)
    if (body[name] === undefined) throw unprocessable(`${name} is required`);
  return body;
}

function one(all: ReadonlyMap<string, Row> | undefined, id: string): Row {
  const row = all?.get(id);
  if (row === undefined) throw notFound();
  return row;
}

type Rows = (c: Context, key: string, all: Iterable<Row>) => Response;

function addMachines(app: Hono, cloud: Cloud, rows: Rows): void {
  app.get("/v2/droplets", (c) => {
    const { name, tag_name: tag } = c.req.query();
    const found = [...cloud.droplets.values()]
      .filter((droplet) => name === undefined || droplet["name"] === name)
      .filter(({ tags }) => tag === undefined || (tags as string[]).includes(tag));
    return rows(c, "droplets", found);
  });
  app.post("/v2/droplets", async (c) => {
    const droplet = cloud.addDroplet(demand(await bodyOf(c), "name", "size", "image"));
    const action = cloud.addAction("create", droplet, "droplet");
    const links = { actions: [{ id: action["id"], rel: "create" }] };
    const { image: _, ...told } = droplet;
    return c.json({ droplet: { ...told, image: droplet["image"] }, links }, 202);
  });
  app.get("/v2/droplets/:id", (c) => {
    const droplet = one(cloud.droplets, c.req.param("id"));
    if (droplet["status"] === "new") droplet["status"] = "active";
    return c.json({ droplet });
  });
  app.delete("/v2/droplets/:id", (c) => {
    one(cloud.droplets, c.req.param("id"));
    cloud.droplets.delete(c.req.param("id"));
    return c.body(null, 204);
  });
  app.get("/v2/droplets/:id/actions", (c) => {
    const { id } = one(cloud.droplets, c.req.param("id"));
    const own = [...cloud.actions.values()].filter((action) => action["resource_id"] === id);
    return rows(c, "actions", own.toReversed());
  });
  app.post("/v2/droplets/:id/actions", async (c) => {
    const droplet = one(cloud.droplets, c.req.param("id"));
    return c.json({ action: act(cloud, droplet, demand(await bodyOf(c), "type")) }, 201);
  });
  app.get("/v2/droplets/:id/snapshots", (c) => {
    const ids = one(cloud.droplets, c.req.param("id"))["snapshot_ids"] as number[];
    return rows(
      c,
      "snapshots",
      ids.map((id) => one(cloud.images, String(id))),
    );
  });
  app.get("/v2/droplets/:id/backups", (c) => rows(c, "backups", []));
  app.get("/v2/droplets/:id/firewalls", (c) => {
    const { id } = one(cloud.droplets, c.req.param("id"));
    const own = [...cloud.firewalls.values()].filter(({ droplet_ids: ids }) =>
      (ids as unknown[]).includes(id),
    );
    return rows(c, "firewalls", own);
  });
  app.get("/v2/actions", (c) => rows(c, "actions", [...cloud.actions.values()].toReversed()));
  app.get("/v2/actions/:id", (c) => c.json({ action: one(cloud.actions, c.req.param("id")) }));
  app.get("/v2/images", (c) => {
    const isPrivate = c.req.query("private") === "true";
    const found = [...cloud.images.values()].filter((image) => !isPrivate || !image["public"]);
    return rows(c, "images", found);
  });
  app.get("/v2/images/:id", (c) => c.json({ image: one(cloud.images, c.req.param("id")) }));
  app.put("/v2/images/:id", async (c) => {
    const image = one(cloud.images, c.req.param("id"));
    return c.json({ image: Object.assign(image, await bodyOf(c)) });
  });
  app.delete("/v2/images/:id", (c) => {
    one(cloud.images, c.req.param("id"));
    cloud.images.delete(c.req.param("id"));
    return c.body(null, 204);
  });
  app.get("/v2/sizes", (c) => rows(c, "sizes", SIZES));
  app.get("/v2/regions", (c) => rows(c, "regions", REGIONS));
}

function addDomains(app: Hono, cloud: Cloud, rows: Rows): void {
  app.get("/v2/domains", (c) => rows(c, "domains", cloud.domains.values()));
  app.post("/v2/domains", async (c) => {
    const { name, ip_address: ip } = demand(await bodyOf(c), "name");
    return c.json({ domain: cloud.addDomain(String(name), ip) }, 201);
  });
  app.get("/v2/domains/:name", (c) => c.json({ domain: one(cloud.domains, c.req.param("name")) }));
  app.delete("/v2/domains/:name", (c) => {
    const { name } = c.req.param();
    one(cloud.domains, name);
    cloud.domains.delete(name);
    cloud.records.delete(name);
    return c.body(null, 204);
  });
  app.get("/v2/domains/:name/records", (c) => {
    const domain = c.req.param("name");
    one(cloud.domains, domain);
    const { type, name } = c.req.query();
    const whole = (own: unknown): string => (own === "@" ? domain : `${String(own)}.${domain}`);
    const found = [...(cloud.records.get(domain)?.values() ?? [])]
      .filter((record) => type === undefined || record["type"] === type)
      .filter((record) => name === undefined || whole(record["name"]) === name);
    return rows(c, "domain_records", found);
  });
  app.post("/v2/domains/:name/records", async (c) => {
    one(cloud.domains, c.req.param("name"));
    const fields = demand(await bodyOf(c), "type");
    return c.json({ domain_record: cloud.addRecord(c.req.param("name"), fields) }, 201);
  });
  const own = (c: Context): Row =>
    one(cloud.records.get(c.req.param("name") ?? ""), c.req.param("id") ?? "");
  app.get("/v2/domains/:name/records/:id", (c) => c.json({ domain_record: own(c) }));
  app.patch("/v2/domains/:name/records/:id", async (c) =>
    c.json({ domain_record: Object.assign(own(c), await bodyOf(c)) }),
  );
  app.delete("/v2/domains/:name/records/:id", (c) => {
    own(c);
    cloud.records.get(c.req.param("name"))?.delete(c.req.param("id"));
    return c.body(null, 204);
  });
}

function addStorage(app: Hono, cloud: Cloud, rows: Rows): void {
  app.get("/v2/volumes", (c) => {
    const { name, region } = c.req.query();
    const found = [...cloud.volumes.values()]
      .filter((volume) => name === undefined || volume["name"] === name)
      .filter((volume) => region === undefined || (volume["region"] as Row)["slug"] === region);
    return rows(c, "volumes", found);
  });
  app.post("/v2/volumes", async (c) => {
    const asked = demand(await bodyOf(c), "name", "size_gigabytes", "region");
    return c.json({ volume: cloud.addVolume(asked) }, 201);
  });
  app.get("/v2/volumes/:id", (c) => c.json({ volume: one(cloud.volumes, c.req.param("id")) }));
  app.delete("/v2/volumes/:id", (c) => {
    const volume = one(cloud.volumes, c.req.param("id"));
    if ((volume["droplet_ids"] as unknown[]).length > 0)
      throw new Refusal(409, "conflict", "volume is still attached to a droplet");
    cloud.volumes.delete(c.req.param("id"));
    return c.body(null, 204);
  });
  app.get("/v2/volumes/:id/actions", (c) => rows(c, "actions", []));
  app.post("/v2/volumes/:id/actions", async (c) => {
    const volume = one(cloud.volumes, c.req.param("id"));
    return c.json({ action: actOnVolume(cloud, volume, await bodyOf(c)) }, 202);
  });
  app.get("/v2/volumes/:id/snapshots", (c) => {
    const { id } = one(cloud.volumes, c.req.param("id"));
    const own = [...cloud.snapshots.values()].filter((snapshot) => snapshot["resource_id"] === id);
    return rows(c, "snapshots", own);
  });
  app.post("/v2/volumes/:id/snapshots", async (c) => {
    const volume = one(cloud.volumes, c.req.param("id"));
    const { name, tags = [] } = demand(await bodyOf(c), "name");
    const snapshot = {
      id: uuid(5, cloud.next()),
      name,
      tags,
      regions: ["fra1"],
      created_at: AT,
      resource_id: volume["id"],
      resource_type: "volume",
      min_disk_size: volume["size_gigabytes"],
      size_gigabytes: 0,
    };
    cloud.snapshots.set(snapshot.id, snapshot);
    return c.json({ snapshot }, 201);
  });
  app.get("/v2/snapshots", (c) => {
    const type = c.req.query("resource_type");
    const found = [...cloud.snapshots.values()].filter(
      (snapshot) => type === undefined || snapshot["resource_type"] === type,
    );
    return rows(c, "snapshots", found);
  });
  app.get("/v2/snapshots/:id", (c) =>
    c.json({ snapshot: one(cloud.snapshots, c.req.param("id")) }),
  );
  app.delete("/v2/snapshots/:id", (c) => {
    one(cloud.snapshots, c.req.param("id"));
    cloud.snapshots.delete(c.req.param("id"));
    return c.body(null, 204);
  });
}

function addProjects(app: Hono, cloud: Cloud, rows: Rows): void {
  app.get("/v2/projects", (c) => rows(c, "projects", cloud.projects.values()));
  app.post("/v2/projects", async (c) => {
    const asked = demand(await bodyOf(c), "name", "purpose");
    return c.json({ project: cloud.addProject(asked) }, 201);
  });
  app.get("/v2/projects/:id", (c) => c.json({ project: one(cloud.projects, c.req.param("id")) }));
  app.patch("/v2/projects/:id", async (c) => {
    const project = one(cloud.projects, c.req.param("id"));
    return c.json({ project: Object.assign(project, await bodyOf(c)) });
  });
  app.delete("/v2/projects/:id", (c) => {
    const { id } = c.req.param();
    one(cloud.projects, id);
    if ((cloud.resources.get(id)?.size ?? 0) > 0)
      throw new Refusal(412, "precondition_failed", "cannot delete a project with resources");
    cloud.projects.delete(id);
    return c.body(null, 204);
  });
  app.get("/v2/projects/:id/resources", (c) => {
    one(cloud.projects, c.req.param("id"));
    return rows(c, "resources", cloud.resources.get(c.req.param("id"))?.values() ?? []);
  });
  app.post("/v2/projects/:id/resources", async (c) => {
    one(cloud.projects, c.req.param("id"));
    const { resources } = demand(await bodyOf(c), "resources");
    const given = (resources as string[]).map((urn) => {
      const row = { urn, assigned_at: AT, status: "assigned", links: {} };
      cloud.resources.get(c.req.param("id"))?.set(urn, { ...row, status: "ok" });
      return row;
    });
    return c.json({ resources: given });
  });
}

function addApps(app: Hono, cloud: Cloud, rows: Rows): void {
  app.get("/v2/apps", (c) => rows(c, "apps", cloud.apps.values()));
  app.post("/v2/apps", async (c) => c.json({ app: cloud.addApp(demand(await bodyOf(c), "spec")) }));
  app.get("/v2/apps/:id", (c) => c.json({ app: one(cloud.apps, c.req.param("id")) }));
  app.put("/v2/apps/:id", async (c) => {
    const row = one(cloud.apps, c.req.param("id"));
    row["spec"] = demand(await bodyOf(c), "spec")["spec"];
    cloud.addDeployment(c.req.param("id"), "app spec updated");
    return c.json({ app: row });
  });
  app.delete("/v2/apps/:id", (c) => {
    const { id } = one(cloud.apps, c.req.param("id"));
    cloud.apps.delete(String(id));
    return c.json({ id });
  });
  app.get("/v2/apps/:id/deployments", (c) => {
    one(cloud.apps, c.req.param("id"));
    return rows(c, "deployments", cloud.deployments.get(c.req.param("id"))?.values() ?? []);
  });
  app.post("/v2/apps/:id/deployments", (c) => {
    one(cloud.apps, c.req.param("id"));
    return c.json({ deployment: cloud.addDeployment(c.req.param("id"), "manual") });
  });
  app.get("/v2/apps/:id/deployments/:deployment", (c) => {
    const all = cloud.deployments.get(c.req.param("id"));
    return c.json({ deployment: one(all, c.req.param("deployment")) });
  });
  app.post("/v2/apps/:id/deployments/:deployment/cancel", (c) => {
    const all = cloud.deployments.get(c.req.param("id"));
    const deployment = one(all, c.req.param("deployment"));
    if (["ACTIVE", "CANCELED"].includes(String(deployment["phase"])))
      throw unprocessable("cannot cancel a deployment that is not in progress");
    deployment["phase"] = "CANCELED";
    return c.json({ deployment });
  });
}

function addAccess(app: Hono, cloud: Cloud, rows: Rows): void {
  const account = {
    droplet_limit: 250,
    floating_ip_limit: 3,
    email: "ann@example.com",
    name: "Ann",
    uuid: uuid(8, 1),
    email_verified: true,
    status: "active",
    status_message: "",
  };
  app.get("/v2/account", (c) => c.json({ account }));
  app.get("/v2/account/keys", (c) => rows(c, "ssh_keys", cloud.keys.values()));
  app.post("/v2/account/keys", async (c) => {
    const { name, public_key: text } = demand(await bodyOf(c), "name", "public_key");
    if (!/^(ssh-|ecdsa-)/.test(String(text)))
      throw unprocessable("Key invalid, key should be of the format `type key [comment]`");
    const key = { id: cloud.next(), fingerprint: "3b:16:e4", name, public_key: text };
    cloud.keys.set(String(key.id), key);
    return c.json({ ssh_key: key }, 201);
  });
  app.get("/v2/account/keys/:id", (c) => c.json({ ssh_key: one(cloud.keys, c.req.param("id")) }));
  app.put("/v2/account/keys/:id", async (c) => {
    const key = one(cloud.keys, c.req.param("id"));
    return c.json({ ssh_key: Object.assign(key, await bodyOf(c)) });
  });
  app.delete("/v2/account/keys/:id", (c) => {
    one(cloud.keys, c.req.param("id"));
    cloud.keys.delete(c.req.param("id"));
    return c.body(null, 204);
  });
  const fields = { inbound_rules: [], outbound_rules: [], droplet_ids: [], tags: [] };
  app.get("/v2/firewalls", (c) => rows(c, "firewalls", cloud.firewalls.values()));
  app.post("/v2/firewalls", async (c) => {
    const asked = demand(await bodyOf(c), "name");
    const own = { id: uuid(6, cloud.next()), status: "waiting", created_at: AT };
    const firewall = { ...own, ...fields, ...asked, pending_changes: [] };
    cloud.firewalls.set(firewall.id, firewall);
    return c.json({ firewall }, 202);
  });
  app.get("/v2/firewalls/:id", (c) => {
    const firewall = one(cloud.firewalls, c.req.param("id"));
    firewall["status"] = "succeeded";
    return c.json({ firewall });
  });
  app.put("/v2/firewalls/:id", async (c) => {
    const firewall = one(cloud.firewalls, c.req.param("id"));
    return c.json({ firewall: Object.assign(firewall, fields, demand(await bodyOf(c), "name")) });
  });
  app.delete("/v2/firewalls/:id", (c) => {
    one(cloud.firewalls, c.req.param("id"));
    cloud.firewalls.delete(c.req.param("id"));
    return c.body(null, 204);
  });
  for (const method of ["POST", "DELETE"]) {
    app.on(method, "/v2/firewalls/:id/droplets", async (c) => {
      const firewall = one(cloud.firewalls, c.req.param("id"));
      const asked = demand(await bodyOf(c), "droplet_ids")["droplet_ids"] as number[];
      for (const id of asked) one(cloud.droplets, String(id));
      const rest = (firewall["droplet_ids"] as number[]).filter((id) => !asked.includes(id));
      firewall["droplet_ids"] = method === "POST" ? [...rest, ...asked] : rest;
      return c.body(null, 204);
    });
  }
}

/**
 * Starts a server that behaves as DigitalOcean's API v2 does by its public reference, on data of its own: pages with
 * links and a total, refusals with an id and a message, 202 for what takes time.
 */
export const startDigitalocean = (endings: Endings): Promise<VendorApi> =>
  serveVendorApi(endings, (origin) => {
    const app = new Hono();
    const cloud = seeded();
    app.use(async (c, next) => {
      if (c.req.header("authorization") !== `Bearer ${TOKEN}`)
        throw new Refusal(401, "Unauthorized", "Unable to authenticate you");
      await next();
    });
    const rows: Rows = (c, key, all) => page(c, origin(), key, all);
    for (const add of [addMachines, addDomains, addStorage, addProjects, addApps, addAccess])
      add(app, cloud, rows);
    app.notFound((c) => c.json({ id: "not_found", message: "Not Found" }, 404));
    app.onError((error, c) => {
      if (!(error instanceof Refusal))
        return c.json({ id: "server_error", message: error.message }, 500);
      const { status, id, message } = error;
      return c.json({ id, message, request_id: uuid(7, 1) }, status);
    });
    return app;
  });
