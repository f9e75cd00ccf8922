import { readFileSync } from "node:fs";
import {
  type Catalog,
  compileProgram,
  CURRENT_FEATURES,
  type Exposure,
  foldWaves,
  formatErrors,
  openCatalog,
} from "@plasm/core";
import {
  fixtureCatalogDir,
  type ModelProgram,
  modelPrograms,
  type ModelSession,
} from "@plasm/testkit";
import { describe, expect, test } from "vitest";

const published = (entryId: string) =>
  opened(entryId, new URL(`../../../catalogs/${entryId}/`, import.meta.url).pathname);

function opened(entryId: string, dir: string): Catalog {
  const file = (name: string) => ({ file: name, text: readFileSync(`${dir}/${name}`, "utf8") });
  const files = { domain: file("domain.yaml"), mappings: file("mappings.yaml") };
  const { catalog } = openCatalog({ entryId, ...files });
  if (catalog === null) throw new Error(`${entryId} does not load`);
  return catalog;
}

/** A session of catalogs, whole or some entities of them, as in the table that the models saw. */
function sessionOf(
  catalogs: readonly Catalog[],
  some?: readonly string[],
): Omit<Exposure, "notation"> {
  const set = new Map(catalogs.map((catalog) => [catalog.entryId, catalog]));
  const log = catalogs.map(({ entryId, digest, cgs }) => {
    const taught = [...cgs.entities.values()].filter(({ abstract }) => !abstract);
    return { entryId, digest, entities: some ?? taught.map(({ name }) => name).toSorted() };
  });
  return { catalogs: set, log, symbols: foldWaves(log, set), policy: {} };
}

/** What a session about the work on a repository exposes. */
const workOnGithub = [
  "Branch",
  "Comment",
  "Commit",
  "Issue",
  "Label",
  "Milestone",
  "PullRequest",
  "Release",
  "Repository",
  "Review",
  "User",
  "Workflow",
  "WorkflowRun",
];

const sessions: Readonly<Record<ModelSession, Omit<Exposure, "notation">>> = {
  github: sessionOf([published("github")], workOnGithub),
  "quay-yard": sessionOf([
    opened("quay", fixtureCatalogDir("quay")),
    opened("yard", fixtureCatalogDir("yard")),
  ]),
  redmine: sessionOf([published("redmine")]),
};

interface Outcome {
  /** it plans as it was written */
  readonly first: boolean;
  /** it plans at last, suggestions taken */
  readonly last: boolean;
  readonly errors: string;
}

function outcomeOf({ session, notation, program }: ModelProgram): Outcome {
  const exposure = { ...sessions[session], notation };
  const compile = (text: string) => compileProgram(text, exposure, { features: CURRENT_FEATURES });
  let result = compile(program);
  const errors = result.kind === "errors" ? formatErrors(result) : "";
  for (let step = 0; result.kind === "errors" && step < 10; step++) {
    const next = result.errors.find(({ suggestedProgram }) => suggestedProgram !== null);
    if (next === undefined) break;
    result = compile(next.suggestedProgram ?? "");
  }
  return { first: errors === "", last: result.kind !== "errors", errors };
}

const programs = modelPrograms();
const judged = programs.map((one) => ({ ...one, ...outcomeOf(one) }));

/** The share of programs that plan and mean what their task asks. */
const share = (all: typeof judged, plans: "first" | "last"): number =>
  all.filter((one) => one[plans] && one.wrong === null).length / all.length;

describe("programs that language models wrote at their first try", () => {
  test("there are 180 of them, half in each notation", () => {
    expect(programs).toHaveLength(180);
    expect(programs.filter(({ notation }) => notation === "symbols")).toHaveLength(90);
  });

  test.each(judged)("$session $notation $id: $task", ({ last, errors }) => {
    expect(last, errors).toBe(true);
  });

  test.each(["symbols", "names"] as const)(
    "in %s, 92 % are right at first, 98 % at last",
    (notation) => {
      const own = judged.filter((one) => one.notation === notation);
      const percent = (part: number) => `${(100 * part).toFixed(1)} %`;
      const [first, last] = [share(own, "first"), share(own, "last")];
      console.log(
        `${notation}: ${percent(first)} right at first, ${percent(last)} after suggestions`,
      );
      expect(first).toBeGreaterThanOrEqual(0.92);
      expect(last).toBeGreaterThanOrEqual(0.98);
    },
  );
});
