import { cp, readFile, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fixtureCatalogDir } from "@plasm/testkit";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { cleanUp, temporaryDirectory } from "./testing/data-directory.ts";
import { LOCAL } from "@plasm/agent-core";
import { directoryVariables } from "./secrets.ts";
import { openHost, type Host } from "./open-host.ts";

const BY = { tenant: "acme", subject: "ann" };

const SECRET = "sesame-of-the-harbour";

let host: Host | undefined;
let server: Server;
/** what each request to any API brought as authorization */
let brought: string[];

beforeEach(async () => {
  brought = [];
  server = createServer((request, response) => {
    brought.push(request.headers.authorization ?? "");
    response.setHeader("content-type", "application/json");
    response.end("[]");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterEach(async () => {
  await host?.close();
  host = undefined;
  await new Promise((resolve) => server.close(resolve));
  await cleanUp();
});

const backend = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

async function quayTexts(entryId: string, variable: string, version = 90) {
  const directory = fixtureCatalogDir("quay");
  const domain = (await readFile(join(directory, "domain.yaml"), "utf8"))
    .replace("scheme: none", `scheme: bearer_token, env: ${variable}`)
    .replace(/^version: \d+/m, `version: ${version}`);
  const mappings = await readFile(join(directory, "mappings.yaml"), "utf8");
  return { entry_id: entryId, domain, mappings };
}

/** A host whose directory has one catalog, `harbour`, which names a variable of its own. */
async function open(env: Readonly<Record<string, string>> = {}): Promise<Host> {
  const catalogs = join(await temporaryDirectory(), "catalogs");
  await cp(fixtureCatalogDir("quay"), join(catalogs, "harbour"), { recursive: true });
  const { domain } = await quayTexts("harbour", "HARBOUR_KEY", 1);
  await writeFile(join(catalogs, "harbour", "domain.yaml"), domain);
  const backends = ["HARBOUR", "QUAY"].map((id) => [`PLASM_BACKEND_${id}`, backend()]);
  host = await openHost({
    dataDir: await temporaryDirectory(),
    catalogs: [catalogs],
    env: { HARBOUR_KEY: SECRET, QUAY_TOKEN: "own", ...Object.fromEntries(backends), ...env },
  });
  return host;
}

const run = async ({ engine }: Host, api: string): Promise<string> => {
  const opened = await engine.context(LOCAL, {
    intent: `boats of ${api}`,
    seeds: [{ api, entity: "Boat" }],
  });
  const { logical_session_ref: ref } = opened.meta as { readonly logical_session_ref: string };
  const request = { program: "Boat.limit(1)", force: true };
  return (await engine.run(LOCAL, { kind: "ref", ref }, request)).text;
};

describe("18.15 RUN-120: an imported catalog reads its own secrets only", () => {
  test.each([
    ["PLASM_JWT_SECRET", "the server's own"],
    ["PATH", "the server's own"],
    ["HOME", "the server's own"],
    ["NODE_OPTIONS", "the server's own"],
    ["HARBOUR_KEY", "kept for harbour"],
    ["OTHER_TOKEN", "variables of quay begin with QUAY_"],
    ["QUAYS_TOKEN", "variables of quay begin with QUAY_"],
  ])("%s is refused when it is imported", async (variable, why) => {
    const { administrators } = await open();
    const texts = await quayTexts("quay", variable);
    await expect(administrators.catalogs.import(BY, texts)).rejects.toThrow(why);
    expect(brought).toEqual([]);
  });

  test("also under the id of the catalog whose variable it is", async () => {
    const { administrators } = await open();
    const texts = await quayTexts("harbour", "HARBOUR_KEY");
    await expect(administrators.catalogs.import(BY, texts)).rejects.toThrow("kept for harbour");
  });

  test("its own is read, and nobody else's", async () => {
    const opened = await open();
    await opened.administrators.catalogs.import(BY, await quayTexts("quay", "QUAY_TOKEN"));
    await run(opened, "quay");
    expect(brought).toEqual(["Bearer own"]);
  });

  test.each(["OTHER_TOKEN", "quay:OTHER_TOKEN", " HARBOUR_KEY , x:Y"])(
    "what the deployment lists is read: %s",
    async (listed) => {
      const opened = await open({ PLASM_CATALOG_ENV: listed, OTHER_TOKEN: "listed" });
      const variable = listed.includes("HARBOUR_KEY") ? "HARBOUR_KEY" : "OTHER_TOKEN";
      await opened.administrators.catalogs.import(BY, await quayTexts("quay", variable));
      await run(opened, "quay");
      expect(brought).toEqual([`Bearer ${variable === "HARBOUR_KEY" ? SECRET : "listed"}`]);
    },
  );

  test("one that is listed for another catalog is not", async () => {
    const { administrators } = await open({ PLASM_CATALOG_ENV: "yard:OTHER_TOKEN" });
    const texts = await quayTexts("quay", "OTHER_TOKEN");
    await expect(administrators.catalogs.import(BY, texts)).rejects.toThrow("begin with QUAY_");
  });
});

test("18.15 a catalog of a directory reads what it names", async () => {
  await run(await open(), "harbour");
  expect(brought).toEqual([`Bearer ${SECRET}`]);
});

test.each(["A B", "a:b:c", "X=1"])("18.15 PLASM_CATALOG_ENV=%s is no list of names", (text) => {
  expect(() => directoryVariables({ PLASM_CATALOG_ENV: text })).toThrow(/must list names/);
});
