import { existsSync, globSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { root } from "../lib/workspace.mjs";
import { textOf } from "./documents.mjs";

const paths = globSync(".github/workflows/*.yml", { cwd: root }).map((p) =>
  p.replaceAll("\\", "/"),
);
const workflows = paths.map((path) => ({ path, text: textOf(path), data: parse(textOf(path)) }));
const jobsOf = ({ data }) => Object.values(data.jobs);
const stepsOf = (workflow) => jobsOf(workflow).flatMap(({ steps = [] }) => steps);
const byName = (name) => workflows.find(({ data }) => data.name === name);

it("there are the workflows of every change and of a release", () => {
  expect(new Set(workflows.map(({ data }) => data.name))).toEqual(new Set(["ci", "release"]));
});

describe.each(workflows)("$path", (workflow) => {
  it("names each action by a commit, with the version beside it", () => {
    const used = workflow.text.match(/uses: .*/g) ?? [];
    const foreign = used.filter((line) => !line.includes("uses: ./"));
    expect(foreign.length).toBeGreaterThan(0);
    for (const line of foreign) expect(line).toMatch(/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it("may do nothing but what its jobs say they need", () => {
    expect([{}, { contents: "read" }]).toContainEqual(workflow.data.permissions);
    const writes = jobsOf(workflow).map(({ permissions = {} }) =>
      Object.entries(permissions).filter(([, right]) => right === "write"),
    );
    for (const rights of writes) expect(rights.length).toBeLessThan(2);
  });

  it("keeps no credential in the checkout, and puts nothing of an event into a shell", () => {
    const checkouts = stepsOf(workflow).filter(({ uses = "" }) => uses.includes("/checkout@"));
    for (const step of checkouts) expect(step.with).toMatchObject({ "persist-credentials": false });
    for (const { run = "" } of stepsOf(workflow)) expect(run).not.toContain("${{");
  });

  it("ends what hangs", () => {
    for (const job of jobsOf(workflow)) {
      expect(job.uses ?? job["timeout-minutes"]).toBeDefined();
    }
  });

  it("runs scripts and reads files that there are", () => {
    const lines = stepsOf(workflow).flatMap(({ run = "" }) => run.split(/\s+|\(/));
    const named = lines.filter((word) => /^(?:scripts|[.]ci|packages)\//.test(word));
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});

describe("the workflow of a release", () => {
  const { jobs, on } = byName("release").data;

  it("begins with a tag of a version, and with all checks", () => {
    expect(on).toEqual({ push: { tags: ["v[0-9]+.[0-9]+.[0-9]+*"] } });
    expect(jobs.check.uses).toBe("./.github/workflows/ci.yml");
    expect(jobs.npm.needs).toBe("check");
    expect(jobs.assets.needs).toBe("npm");
  });

  it("publishes with provenance, known to npm by its identity alone", () => {
    expect(jobs.npm.permissions).toEqual({ contents: "read", "id-token": "write" });
    const runs = jobs.npm.steps.flatMap(({ run }) => (run === undefined ? [] : [run]));
    const publish = runs.filter((run) => run.startsWith("pnpm publish "));
    expect(publish).toHaveLength(1);
    expect(publish[0]).toContain("--provenance");
    expect(JSON.stringify(jobs)).not.toMatch(/secrets\.|_TOKEN: \$\{\{ secrets/);
  });

  it("says in each package where it was built, before it builds and publishes", () => {
    const runs = jobs.npm.steps.map(({ run = "" }) => run);
    const order = ["scripts/release/prepare.mjs", "scripts/build.mjs", "pnpm publish"];
    const places = order.map((part) => runs.findIndex((run) => run.includes(part)));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places[0]).toBeGreaterThan(0);
  });
});

it("the same Node runs here and there", () => {
  const { config } = JSON.parse(textOf("package.json"));
  expect(byName("ci").data.jobs.all.container).toBe(`node:${config.node}-bookworm`);
  const [setup] = stepsOf(byName("release")).filter(({ uses = "" }) =>
    uses.includes("/setup-node@"),
  );
  expect(setup.with["node-version"]).toBe(config.node);
});

describe("the forms of issues", () => {
  const forms = globSync(".github/ISSUE_TEMPLATE/*.yml", { cwd: root })
    .filter((path) => !path.endsWith("config.yml"))
    .map((path) => ({ path, form: parse(textOf(path)) }));

  it.each(forms)("$path asks for something, each by a name of its own", ({ form }) => {
    expect(form).toMatchObject({ name: expect.any(String), description: expect.any(String) });
    const asked = form.body.filter(({ type }) => type !== "markdown");
    expect(asked.some(({ validations }) => validations?.required === true)).toBe(true);
    expect(new Set(asked.map(({ id }) => id)).size).toBe(asked.length);
    for (const { attributes } of asked) expect(attributes.label).toEqual(expect.any(String));
  });

  it("are those that the page on support names", () => {
    const support = textOf("SUPPORT.md");
    expect(forms.length).toBe(2);
    for (const { form } of forms) expect(support).toContain(`*${form.name}*`);
  });
});
