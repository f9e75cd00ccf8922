import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { catalogDirectory } from "@plasm/catalogs";
import { expect, test } from "vitest";
import { openCatalogEngine } from "../catalog-engine.ts";
import { useStarted } from "../endings.ts";
import { startEmptyRegistry } from "./start-docker-registry.ts";

/** The password `harbour`, as htpasswd stores it. */
const ANN = "ann:$2b$05$D4.Fhim309g3Z7OATTTfj.sMcyAh8RQrLdpWU7rPElXryXnA0VOz2\n";

const basic = (password: string): string => Buffer.from(`ann:${password}`).toString("base64");

const running = useStarted(async (endings) => {
  const dir = await endings.directory("basic");
  const path = join(dir, "htpasswd");
  await writeFile(path, ANN);
  const { url } = await startEmptyRegistry(endings, {
    auth: { htpasswd: { realm: "test", path } },
  });
  // The copy that the README describes, in its words.
  const directory = join(dir, "docker-registry");
  await cp(catalogDirectory("docker-registry"), directory, { recursive: true });
  const readme = await readFile(join(directory, "README.md"), "utf8");
  const [, line] = /`(auth: \{ scheme: api_key_header[^`]*)`/.exec(readme) ?? [];
  const domain = await readFile(join(directory, "domain.yaml"), "utf8");
  await writeFile(join(directory, "domain.yaml"), domain.replace(/^auth:.*$/m, line ?? ""));
  return async (env: Readonly<Record<string, string>>) => {
    const data = await endings.directory("plasm");
    const plasm = await openCatalogEngine("docker-registry", url, data, { directory, env });
    endings.add(() => plasm.close());
    return plasm.run("Repository");
  };
});

test.each<[string, Readonly<Record<string, string>>, RegExp]>([
  ["no password", {}, /auth_missing[^]*DOCKER_REGISTRY_BASIC/],
  [
    "a wrong password",
    { DOCKER_REGISTRY_BASIC: basic("quay") },
    /auth_refused[^]*authentication required/,
  ],
])("%s is refused", async (_, env, words) => {
  await expect(running()(env)).rejects.toThrow(words);
});

test("the right password is let in", async () => {
  const { results } = await running()({ DOCKER_REGISTRY_BASIC: basic("harbour") });
  expect(results).toEqual([[]]);
});
