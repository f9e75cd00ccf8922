import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv, promisify } from "node:util";
import { openHost } from "@plasm/host";
import { readPolicies } from "@plasm/core";
import { createHttpTransport, openRecording, systemClock, systemIds } from "@plasm/runtime";
import { fixtureCatalogDir } from "@plasm/testkit";
import { runSql } from "@plasm/testkit/postgres";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { caller } from "../engine/engine-under-test.ts";
import { openEngine } from "../engine/open-engine.ts";
import { blocksOf, pageAt, ROOT } from "./pages.ts";

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "plasm-examples-"));
});
afterAll(() => rm(dir, { recursive: true }));

/** The only block of a kind on a page. */
function blockOf(path: string, kind: string): string {
  const [block, ...more] = blocksOf(pageAt(path)).filter((one) => one.kind === kind);
  if (block === undefined || more.length > 0) throw new Error(`${path}: not one block ${kind}`);
  return block.body;
}

/** The lines of shell on a page, without their remarks. */
const linesOf = (path: string): readonly string[] =>
  blocksOf(pageAt(path))
    .filter(({ kind }) => kind === "sh")
    .flatMap(({ body }) => body.split("\n"))
    .map((line) => line.replace(/\s+#.*$/, ""));

const manifest = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8")) as {
  readonly scripts: Readonly<Record<string, string>>;
};

describe("README.md", () => {
  it("has two commands, which the boot script knows", async () => {
    expect(linesOf("README.md")).toEqual(["npm start", "npm test"]);
    for (const name of ["start", "test"]) {
      expect(manifest.scripts[name]).toBe(`exec node scripts/boot.mjs ${name}`);
    }
    const tasks = await readFile(join(ROOT, "scripts/boot/tasks.mjs"), "utf8");
    expect(tasks).toMatch(/\bstart\b/);
    expect(tasks).toMatch(/\btest\b/);
  });

  it("its program is a plan", async () => {
    const engine = await openEngine({ dataDir: join(dir, "readme") });
    const seeds = [{ api: "quay", entity: "Boat" }];
    await engine.context(caller(), { intent: "old boats", seeds });
    const program = blockOf("README.md", "plasm");
    const { text } = await engine.plan(caller(), { kind: "ref", ref: "s0" }, program);
    expect(text).toMatch(/^plan ok pc0 /);
    await engine.close();
  });
});

describe("CONTRIBUTING.md", () => {
  it("its commands are scripts of this repository", () => {
    const lines = linesOf("CONTRIBUTING.md");
    expect(lines.length).toBeGreaterThanOrEqual(5);
    const scripts = lines.flatMap((line) => /^(?:p?npm) (?:run )?([\w:-]+)/.exec(line)?.[1] ?? []);
    expect(scripts.filter((name) => manifest.scripts[name] === undefined)).toEqual([]);
    const [gates = ""] = lines.filter((line) => line.startsWith("pnpm check "));
    expect(gates.split(" ").slice(2)).toEqual(["lint", "types"]);
  });

  it("its path has the tools", async () => {
    const line = linesOf("CONTRIBUTING.md").find((one) => one.startsWith("export PATH")) ?? "false";
    const script = `${line}\nnode --version`;
    const { stdout } = await promisify(execFile)("sh", ["-ec", script], { cwd: ROOT });
    expect(stdout).toMatch(/^v(?:22|24)\./);
  });
});

describe("catalogs/README.md", () => {
  it("its program opens catalogs", async () => {
    const code = blockOf("catalogs/README.md", "ts");
    const calls = code.match(/(?:await )?\w+\([^)]*\);/g) ?? [];
    expect(calls).toEqual([
      'catalogDirectory("redmine");',
      "await openPublishedCatalogs();",
      'await openPublishedCatalogs(["prometheus"]);',
    ]);
    const { catalogDirectory, openPublishedCatalogs } = await import("@plasm/catalogs");
    expect(catalogDirectory("redmine")).toMatch(/redmine$/);
    expect((await openPublishedCatalogs(["prometheus"])).list()).toHaveLength(1);
  });
});

describe("docs/grafts.md", () => {
  it("its call attaches, and answers what the page shows", async () => {
    const engine = await openEngine({ dataDir: join(dir, "grafts") });
    const args = JSON.parse(blockOf("docs/grafts.md", "json")) as Parameters<
      typeof engine.context
    >[1];
    const { text } = await engine.context(caller({ subject: "u42" }), args);
    expect(text).toContain(blockOf("docs/grafts.md", "text").split("\n")[0]);
    await engine.close();
  });
});

/** Another user and database than those of the tests' server. */
const own = (text: string): string =>
  text
    .replace("create user plasm", "create user guide")
    .replace("create database plasm owner plasm", "create database guide owner guide")
    .replace("postgres://plasm:", "postgres://guide:")
    .replace(/5432\/plasm\b/, "5432/guide");

describe("docs/operating.md", () => {
  it("its policies have no fault (SURF-25)", () => {
    const blocks = blocksOf(pageAt("docs/operating.md")).filter(({ kind }) => kind === "json");
    const [first, ...more] = blocks.map(({ body }) => readPolicies(JSON.parse(body)));
    for (const { faults } of more) expect(faults).toBeNull();
    expect(first?.faults).toBeNull();
    expect(first?.policies?.tenants["acme"]?.apis).toEqual({ orchard: {} });
  });

  it("its database and its env file serve", async () => {
    const server = inject("postgresUrl");
    const { host } = new URL(server);
    const statements = blockOf("docs/operating.md", "sql")
      .split(";")
      .map((one) => one.trim());
    // The server of the tests has a user plasm.
    const named = statements.filter((one) => one !== "").map((one) => own(one));
    await runSql(server, ...named);
    try {
      const dataDir = await mkdtemp(join(dir, "data-"));
      const [write = "", serve = ""] = blockOf("docs/operating.md", "sh postgres").split(
        "\nplasm ",
      );
      expect(serve).toBe("serve --env-file .env");
      const line = own(write).replace("db.example:5432", host).replace("?sslmode=verify-full", "");
      await promisify(execFile)("sh", ["-ec", line], { cwd: dataDir });
      const env = parseEnv(await readFile(join(dataDir, ".env"), "utf8"));
      const opened = await openHost({ dataDir, catalogs: [fixtureCatalogDir("quay")], env });
      const who = { scope: "t", subject: "ann", connection: null };
      const { text } = await opened.engine.context(who, {
        intent: "boats",
        seeds: [{ api: "quay", entity: "Boat" }],
      });
      expect(text).toContain("quay: Boat");
      await opened.close();
      const made = "select 1 from information_schema.schemata where schema_name = 'plasm'";
      expect(await runSql(server.replace(/\/[^/]*$/, "/guide"), made)).toHaveLength(1);
    } finally {
      await runSql(
        server,
        "drop database if exists guide with (force)",
        "drop user if exists guide",
      );
    }
  });
});

describe("docs/recordings.md", () => {
  it("its program replays", async () => {
    const directory = join(dir, "first");
    const live = {
      transport: createHttpTransport(),
      clock: systemClock,
      ids: systemIds,
    };
    await openRecording({ directory, mode: "record" });
    const code = blockOf("docs/recordings.md", "ts").replace('"recordings/first"', "directory");
    const body = code.replace(/^import .*\n/, "");
    // oxlint-disable-next-line typescript/no-implied-eval -- it is the page's own program
    const run = new Function(
      "openRecording",
      "directory",
      "live",
      `return (async () => {${body}\nreturn [ports, backends];})();`,
    ) as (...args: readonly unknown[]) => Promise<readonly [object, object]>;
    const [ports, backends] = await run(openRecording, directory, live);
    expect(Object.keys(ports)).toContain("transport");
    expect(backends).toBeInstanceOf(Map);
  });
});
