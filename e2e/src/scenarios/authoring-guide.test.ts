import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { pathToFileURL } from "node:url";
import type { Engine } from "@plasm/agent-core";
import {
  envSecrets,
  findCatalogs,
  openCatalogPlace,
  type Plugin,
  registerPlugins,
} from "@plasm/runtime";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { caller } from "../engine/engine-under-test.ts";
import { openEngine } from "../engine/open-engine.ts";
import { clubTools } from "../harness/club-tools.ts";
import { mergeYaml } from "../harness/merge-yaml.ts";

interface Step {
  readonly title: string;
  /** what it adds to each file */
  readonly files: ReadonlyMap<string, string>;
  readonly programs: readonly { readonly program: string; readonly answer: string | null }[];
}

const page = await readFile(new URL("../../../docs/authoring.md", import.meta.url), "utf8");

const steps: readonly Step[] = page
  .split(/^## (?=\d\.)/m)
  .slice(1)
  .map((text) => ({
    title: text.split("\n", 1)[0] ?? "",
    files: new Map(
      [...text.matchAll(/^```yaml tools\/(\S+)\n([^]*?)^```$/gm)].map(
        ([, file = "", yaml = ""]) => [file, yaml],
      ),
    ),
    programs: [...text.matchAll(/^```plasm\n([^]*?)\n```$(?:\n\n```text\n([^]*?)\n```$)?/gm)].map(
      ([, program = "", answer]) => ({ program, answer: answer ?? null }),
    ),
  }));

/** The files of the catalog after a step. */
function filesAfter(last: number): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const step of steps.slice(0, last + 1)) {
    for (const [name, yaml] of step.files) files.set(name, mergeYaml(files.get(name) ?? "", yaml));
  }
  return files;
}

const KEY = "k3y";
let root: string;
let api: Server;
let backend: string;
let plugins: ReturnType<typeof registerPlugins>;

/** The plug-in of the page, as it stands there. */
async function pluginOf(code: string): Promise<Plugin> {
  const file = join(root, "plugin.ts");
  await writeFile(file, code);
  const { tools } = (await import(pathToFileURL(file).href)) as { readonly tools: Plugin };
  return tools;
}

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "plasm-authoring-"));
  const [, code = ""] = /^```ts\n([^]*?)^```$/m.exec(page) ?? [];
  plugins = registerPlugins([await pluginOf(code)]);
});
afterAll(() => rm(root, { recursive: true }));
beforeEach(async () => {
  api = createServer(clubTools(KEY));
  await new Promise<void>((resolve) => api.listen(0, "127.0.0.1", resolve));
  backend = `http://127.0.0.1:${(api.address() as AddressInfo).port}/v2`;
});
afterEach(() => new Promise((resolve) => api.close(resolve)));

async function written(at: number): Promise<string> {
  const directory = join(root, String(at), "tools");
  await mkdir(directory, { recursive: true });
  for (const [name, text] of filesAfter(at)) await writeFile(join(directory, name), text);
  return directory;
}

async function answers(engine: Engine, program: string): Promise<string> {
  const who = caller();
  const entities = ((await engine.registryEntry(who, "tools"))["entities"] ?? []) as readonly {
    readonly entity: string;
  }[];
  const seeds = entities.map(({ entity }) => ({ api: "tools", entity }));
  await engine.context(who, { intent: "lend tools", seeds });
  const run = await engine.run(
    who,
    { kind: "ref", ref: "s0" },
    { program, force: true, wait: true },
  );
  expect(run.results[0]?.rows.length).toBeGreaterThan(0);
  return run.text.replaceAll(/^```(tsv)?\n/gm, "");
}

test("the page has its steps, with files and programs", () => {
  expect(steps.map(({ title }) => title.slice(0, 2))).toEqual([
    "1.",
    "2.",
    "3.",
    "4.",
    "5.",
    "6.",
    "7.",
    "8.",
  ]);
  const written = steps.filter(({ files }) => files.size === 2);
  expect(written).toHaveLength(5);
  for (const { title, programs } of written) expect(programs.length, title).toBeGreaterThan(0);
  expect(page.split("```yaml tools/")).toHaveLength(12);
  expect(page.split("```ts\n")).toHaveLength(2);
});

describe.each(
  steps.flatMap((step, at) => (step.files.size === 0 ? [] : [[step.title, step, at] as const])),
)("docs/authoring.md, %s", (_title, { programs }, at) => {
  test("its files are valid, in strict mode", async () => {
    const [place] = (await findCatalogs(await written(at))) ?? [];
    if (place === undefined) throw new Error("no catalog");
    const { catalog, diagnostics } = await openCatalogPlace(place, {
      strict: true,
      functions: plugins.functionNames,
    });
    expect(diagnostics).toEqual([]);
    expect(catalog?.entryId).toBe("tools");
  });

  test.each(programs)("$program", async ({ program, answer }) => {
    const engine = await openEngine({
      dataDir: await mkdtemp(join(root, "data-")),
      catalogs: [await written(at)],
      backends: new Map([["tools", backend]]),
      ports: { secrets: envSecrets({ TOOLS_KEY: KEY }), functions: plugins.functions },
    });
    try {
      expect(await answers(engine, program)).toContain(answer ?? "");
    } finally {
      await engine.close();
    }
  });
});
