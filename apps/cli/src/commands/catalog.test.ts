import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { runHere } from "../testing/run-here.ts";

const guide = await readFile(new URL("../../../../docs/authoring.md", import.meta.url), "utf8");

const schema = (...args: readonly string[]) =>
  runHere(["catalog", "schema", ...args], { cwd: "/" });

it.each(["domain", "mappings"])(
  "plasm catalog schema %s prints what @plasm/core ships",
  async (file) => {
    const shipped = import.meta.resolve(`@plasm/core/schemas/${file}.schema.json`);
    const { code, stdout, stderr } = await schema(file);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toBe(await readFile(fileURLToPath(shipped), "utf8"));
  },
);

it("another file is misuse, and the two are named", async () => {
  const { code, stdout, stderr } = await schema("readme");
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain("Allowed choices are domain, mappings");
});

it("the settings of docs/authoring.md give each file its own schema, as the page prints them", () => {
  const [, settings = "{}"] = /```json\n([^]*?)```/.exec(guide) ?? [];
  expect(JSON.parse(settings)).toEqual({
    "yaml.schemas": {
      "./domain.schema.json": "catalogs/*/domain.yaml",
      "./mappings.schema.json": "catalogs/*/mappings.yaml",
    },
  });
  const [, line] = /```yaml\n([^]*?)```/.exec(guide) ?? [];
  expect(line).toBe("# yaml-language-server: $schema=../domain.schema.json\n");
  expect(guide).toContain("`plasm catalog schema domain > domain.schema.json`");
});
