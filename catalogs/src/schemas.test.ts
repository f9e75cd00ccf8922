import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { catalogDirectory } from "./catalog-directory.ts";
import { CATALOG_NAMES } from "./catalog-names.ts";

const ajv = new Ajv({ allErrors: true, strict: false });

const validates = (["domain", "mappings"] as const).map((file) => {
  const path = fileURLToPath(import.meta.resolve(`@plasm/core/schemas/${file}.schema.json`));
  const schema = JSON.parse(readFileSync(path, "utf8")) as Readonly<Record<string, unknown>>;
  return [file, ajv.compile(schema)] as const;
});

describe.each(CATALOG_NAMES)("%s", (name) => {
  test.each(validates)("%s.yaml is what editors are told (docs/adr/0013)", (file, validate) => {
    const text = readFileSync(join(catalogDirectory(name), `${file}.yaml`), "utf8");
    const value: unknown = parse(text, { maxAliasCount: -1 });
    validate(value);
    expect(validate.errors ?? []).toEqual([]);
  });
});
