import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startSampleApis, type SampleApis } from "@plasm/sample-apis";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import {
  aiSdkTurn,
  anthropicTurn,
  openAiResponse,
  openAiTurn,
  PLAN_AND_RUN,
  scriptedModel,
} from "@plasm/testkit/models";
import { COMPILERS, compile, type Resolution } from "./compile.ts";
import { bundle, shownBy } from "./in-browser.ts";
import { ran, strangersEnv } from "./ran.ts";
import { strangersProject, type StrangersProject } from "./strangers-project.ts";

const PAGE = new URL("../../../docs/embedding.md", import.meta.url);
const README = new URL("../../../packages/agent-core/README.md", import.meta.url);

// Compilers, bundlers and browsers are other processes: limits only end what hangs, on a busy machine, too.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 900_000 });

let project: StrangersProject;
let apis: SampleApis;
beforeAll(async () => {
  project = await strangersProject(PAGE);
  const dataDir = join(project.directory, "sample-data");
  apis = await startSampleApis({ dataDir, ports: { quay: 0, yard: 0 } });
});
afterAll(async () => {
  await apis?.close();
  await project?.remove();
});

const node = (
  file: string,
  args: readonly string[] = [],
  more: Readonly<Record<string, string>> = {},
): Promise<string> => {
  const env = strangersEnv({ PLASM_BACKEND_QUAY: apis.quay.url, ...more });
  return ran(process.execPath, [file, ...args], project.directory, env);
};

const openAiEnv = (url: string) => ({ OPENAI_BASE_URL: url, OPENAI_API_KEY: "none" });

/** How clients of models are pointed to a server, and how its answers look to them. */
const MODELS = {
  openai: { write: openAiTurn, env: openAiEnv },
  "openai-responses": { write: openAiResponse, env: openAiEnv },
  anthropic: {
    write: anthropicTurn,
    env: (url: string) => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: "none" }),
  },
};

describe("packages as strangers get them", () => {
  it("are all there, none of them from the workspace", async () => {
    const lock = JSON.parse(
      await readFile(join(project.directory, "package-lock.json"), "utf8"),
    ) as { packages: Record<string, { resolved?: string }> };
    const ours = Object.entries(lock.packages).filter(([path]) => path.includes("/@plasm/"));
    expect(ours.map(([path]) => path.replace("node_modules/", "")).toSorted()).toEqual(
      project.packages.toSorted(),
    );
    for (const [, { resolved }] of ours) expect(resolved).toMatch(/^file:tarballs\/.*\.tgz$/);
  });

  it("import, each at every path that it exports", async () => {
    const imports = await Promise.all(
      project.packages.map(async (name) => {
        const manifest = JSON.parse(
          await readFile(join(project.directory, "node_modules", name, "package.json"), "utf8"),
        ) as { exports: Record<string, { types?: string } | string> };
        return Object.entries(manifest.exports)
          .filter(([, target]) => typeof target !== "string" && target.types !== undefined)
          .map(([path]) => name + path.slice(1));
      }),
    );
    const paths = imports.flat();
    expect(paths).toContain("@plasm/agent-core/openai");
    const lines = paths.map((path, n) => `import * as m${n} from "${path}";`);
    const used = `console.log([${paths.map((_, n) => `Object.keys(m${n}).length > 0`).join()}].join());`;
    await writeFile(join(project.directory, "surface.ts"), [...lines, used, ""].join("\n"));
    expect(await node("surface.ts")).toBe(`${paths.map(() => "true").join()}\n`);
  });

  const versions = Object.keys(COMPILERS) as (keyof typeof COMPILERS)[];
  const resolutions: readonly Resolution[] = ["bundler", "nodenext"];
  it.for(versions.flatMap((version) => resolutions.map((to) => [version, to] as const)))(
    "compile strictly with TypeScript %s, moduleResolution %s",
    async ([version, resolution]) => {
      expect(await compile(project.directory, version, resolution)).toBe("");
    },
  );
});

describe("the page on embedding", () => {
  it("shows an agent's loop in at most 30 lines, which the package's README has, too", async () => {
    const text = await readFile(join(project.directory, "agent.ts"), "utf8");
    expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(30);
    expect(await readFile(README, "utf8")).toContain(text);
  });

  it("whose loop prints a table, a plan and rows of the real API", async () => {
    const printed = await node("agent.ts");
    expect(printed).toMatch(/^logical_session_ref s0\n/);
    expect(printed).toContain("\nquay: Boat\n");
    expect(printed).toMatch(/^plan ok pc0 /m);
    const rows = [...printed.matchAll(/^\{ id: 'b\d+', name: '[^']+' \}$/gm)];
    expect(rows).toHaveLength(3);
  });

  it("prints the table again the next time, though the store knows the session", async () => {
    expect(await readdir(join(project.directory, ".plasm"))).toContain("plasm.db");
    expect(await node("agent.ts")).toContain("\nquay: Boat\n");
    await rm(join(project.directory, ".plasm"), { recursive: true });
  });

  it("lets a person decide by the page's function, and runs what they approved", async () => {
    const program = `
      import { memoryStore, openPlasm } from "@plasm/agent-core";
      import { runOrAsk } from "./deciding.ts";
      const policy = { apis: { quay: { approval: { operator: ["update"] } } } };
      const plasm = await openPlasm({
        catalogs: ["catalogs/quay"],
        store: memoryStore(),
        policies: { policyOf: () => policy },
      });
      const session = plasm.session();
      await session.context({ intent: "notes", seeds: [{ api: "quay", entity: "Boat" }] });
      const { signal } = new AbortController();
      for (const by of ["olga", null]) {
        const answer = await runOrAsk(
          session,
          \`Boat("b1").update(note="for \${by}")\`,
          async ({ plan }) => (console.log(plan.split("\\n")[0]), by === null ? null : { by }),
          signal,
        );
        console.log(answer?.text ?? "not run");
      }
      await plasm.close();
    `;
    await writeFile(join(project.directory, "decided.ts"), program);
    const printed = await node("decided.ts");
    expect(printed).toMatch(/^plan review pc0 [^]*\ndone update quay\.Boat b1\nplan review pc1 /);
    expect(printed).toMatch(/\nnot run\n$/);
  });

  it("runs by the page's function while a signal lets it, and says what was not started", async () => {
    const program = `
      import { memoryStore, openPlasm } from "@plasm/agent-core";
      import { runWhile } from "./following.ts";
      const plasm = await openPlasm({ catalogs: ["catalogs/quay"], store: memoryStore() });
      const session = plasm.session();
      await session.context({ intent: "notes", seeds: [{ api: "quay", entity: "Boat" }] });
      const read = await runWhile(session, "Boat.limit(2)[id]", AbortSignal.timeout(60_000));
      console.log(read?.results[0]?.rows.length);
      console.log(await runWhile(session, "Boat.limit(2)[id]", AbortSignal.abort()));
      await plasm.close();
    `;
    await writeFile(join(project.directory, "followed.ts"), program);
    const printed = await node("followed.ts");
    expect(printed).toMatch(/\n2\n[^]+\nnull\n$/);
  });

  it("sends by the page's own transport", async () => {
    const program = `
      import { memoryStore, openPlasm } from "@plasm/agent-core";
      import { told } from "./own-transport.ts";
      const plasm = await openPlasm({
        catalogs: ["catalogs/quay"],
        store: memoryStore(),
        ports: { transport: told(console.log) },
      });
      const session = plasm.session();
      await session.context({ intent: "notes", seeds: [{ api: "quay", entity: "Boat" }] });
      await session.run("Boat.limit(2)[id]");
      await plasm.close();
    `;
    await writeFile(join(project.directory, "sent.ts"), program);
    expect(await node("sent.ts")).toBe("GET /boats 200\n");
  });

  it("holds a store to the contract, as the page shows", async () => {
    const vitest = ["node_modules/vitest/vitest.mjs", "run", "own-store.test.ts"];
    const printed = await ran(process.execPath, vitest, project.directory);
    expect(printed).toMatch(/Tests\s.*\d\d passed/);
    expect(printed).not.toContain("failed");
  });

  it("runs core in a browser: a table, a plan and an error that helps", async () => {
    const site = await bundle(project.directory, "browser.ts");
    const { shown, errors } = await shownBy(site);
    expect(errors).toEqual([]);
    const [table = "", plan = "", error = "", ...more] = shown;
    expect(more).toEqual([]);
    expect(table).toContain("\nquay: e1 ");
    expect(plan).toMatch(/^plan ok pc0 /);
    expect(error).toMatch(/^error \w+ at 1:6\n/);
    expect(error).toContain("Boat{state=moored}");
  });

  it.each(Object.entries(MODELS))(
    "%s works a session by the page's function",
    async (name, form) => {
      const model = await scriptedModel(PLAN_AND_RUN, form.write);
      try {
        const env = form.env(model.url);
        expect(await node("ask.ts", [`./with-${name}.ts`], env)).toBe("b1 and b2\n");
        const told = JSON.stringify(model.asked);
        expect(told).toContain("logical_session_ref s0");
        expect(told).toContain("plan ok pc0");
        expect(told).toContain("b1");
      } finally {
        await model.close();
      }
    },
  );

  it("generateText of the AI SDK does, too", async () => {
    const turns = JSON.stringify(PLAN_AND_RUN.map(aiSdkTurn));
    expect(await node("ask.ts", ["./with-ai-sdk.ts"], { TURNS: turns })).toBe("b1 and b2\n");
  });
});
