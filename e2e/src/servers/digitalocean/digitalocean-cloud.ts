import type { Row } from "../vendor-api.ts";

/** A refusal in the form that all of the API's refusals have. */
export class Refusal extends Error {
  readonly status: 401 | 404 | 409 | 412 | 422;
  readonly id: string;

  constructor(status: Refusal["status"], id: string, message: string) {
    super(message);
    this.status = status;
    this.id = id;
  }
}

export const unprocessable = (message: string): Refusal =>
  new Refusal(422, "unprocessable_entity", message);
export const notFound = (): Refusal =>
  new Refusal(404, "not_found", "The resource you were accessing could not be found.");

export const uuid = (kind: number, number: number): string =>
  `${String(kind).padStart(8, "0")}-0000-4000-8000-${String(number).padStart(12, "0")}`;

export const AT = "2026-03-01T10:00:00Z";
export const SIZES = [
  { slug: "s-1vcpu-1gb", memory: 1024, vcpus: 1, disk: 25, transfer: 1, price: 6 },
  { slug: "s-2vcpu-4gb", memory: 4096, vcpus: 2, disk: 80, transfer: 4, price: 24 },
].map(({ price, ...size }) => ({
  ...size,
  available: true,
  description: "Basic",
  price_monthly: price,
  price_hourly: price / 672,
  regions: ["fra1", "nyc3"],
}));
export const REGIONS = [
  ["fra1", "Frankfurt 1"],
  ["nyc3", "New York 3"],
].map(([slug, name]) => ({
  slug,
  name,
  available: true,
  features: ["metadata", "backups"],
  sizes: SIZES.map((size) => size.slug),
}));

/** What the API knows, by kind and id. */
export class Cloud {
  #last = 1000;
  readonly droplets = new Map<string, Row>();
  readonly images = new Map<string, Row>();
  readonly actions = new Map<string, Row>();
  readonly domains = new Map<string, Row>();
  /** by domain, then by id */
  readonly records = new Map<string, Map<string, Row>>();
  readonly volumes = new Map<string, Row>();
  readonly snapshots = new Map<string, Row>();
  readonly projects = new Map<string, Row>();
  /** URNs by project */
  readonly resources = new Map<string, Map<string, Row>>();
  readonly apps = new Map<string, Row>();
  /** by app, then by id */
  readonly deployments = new Map<string, Map<string, Row>>();
  readonly keys = new Map<string, Row>();
  readonly firewalls = new Map<string, Row>();

  next(): number {
    this.#last += 1;
    return this.#last;
  }

  addAction(type: string, resource: Row, resourceType: string): Row {
    const region = resource["region"] as Row | undefined;
    const action = {
      id: this.next(),
      status: "completed",
      type,
      started_at: AT,
      completed_at: AT,
      resource_id: typeof resource["id"] === "number" ? resource["id"] : null,
      resource_type: resourceType,
      region,
      region_slug: region?.["slug"] ?? null,
    };
    this.actions.set(String(action.id), action);
    return action;
  }

  addImage(name: string, more: Row): Row {
    const image = {
      id: this.next(),
      name,
      distribution: "Ubuntu",
      slug: null,
      public: false,
      regions: ["fra1"],
      created_at: AT,
      min_disk_size: 25,
      size_gigabytes: 2.36,
      description: "",
      tags: [],
      status: "available",
      ...more,
    };
    this.images.set(String(image.id), image);
    return image;
  }

  addDroplet(asked: Row): Row {
    const size = SIZES.find(({ slug }) => slug === asked["size"]);
    const region = REGIONS.find(({ slug }) => slug === (asked["region"] ?? "fra1"));
    const image = [...this.images.values()].find(
      ({ id, slug }) => slug === asked["image"] || String(id) === String(asked["image"]),
    );
    if (size === undefined)
      throw unprocessable("You specified an invalid size for Droplet creation.");
    if (image === undefined)
      throw unprocessable("You specified an invalid image for Droplet creation.");
    if (region === undefined)
      throw unprocessable("You specified an invalid region for Droplet creation.");
    const id = this.next();
    const droplet = {
      id,
      name: asked["name"],
      memory: size.memory,
      vcpus: size.vcpus,
      disk: size.disk,
      locked: false,
      status: "new",
      kernel: null,
      created_at: AT,
      features: ["private_networking"],
      backup_ids: [],
      next_backup_window: null,
      snapshot_ids: [],
      image,
      volume_ids: asked["volumes"] ?? [],
      size,
      size_slug: size.slug,
      networks: {
        v4: [
          { ip_address: `10.0.0.${id % 250}`, netmask: "255.255.0.0", type: "private" },
          { ip_address: `203.0.113.${id % 250}`, netmask: "255.255.255.0", type: "public" },
        ],
        v6: [],
      },
      region,
      tags: asked["tags"] ?? [],
      vpc_uuid: uuid(9, 1),
    };
    this.droplets.set(String(id), droplet);
    return droplet;
  }

  addRecord(domain: string, fields: Row): Row {
    const { type, data } = fields;
    if (typeof type !== "string") throw unprocessable("Type can't be blank");
    if (["CNAME", "MX", "NS", "SRV"].includes(type) && !/\.$|^@$/.test(String(data)))
      throw unprocessable("Data needs to end with a dot (.)");
    const blank = { priority: null, port: null, weight: null, flags: null, tag: null };
    const record = { id: this.next(), name: "@", ttl: 1800, ...blank, ...fields };
    const all = this.records.get(domain) ?? new Map<string, Row>();
    this.records.set(domain, all.set(String(record.id), record));
    return record;
  }

  addDomain(name: string, ip: unknown): Row {
    if (!/^[\w-]+(\.[\w-]+)+$/.test(name)) throw unprocessable("Name is invalid");
    if (this.domains.has(name)) throw unprocessable("Name already exists");
    const domain = { name, ttl: 1800, zone_file: `$ORIGIN ${name}.\n` };
    this.domains.set(name, domain);
    for (const at of [1, 2, 3]) {
      this.addRecord(name, { type: "NS", data: `ns${at}.digitalocean.com.` });
    }
    if (typeof ip === "string") this.addRecord(name, { type: "A", data: ip });
    return domain;
  }

  addVolume(asked: Row): Row {
    const region = REGIONS.find(({ slug }) => slug === asked["region"]);
    if (region === undefined) throw unprocessable("region is not valid");
    if ([...this.volumes.values()].some(({ name }) => name === asked["name"]))
      throw new Refusal(409, "conflict", "a volume with that name already exists in that region");
    const volume = {
      id: uuid(1, this.next()),
      description: "",
      filesystem_type: "",
      filesystem_label: "",
      tags: [],
      ...asked,
      region,
      droplet_ids: [],
      created_at: AT,
    };
    this.volumes.set(volume.id, volume);
    return volume;
  }

  addProject(asked: Row): Row {
    const project = {
      id: uuid(2, this.next()),
      owner_uuid: uuid(8, 1),
      owner_id: 1,
      description: "",
      environment: "Development",
      is_default: false,
      created_at: AT,
      updated_at: AT,
      ...asked,
    };
    this.projects.set(project.id, project);
    this.resources.set(project.id, new Map());
    return project;
  }

  addDeployment(app: string, cause: string): Row {
    const all = this.deployments.get(app) ?? new Map<string, Row>();
    for (const one of all.values()) if (one["phase"] === "ACTIVE") one["phase"] = "SUPERSEDED";
    const phase = cause === "initial deployment" ? "ACTIVE" : "PENDING_BUILD";
    const deployment = {
      id: uuid(4, this.next()),
      phase,
      cause,
      progress: { success_steps: 0, total_steps: 6 },
      created_at: AT,
      updated_at: AT,
    };
    this.deployments.set(app, new Map([[deployment.id, deployment], ...all]));
    return deployment;
  }

  addApp({ spec, project_id: project = uuid(2, 1) }: Row): Row {
    const { name } = spec as Row;
    if (typeof name !== "string") throw unprocessable("app name is required");
    const app = {
      id: uuid(3, this.next()),
      spec,
      project_id: project,
      default_ingress: `https://${name}.ondigitalocean.app`,
      live_url: `https://${name}.ondigitalocean.app`,
      live_domain: `${name}.ondigitalocean.app`,
      region: { slug: "fra", label: "Frankfurt", flag: "germany" },
      tier_slug: "basic",
      created_at: AT,
      updated_at: AT,
      last_deployment_created_at: AT,
    };
    this.apps.set(app.id, app);
    this.addDeployment(app.id, "initial deployment");
    return app;
  }
}

export function seeded(): Cloud {
  const cloud = new Cloud();
  for (const slug of ["ubuntu-24-04-x64", "debian-12-x64"])
    cloud.addImage(slug.replaceAll("-", " "), { slug, public: true, type: "base" });
  for (let at = 1; at <= 230; at += 1) {
    const droplet = cloud.addDroplet({
      name: `web-${at}`,
      region: at % 2 === 0 ? "fra1" : "nyc3",
      size: "s-1vcpu-1gb",
      image: "ubuntu-24-04-x64",
      tags: at <= 3 ? ["shop"] : [],
    });
    droplet["status"] = "active";
  }
  cloud.addDomain("example.com", "203.0.113.9");
  cloud.addVolume({ name: "data", size_gigabytes: 10, region: "fra1" });
  cloud.addProject({ name: "Shop", purpose: "Web Application", is_default: true });
  cloud.addApp({ spec: { name: "shop", services: [{ name: "web" }] } });
  return cloud;
}

/** What one kind of action does to a droplet; refuses what the API refuses. */
export function act(cloud: Cloud, droplet: Row, asked: Row): Row {
  const type = String(asked["type"]);
  const isOff = droplet["status"] === "off";
  switch (type) {
    case "power_off":
    case "shutdown":
      if (isOff) throw unprocessable("Droplet is already powered off.");
      droplet["status"] = "off";
      break;
    case "power_on":
      droplet["status"] = "active";
      break;
    case "rename":
      droplet["name"] = asked["name"];
      break;
    case "resize": {
      const size = SIZES.find(({ slug }) => slug === asked["size"]);
      if (size === undefined) throw unprocessable("Size is not valid.");
      if (!isOff) throw unprocessable("Droplet must be powered off.");
      Object.assign(droplet, { size, size_slug: size.slug, memory: size.memory });
      break;
    }
    case "snapshot": {
      const name = typeof asked["name"] === "string" ? asked["name"] : "snapshot";
      const image = cloud.addImage(name, { type: "snapshot" });
      (droplet["snapshot_ids"] as unknown[]).push(image["id"]);
      cloud.snapshots.set(String(image["id"]), {
        ...image,
        id: String(image["id"]),
        resource_id: String(droplet["id"]),
        resource_type: "droplet",
      });
      break;
    }
    case "reboot":
    case "power_cycle":
      break;
    default:
      throw unprocessable(`Action ${type} is not available.`);
  }
  return cloud.addAction(type, droplet, "droplet");
}

export function actOnVolume(cloud: Cloud, volume: Row, asked: Row): Row {
  const attached = volume["droplet_ids"] as number[];
  const { type, droplet_id: id, size_gigabytes: size } = asked;
  switch (type) {
    case "attach": {
      const droplet = cloud.droplets.get(String(id));
      if (droplet === undefined) throw notFound();
      if (attached.length > 0)
        throw unprocessable("Attach operation failed: volume is already attached");
      volume["droplet_ids"] = [id];
      droplet["volume_ids"] = [...(droplet["volume_ids"] as unknown[]), volume["id"]];
      break;
    }
    case "detach": {
      const droplet = cloud.droplets.get(String(id));
      if (!attached.includes(Number(id)) || droplet === undefined)
        throw unprocessable("Detach operation failed: volume is not attached");
      volume["droplet_ids"] = [];
      droplet["volume_ids"] = [];
      break;
    }
    case "resize":
      if (Number(size) <= Number(volume["size_gigabytes"]))
        throw unprocessable("the new size must be larger than the current size");
      volume["size_gigabytes"] = size;
      break;
    default:
      throw unprocessable("type is not valid");
  }
  const action = cloud.addAction(String(type), volume, "backend");
  return { ...action, status: "in-progress", completed_at: null };
}
