import { existsSync, readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { runHere } from "../testing/run-here.ts";
import { cleanUp, temporaryDirectory } from "../testing/spawn-plasm.ts";

afterEach(cleanUp);

const CATALOGS = join(import.meta.dirname, "../../../../catalogs");
const generated = readdirSync(CATALOGS).filter((name) =>
  existsSync(join(CATALOGS, name, "overlay.yaml")),
);

describe("published catalogs that are a document and an overlay (ADR 0141)", () => {
  it.each(generated)("%s is what catalog init makes of both", async (name) => {
    const cwd = await temporaryDirectory();
    const directory = join(CATALOGS, name);
    const document = join(directory, "openapi.yaml");
    const overlay = join(directory, "overlay.yaml");
    const args = ["catalog", "init", name, "--api", document, "--overlay", overlay];
    const { code, stderr } = await runHere(args, { cwd });
    expect([code, stderr]).toEqual([0, ""]);
    for (const file of ["domain.yaml", "mappings.yaml"]) {
      const made = await readFile(join(cwd, name, file), "utf8");
      await expect(made).toMatchFileSnapshot(join(directory, file));
    }
  });
});
