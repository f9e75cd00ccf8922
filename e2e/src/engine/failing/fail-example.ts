import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Problem } from "@plasm/agent-core";
import { createHttpTransport, envSecrets, type Ports } from "@plasm/runtime";
import { fixtureCatalogDir } from "@plasm/testkit";
import { caller } from "../engine-under-test.ts";
import { openEngine } from "../open-engine.ts";
import { impatientPorts } from "../performed/impatient-ports.ts";
import { writeWharf } from "./guarded-catalog.ts";
import { startMisbehaving } from "./misbehaving-api.ts";
import type { RunErrorExample } from "./run-error-example.ts";

/** How a run failed, with what it must not tell. */
export interface Failed {
  readonly problem: Problem;
  readonly dataDir: string;
}

const SEEDS = {
  "quay and yard": [
    ...["Boat", "Person", "Visit", "Paper", "Office", "Digest", "Stats"].map((entity) => ({
      api: "quay",
      entity,
    })),
    { api: "yard", entity: "Part" },
  ],
  wharf: [{ api: "wharf", entity: "Boat" }],
} as const;

/** Back-off passes at once; only who never answers is not waited for, so that a slow machine changes nothing. */
function portsFor({ token, defect, api }: RunErrorExample): Partial<Ports> {
  const impatient = impatientPorts();
  const hangs = Object.values(api).some(({ kind }) => kind === "hang");
  const ports = hangs ? impatient : { ...impatient, transport: createHttpTransport() };
  const secrets = envSecrets(token === undefined ? {} : { WHARF_TOKEN: token });
  if (defect === undefined) return { ...ports, secrets };
  const transport = { ...ports.transport, send: () => Promise.reject(defect) };
  return { ...ports, secrets, transport };
}

/** Plans a program, runs it by its commit against an API of its own, and gives the problem it ends in. */
export async function failExample(example: RunErrorExample): Promise<Failed> {
  const dir = mkdtempSync(join(tmpdir(), "plasm-failing-"));
  const api = await startMisbehaving(example.api);
  const engine = await openEngine({
    dataDir: join(dir, "data"),
    catalogs: [fixtureCatalogDir("quay"), fixtureCatalogDir("yard"), writeWharf(dir)],
    backends: new Map(
      ["quay", "yard", "wharf"].map((entryId) => [entryId, example.backend ?? api.url]),
    ),
    policy: { budgets: example.budgets ?? {} },
    ports: portsFor(example),
  });
  try {
    const seeds = SEEDS[example.on ?? "quay and yard"];
    const { meta } = await engine.context(caller(), { intent: "fail", seeds: [...seeds] });
    const address = { kind: "ref", ref: meta["logical_session_ref"] as string } as const;
    const planned = await engine.plan(caller(), address, example.program);
    const planCommitRef = planned.meta["plan_commit_ref"] as string;
    const request = { program: example.program, planCommitRef, wait: true };
    const ended = await engine.run(caller(), address, request).then(
      ({ text }) => ({ text, problem: null }),
      (thrown: unknown) => ({ text: "", problem: engine.problemOf(thrown) }),
    );
    if (ended.problem === null) throw new Error(`it did not fail: ${ended.text}`);
    return { problem: ended.problem, dataDir: dir };
  } finally {
    await engine.close();
    await api.close();
    rmSync(dir, { recursive: true, force: true });
  }
}
