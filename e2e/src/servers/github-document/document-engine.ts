import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Problem, RunAnswer } from "@plasm/agent-core";
import type { Catalog } from "@plasm/core";
import { envSecrets } from "@plasm/runtime";
import { caller } from "../../engine/engine-under-test.ts";
import { openEngine } from "../../engine/open-engine.ts";
import { askedKeys } from "./asked-keys.ts";
import type { CorrectedDocument } from "./official-document.ts";
import { partOfDocument } from "./part-of-document.ts";
import { recordingTransport, type Witnessed } from "./recording-transport.ts";
import { PROBE, startPrism } from "./start-prism.ts";

/** What became of a program: its answer, or the problem it ended in, and what was sent for it. */
export interface Ran {
  readonly answer: RunAnswer | null;
  readonly problem: Problem | null;
  readonly sent: readonly Witnessed[];
}

/** An engine whose GitHub is Prism with GitHub's own document. */
export interface DocumentEngine {
  /** where Prism listens */
  readonly url: string;
  /** Opens a session over all entities of a catalog as it is known by `entryId` and gives what runs programs in it. */
  session(entryId: string, catalog: Catalog): Promise<(program: string) => Promise<Ran>>;
  close(): Promise<void>;
}

export interface DocumentCalls {
  /** the catalog as it is shipped */
  readonly catalog: Catalog;
  /** those of the catalogs, each of which calls GitHub */
  readonly directories: ReadonlyMap<string, string>;
  /** those of the document that they call: Prism takes 27 s of a processor to read all of it */
  readonly paths: readonly string[];
}

/** Starts both. */
export async function openDocumentEngine(
  { document }: CorrectedDocument,
  { catalog, directories, paths }: DocumentCalls,
): Promise<DocumentEngine> {
  const dir = await mkdtemp(join(tmpdir(), "github-document-"));
  const prism = await startPrism(partOfDocument(document, [PROBE, ...paths]), dir);
  const transport = recordingTransport(document, askedKeys(catalog));
  const engine = await openEngine({
    dataDir: join(dir, "data"),
    catalogs: [...directories.values()],
    backends: new Map([...directories.keys()].map((entryId) => [entryId, prism.url])),
    ports: { transport, secrets: envSecrets({ GITHUB_TOKEN: "sesame" }) },
  });
  return {
    url: prism.url,
    session: async (entryId, { cgs }) => {
      const entities = [...cgs.entities.values()].filter(({ abstract }) => !abstract);
      const seeds = entities.map(({ name }) => ({ api: entryId, entity: name }));
      const { meta } = await engine.context(caller(), { intent: entryId, seeds });
      const address = { kind: "ref", ref: meta["logical_session_ref"] as string } as const;
      return async (program) => {
        transport.forget();
        const told = await engine
          .plan(caller(), address, program)
          .then(async (plan) => {
            if (transport.witnessed.length > 0) throw new Error("a dry run sent requests");
            const planCommitRef = plan.meta["plan_commit_ref"];
            return engine.run(caller(), address, { program, planCommitRef, wait: true });
          })
          .then(
            (answer) => ({ answer, problem: null }),
            (thrown: unknown) => ({ answer: null, problem: engine.problemOf(thrown) }),
          );
        return { ...told, sent: [...transport.witnessed] };
      };
    },
    close: async () => {
      await engine.close();
      await prism.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
