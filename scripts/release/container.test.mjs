import { globSync } from "node:fs";
import { expect, it } from "vitest";
import { root } from "../lib/workspace.mjs";
import { textOf, words } from "./documents.mjs";
import { optionsOf } from "./serve-options.mjs";

/** The instructions of the Dockerfile in order, each line continued by a backslash joined to it. */
const instructions = textOf("Dockerfile")
  .replaceAll(/^#.*\n/gm, "")
  .replaceAll(/\\\n\s*/g, " ")
  .split("\n")
  .filter((line) => line.trim() !== "")
  .map((line) => /^(\w+) +(.*)$/.exec(line) ?? [])
  .map(([, name, rest]) => ({ name, rest: rest.replaceAll(/ +/g, " ") }));

const at = instructions.findLastIndex(({ name }) => name === "FROM");
const [build, final] = [instructions.slice(0, at), instructions.slice(at)];
const rests = (stage, wanted) =>
  stage.filter(({ name }) => name === wanted).map(({ rest }) => rest);

/** The sources of the final stage's COPY lines, without their options. */
const copied = rests(final, "COPY").flatMap((rest) =>
  rest
    .split(" ")
    .filter((word) => !word.startsWith("--"))
    .slice(0, -1),
);

/** What .dockerignore lets through, at the top. */
const allowed = textOf(".dockerignore")
  .split("\n")
  .filter((line) => line.startsWith("!"))
  .map((line) => line.slice(1));

it("the image is built from one base, which a digest can stand for", () => {
  expect(rests(instructions, "FROM")).toEqual(["${NODE_IMAGE} AS build", "${NODE_IMAGE}"]);
  const { config } = JSON.parse(textOf("package.json"));
  expect(rests(build, "ARG")).toEqual([`NODE_IMAGE=node:${config.node}-bookworm-slim`]);
});

it("the build runs the package manager of this repository, and reads what .dockerignore lets through", () => {
  const run = rests(build, "RUN").join(" && ");
  const { packageManager } = JSON.parse(textOf("package.json"));
  expect(run).toContain(`npx --yes ${packageManager} install --frozen-lockfile`);
  for (const path of allowed) expect(globSync(path, { cwd: root })).toEqual([path]);
  for (const file of ["LICENSE", "NOTICE"]) {
    expect(run).toContain(` ${file} `);
    expect(allowed).toContain(file);
  }
  expect(run).toContain("node apps/cli/bundle.mjs");
  expect(globSync("apps/cli/bundle.mjs", { cwd: root })).toHaveLength(1);
  expect(globSync("catalogs/*/{domain,mappings}.yaml", { cwd: root }).length).toBeGreaterThan(2);
  // pnpm installs by the manifests of the whole workspace.
  const manifests = globSync("{packages,apps,plugins,tooling}/*/package.json", { cwd: root });
  const tops = manifests.map((path) => path.split(/[\\/]/)[0]);
  expect(allowed).toEqual(expect.arrayContaining([...new Set(tops), "e2e/package.json"]));
});

it("what the image copies is what its build makes, from there alone", () => {
  const run = rests(build, "RUN").join(" && ");
  for (const path of copied) {
    const [name] = path.split("/").slice(-1);
    expect(path).toMatch(/^\/made\//);
    expect(run).toMatch(new RegExp(`(?:${name} |/made/${name}\\b)`));
  }
  expect(rests(final, "COPY").every((rest) => rest.startsWith("--from=build "))).toBe(true);
  expect(rests(final, "RUN")).toEqual([]);
  expect(rests(final, "ADD")).toEqual([]);
});

it("the image is nobody's root, keeps state in one place and its key in another, and tells its health", () => {
  const order = final.map(({ name }) => name);
  expect(rests(final, "USER")).toEqual(["node"]);
  expect(order.indexOf("USER")).toBeGreaterThan(order.lastIndexOf("COPY"));
  expect(order.indexOf("USER")).toBeLessThan(order.indexOf("ENTRYPOINT"));
  expect(rests(final, "VOLUME")).toEqual(['["/data"]']);
  expect(rests(final, "ENV").join(" ")).toMatch(
    /PLASM_DATA=\/data PLASM_SECRETS_KEY_FILE=\/key\/\S+ XDG_CACHE_HOME=\/data\//,
  );
  const [health] = rests(final, "HEALTHCHECK");
  const [, program] = /CMD (\[.*\])$/.exec(health) ?? [];
  expect(JSON.parse(program).slice(0, 2)).toEqual(["node", "-e"]);
  expect(program).toContain("127.0.0.1:3000/v1/health");
});

it("the command of the image is one that plasm serve knows, on the port that is exposed and asked for its health", () => {
  const [entry] = rests(final, "ENTRYPOINT").map((rest) => JSON.parse(rest));
  const [command] = rests(final, "CMD").map((rest) => JSON.parse(rest));
  expect(entry).toEqual(["node", "/plasm/plasm.mjs"]);
  expect(command[0]).toBe("serve");
  const known = optionsOf("serve");
  for (const word of words(command).filter((one) => one.startsWith("--"))) {
    expect(known).toContain(word);
  }
  expect(command.slice(command.indexOf("--port"))[1]).toBe("3000");
  expect(command.slice(command.indexOf("--auth"))[1]).toBe("required");
  expect(rests(final, "EXPOSE")).toEqual(["3000"]);
});
