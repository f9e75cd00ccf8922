import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { LOCAL } from "@plasm/agent-core";
import { fixtureCatalogDir } from "@plasm/testkit";
import { makeBoats, startProxy, startQuay } from "@plasm/testkit/servers";
import { afterEach, describe, expect, it } from "vitest";
import { cleanUp, temporaryDirectory } from "./testing/data-directory.ts";
import { HostStartError } from "./environment.ts";
import { openHost, type Host } from "./open-host.ts";

afterEach(cleanUp);

async function opened<T>(
  catalogs: readonly string[],
  env: Readonly<Record<string, string>>,
  look: (host: Host) => T | Promise<T>,
): Promise<T> {
  const host = await openHost({ dataDir: await temporaryDirectory(), catalogs, env });
  try {
    return await look(host);
  } finally {
    await host.close();
  }
}

/** A copy of quay with one text of its domain replaced, in a directory of its own. */
async function quayWith(from: string, to: string, name = "quay"): Promise<string> {
  const directory = join(await temporaryDirectory(), name);
  await cp(fixtureCatalogDir("quay"), directory, { recursive: true });
  const domain = join(directory, "domain.yaml");
  await writeFile(domain, (await readFile(domain, "utf8")).replace(from, to));
  return directory;
}

describe("openHost", () => {
  it("offers the catalogs of its directories, in their order", async () => {
    const look = async ({ loaded, remarks, first, engine }: Host) => ({
      loaded,
      remarks,
      first,
      listed: (await engine.registry(LOCAL)).map((row) => row["entry_id"]),
    });
    expect(await opened([fixtureCatalogDir("yard"), fixtureCatalogDir("quay")], {}, look)).toEqual({
      loaded: ["yard", "quay"],
      remarks: [],
      first: { api: "yard", entity: "Boat" },
      listed: ["quay", "yard"],
    });
  });

  it("opens without any catalog", async () => {
    const look = ({ loaded, remarks, first }: Host) => ({ loaded, remarks, first });
    expect(await opened([], {}, look)).toEqual({ loaded: [], remarks: [], first: null });
  });

  it("GRAFT-4 says that a provider's address without a profile does nothing", async () => {
    const env = { PLASM_GRAFT_URL: "http://127.0.0.1:1/sets" };
    const said = await opened([], env, ({ remarks }) => remarks);
    expect(said).toEqual([expect.stringContaining("PLASM_GRAFT_URL has no effect")]);
  });

  it("says what a catalog needs before it can be called", async () => {
    const placeholder = await quayWith(
      "http://127.0.0.1:4801",
      "https://quay.your-company.example",
    );
    const look = ({ remarks, first }: Host) => ({ remarks, first });
    expect(await opened([placeholder], {}, look)).toEqual({
      remarks: ["quay: calls need PLASM_BACKEND_QUAY to be set"],
      first: null,
    });
    expect(await opened([placeholder], { PLASM_BACKEND_QUAY: "127.0.0.1:4801" }, look)).toEqual({
      remarks: ["quay: calls need PLASM_BACKEND_QUAY to be an http or https address"],
      first: null,
    });
    const env = { PLASM_BACKEND_QUAY: "http://127.0.0.1:4801" };
    expect(await opened([placeholder], env, look)).toEqual({
      remarks: [],
      first: { api: "quay", entity: "Boat" },
    });
    const secret = await quayWith("scheme: none", "scheme: bearer_token, env: QUAY_TOKEN");
    expect((await opened([secret], {}, look)).remarks).toEqual([
      "quay: calls need a credential: on the server run plasm auth set quay, or set QUAY_TOKEN in its environment or env file and restart it",
    ]);
    expect((await opened([secret], { QUAY_TOKEN: "x" }, look)).remarks).toEqual([]);
    const signsIn = await quayWith(
      "auth: { scheme: none }",
      "auth: { scheme: oauth_bearer, env: QUAY_TOKEN }\noauth: { provider: harbour-id, scopes: { boats.read: {} } }",
    );
    const provider = { PLASM_OAUTH_HARBOUR_ID_ISSUER: "https://id.example" };
    expect((await opened([signsIn], provider, look)).remarks).toEqual([
      expect.stringContaining(
        "sign in with plasm auth login quay --catalogs DIRECTORY, or on the server run plasm auth set quay",
      ),
    ]);
  });

  it("skips a broken catalog of a directory of many, and says why (RUN-180)", async () => {
    const directory = await temporaryDirectory();
    await cp(fixtureCatalogDir("quay"), join(directory, "quay"), { recursive: true });
    await mkdir(join(directory, "torn"));
    await writeFile(join(directory, "torn/domain.yaml"), "version: [1\n");
    const { loaded, remarks } = await opened([directory], {}, (host) => host);
    expect(loaded).toEqual(["quay"]);
    expect(remarks).toHaveLength(1);
    expect(remarks[0]).toContain(`torn: not loaded, ${join(directory, "torn/domain.yaml")}:`);
  });

  it("refuses a directory that is missing, or broken itself, or has nothing good in it", async () => {
    const dataDir = await temporaryDirectory();
    const missing = join(dataDir, "none");
    const broken = await quayWith("http://127.0.0.1:4801", "nowhere", "broken");
    for (const catalog of [missing, broken, join(broken, "..")]) {
      const host = openHost({ dataDir, catalogs: [catalog], env: {} });
      await expect(host).rejects.toThrow(HostStartError);
      await expect(host).rejects.toThrow(catalog === missing ? missing : /domain\.yaml:\d+:\d+/);
    }
  });

  it("refuses a data directory that cannot be used", async () => {
    const file = join(await temporaryDirectory(), "file");
    await writeFile(file, "");
    const host = openHost({ dataDir: join(file, "data"), catalogs: [], env: {} });
    await expect(host).rejects.toThrow(HostStartError);
    await expect(host).rejects.toThrow("--data");
  });
});

it("OPS-44 a wrong setting of figures is told before the store is opened", async () => {
  const dataDir = await temporaryDirectory();
  const host = openHost({ dataDir, catalogs: [], env: { PLASM_METRICS: "yes" } });
  await expect(host).rejects.toThrow("PLASM_METRICS must be 0 or 1");
  expect(await readdir(dataDir)).not.toContain("plasm.db");
});

describe("RUN-196: requests go by way of the proxy of the environment", () => {
  it("an API whose name only the proxy knows is read", async () => {
    const quay = await startQuay(makeBoats(3));
    const proxy = await startProxy({ hosts: { "quay.invalid": new URL(quay.url).host } });
    const env = { PLASM_BACKEND_QUAY: "http://quay.invalid", HTTP_PROXY: proxy.url };
    const session = { kind: "ref", ref: "s0" } as const;
    const text = await opened([fixtureCatalogDir("quay")], env, async ({ engine }) => {
      await engine.context(LOCAL, { intent: "boats", seeds: [{ entity: "Boat" }] });
      const ran = await engine.run(LOCAL, session, { program: "Boat.aggregate(n=count)" });
      return ran.text;
    });
    await Promise.all([quay.close(), proxy.close()]);
    expect(text).toContain("n\n3\n");
    expect(proxy.log).toEqual([expect.stringContaining("GET http://quay.invalid/boats")]);
  });

  it("an address that is none stops the start, and is not repeated", async () => {
    const env = { HTTPS_PROXY: "socks5://ann:secret@proxy.example" };
    const host = openHost({ dataDir: await temporaryDirectory(), catalogs: [], env });
    await expect(host).rejects.toThrow(HostStartError);
    await expect(host).rejects.toThrow("HTTPS_PROXY is no address of http or https");
  });
});
