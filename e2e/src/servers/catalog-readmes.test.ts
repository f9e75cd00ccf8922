import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CATALOG_NAMES, catalogDirectory } from "@plasm/catalogs";
import { describe, expect, test } from "vitest";
import { openCatalogEngine } from "./catalog-engine.ts";
import { useStarted } from "./endings.ts";

/** A paragraph of indented lines is a program. */
const PROGRAMS = /(?:^ {4}.+\n)+/gm;

/** The programs that a README shows under Asking and Changing. */
function programsOf(readme: string): readonly string[] {
  const sections = readme.split(/^## /m).filter((section) => /^(Asking|Changing)\n/.test(section));
  return sections
    .flatMap((section) => section.match(PROGRAMS) ?? [])
    .map((program) => program.replaceAll(/^ {4}/gm, "").trimEnd());
}

describe.each(CATALOG_NAMES)("programs of the README of %s are plans (LANG-003)", (name) => {
  const programs = programsOf(readFileSync(join(catalogDirectory(name), "README.md"), "utf8"));
  const engine = useStarted(async (endings) => {
    const data = await endings.directory("readme");
    const opened = await openCatalogEngine(name, "http://127.0.0.1:9", data);
    endings.add(() => opened.close());
    return opened;
  });

  test("there are some", () => {
    expect(programs.length).toBeGreaterThan(1);
  });

  test.each(programs)("%s", async (program) => {
    await expect(engine().plan(program)).resolves.toBeUndefined();
  });
});
