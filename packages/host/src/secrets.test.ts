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
  const backends = ["HARBOUR", "QUAY", "QUAY_YARD"].map((id) => [`PLASM_BACKEND_${id}`, backend()]);
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

describe("RUN-120: a variable of one import is no other's", () => {
  const OTHER = { tenant: "globex", subject: "bob" };
  const env = { QUAY_YARD_TOKEN: SECRET };

  test.each([
    ["quay-yard", "quay", "QUAY_YARD_TOKEN"],
    ["quay", "quay-yard", "QUAY_YARD_TOKEN"],
    ["quay-yard", "quay_yard", "QUAY_YARD_TOKEN"],
  ])("of %s, by %s of another tenant and of the same", async (first, second, variable) => {
    const { administrators } = await open(env);
    await administrators.catalogs.import(BY, await quayTexts(first, variable));
    const texts = await quayTexts(second, variable);
    for (const by of [OTHER, BY])
      await expect(administrators.catalogs.import(by, texts)).rejects.toThrow(
        `${variable}: not looked at: ${first}, which was imported, names it`,
      );
    // A newer version of the first keeps its own.
    await administrators.catalogs.import(BY, await quayTexts(first, variable, 91));
  });

  test("what was withdrawn leaves its variable to others, and the deployment may list it", async () => {
    const opened = await open({
      ...env,
      PLASM_CATALOG_ENV: "quay_yard:QUAY_YARD_TOKEN",
    });
    const { catalogs } = opened.administrators;
    await catalogs.import(BY, await quayTexts("quay-yard", "QUAY_YARD_TOKEN"));
    await catalogs.import(OTHER, await quayTexts("quay_yard", "QUAY_YARD_TOKEN", 91));
    const texts = await quayTexts("quay", "QUAY_YARD_TOKEN", 92);
    await expect(catalogs.import(OTHER, texts)).rejects.toThrow("names it");
    await run(opened, "quay-yard");
    await run(opened, "quay_yard");
    await catalogs.withdraw(BY, "quay-yard", "lose");
    await catalogs.withdraw(OTHER, "quay_yard", "lose");
    await catalogs.import(OTHER, texts);
    await run(opened, "quay");
    expect(brought).toEqual(Array.from({ length: 3 }, () => `Bearer ${SECRET}`));
  });
});

describe("RUN-120: an id of other software's name opens none of its variables", () => {
  const FOREIGN =
    "aws azure google gcp database db postgres pg mysql redis vault smtp secret ci http https no_proxy ssl ssh kube docker npm node";
  test.each(FOREIGN.split(" "))("%s", async (entryId) => {
    const { administrators } = await open({ PLASM_CATALOG_ENV: "aws:AWS_LISTED_KEY" });
    for (const id of [entryId, `${entryId}-boats`]) {
      const variable = `${id.toUpperCase().replaceAll("-", "_")}_SECRET_KEY`;
      const texts = await quayTexts(id, variable);
      await expect(administrators.catalogs.import(BY, texts)).rejects.toThrow(
        /variables of other software begin so|the server's own/,
      );
    }
    expect(brought).toEqual([]);
  });

  test("but one that the deployment lists", async () => {
    const { administrators } = await open({ PLASM_CATALOG_ENV: "aws:AWS_LISTED_KEY" });
    const { record } = await administrators.catalogs.import(
      BY,
      await quayTexts("aws", "AWS_LISTED_KEY"),
    );
    expect(record.entryId).toBe("aws");
  });
});

test("18.15 a catalog of a directory reads what it names", async () => {
  await run(await open(), "harbour");
  expect(brought).toEqual([`Bearer ${SECRET}`]);
});

test.each(["A B", "a:b:c", "X=1"])("18.15 PLASM_CATALOG_ENV=%s is no list of names", (text) => {
  expect(() => directoryVariables({ PLASM_CATALOG_ENV: text })).toThrow(/must list names/);
});
