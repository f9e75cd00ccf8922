import { cp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { fixtureCatalogDir } from "@plasm/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { connectTransport } from "./stdio.ts";
import { cleanUp, temporaryDirectory } from "./testing/real-host.ts";
import { textOf } from "./testing/text-of.ts";
import { type Host, openHost } from "@plasm/host";

const hosts: Host[] = [];

afterEach(async () => {
  for (const host of hosts.splice(0)) await host.close();
  await cleanUp();
});

/** A host on copies of quay and yard in one directory, and a way to change quay's domain as editors do. */
async function hostOnCopies() {
  const catalogs = join(await temporaryDirectory(), "catalogs");
  for (const name of ["quay", "yard"] as const) {
    await cp(fixtureCatalogDir(name), join(catalogs, name), { recursive: true });
  }
  const host = await openHost({
    dataDir: await temporaryDirectory(),
    catalogs: [catalogs],
    env: {},
  });
  hosts.push(host);
  const domain = join(catalogs, "quay", "domain.yaml");
  const original = await readFile(domain, "utf8");
  const write = async (text: string): Promise<void> => {
    await writeFile(`${domain}.new`, text);
    await rename(`${domain}.new`, domain);
  };
  return { host, catalogs, original, write };
}

async function clientOf(host: Host) {
  const [near, far] = InMemoryTransport.createLinkedPair();
  connectTransport(far, host);
  const client = new Client({ name: "reload", version: "1" });
  await client.connect(near);
  const call = async (name: string, args: Record<string, unknown>): Promise<string> =>
    textOf(await client.callTool({ name, arguments: args }));
  const open = (intent: string) =>
    call("plasm_context", { intent, seeds: [{ api: "quay", entity: "Boat" }] });
  const plan = (ref: string) =>
    call("plasm", { logical_session_ref: ref, program: "Boat{state=moored}.limit(3)" });
  return { open, plan, close: () => client.close() };
}

const NONE = { changed: [], removed: [], broken: [] };
const said = (text: string): string => text.replace("day of launch", "Told anew");

describe("catalogs that are loaded again (RUN-180)", () => {
  it("are what new sessions get; open ones keep what they were taught", async () => {
    const { host, original, write } = await hostOnCopies();
    const { open, plan, close } = await clientOf(host);
    const before = await open("before");
    expect(await host.reloadCatalogs()).toEqual(NONE);
    await write(said(original));
    const { changed, ...rest } = await host.reloadCatalogs();
    expect(changed).toEqual([
      { entryId: "quay", digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) },
    ]);
    expect(rest).toEqual({ removed: [], broken: [] });
    expect(await plan("s0")).toContain("pc0");
    const after = await open("after");
    expect(after).toContain("Told anew");
    expect(before).not.toContain("Told anew");
    await close();
  });

  it("that do not load leave what was good last on offer, until they do", async () => {
    const { host, catalogs, original, write } = await hostOnCopies();
    const { open, close } = await clientOf(host);
    await write(original.replace("entities:", "entitties:"));
    const broken = [{ entryId: "quay", path: join(catalogs, "quay"), kept: true }];
    expect(await host.reloadCatalogs()).toEqual({ ...NONE, broken });
    expect(await open("meanwhile")).toContain("Boat");
    await write(original);
    expect(await host.reloadCatalogs()).toEqual(NONE);
    await close();
  });

  it("come and go; a new one that does not load is none", async () => {
    const { host, catalogs, original } = await hostOnCopies();
    await rm(join(catalogs, "yard"), { recursive: true });
    await cp(join(catalogs, "quay"), join(catalogs, "pier"), { recursive: true });
    await cp(join(catalogs, "quay"), join(catalogs, "wreck"), { recursive: true });
    await writeFile(join(catalogs, "wreck", "domain.yaml"), original.replace("entities:", "x:"));
    const { changed, ...rest } = await host.reloadCatalogs();
    expect(changed.map(({ entryId }) => entryId)).toEqual(["pier"]);
    const broken = [{ entryId: "wreck", path: join(catalogs, "wreck"), kept: false }];
    expect(rest).toEqual({ removed: ["yard"], broken });
  });

  it("are what they were where all of them are gone for a moment", async () => {
    const { host, catalogs } = await hostOnCopies();
    await rename(catalogs, `${catalogs}-aside`);
    const broken = [{ entryId: catalogs, path: catalogs, kept: true }];
    expect(await host.reloadCatalogs()).toEqual({ ...NONE, broken });
    await rename(`${catalogs}-aside`, catalogs);
    expect(await host.reloadCatalogs()).toEqual(NONE);
  });
});
