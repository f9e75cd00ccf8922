import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fixtureCatalogDir } from "@plasm/testkit";
import { packPackages } from "./pack-packages.ts";
import { pageFiles } from "./page-files.ts";
import { ran, strangersEnv } from "./ran.ts";

/** What a reader of the page has beside our packages: exactly these, so that a run is like the next. */
const OTHERS = Object.freeze({
  "@anthropic-ai/sdk": "1.12.0",
  "@types/json-schema": "7.0.15",
  "@types/node": "24.19.2",
  ai: "7.0.173",
  openai: "7.57.0",
  vitest: "5.1.1",
});

/** A project outside the workspace that has our packages from tarballs, and the files of a page. */
export interface StrangersProject {
  readonly directory: string;
  /** packages of ours, by name */
  readonly packages: readonly string[];
  /** files of the page */
  readonly files: readonly string[];
  remove(): Promise<void>;
}

const manifestOf = (tarballs: ReadonlyMap<string, string>) => ({
  name: "stranger",
  private: true,
  type: "module",
  dependencies: {
    ...Object.fromEntries([...tarballs].map(([name, path]) => [name, `file:${path}`])),
    ...OTHERS,
  },
  // What our packages depend on of each other is the same tarball.
  overrides: Object.fromEntries([...tarballs.keys()].map((name) => [name, `$${name}`])),
});

const MODULE_OF_TEXT =
  'declare module "*?raw" {\n  const text: string;\n  export { text as default };\n}\n';

/** Asks by the function of a file of the page: a scripted model, or one of the AI SDK with turns as told. */
const ASK = `import { openPlasm } from "@plasm/agent-core";
import { openSqliteStore } from "@plasm/store";
import { MockLanguageModelV4 } from "ai/test";

const turns = process.env["TURNS"];
const model =
  turns === undefined ? "scripted" : new MockLanguageModelV4({ doGenerate: JSON.parse(turns) });
const store = await openSqliteStore({ dataDir: \`.plasm/\${process.argv[2]}\` });
const plasm = await openPlasm({ catalogs: ["catalogs"], store });
const { ask } = await import(process.argv[2] ?? "");
console.log(await ask(plasm.session(), model, "Which boats are there?"));
await plasm.close();
`;

const INSTALL_MS = 180_000;

/**
 * Installs as a stranger does. A connection that stands still is given up after half a minute: npm's own five are longer than an
 * installation may take. Now and then npm waits for ever for nothing: what takes that long is begun anew, twice.
 */
async function installed(directory: string): Promise<void> {
  const install = () =>
    ran(
      "npm",
      ["install", "--no-audit", "--no-fund", "--fetch-retries=5", "--fetch-timeout=30000"],
      directory,
      strangersEnv(),
      INSTALL_MS,
    );
  await install().catch(install).catch(install);
}

/** Packs, writes the files of a page into an empty project, and installs with npm. */
export async function strangersProject(page: URL): Promise<StrangersProject> {
  const directory = await mkdtemp(join(tmpdir(), "plasm-stranger-"));
  const write = (name: string, text: string) => writeFile(join(directory, name), text);
  const files = await pageFiles(page);
  const tarballs = await packPackages(join(directory, "tarballs"));
  await write("package.json", JSON.stringify(manifestOf(tarballs)));
  await write("raw.d.ts", MODULE_OF_TEXT);
  await write("ask.ts", ASK);
  for (const [name, text] of files) await write(name, text);
  await mkdir(join(directory, "catalogs"));
  await cp(fixtureCatalogDir("quay"), join(directory, "catalogs/quay"), { recursive: true });
  await installed(directory);
  return {
    directory,
    packages: [...tarballs.keys()],
    files: [...files.keys()],
    remove: () => rm(directory, { recursive: true, force: true }),
  };
}
