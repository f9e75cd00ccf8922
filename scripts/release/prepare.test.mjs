import { expect, it } from "vitest";
import { mcpNameOf, serverDocument, tagFault, withRepository } from "./prepare.mjs";

it("a tag is the version that all packages have", () => {
  expect(tagFault("v0.1.0", ["0.1.0", "0.1.0"])).toBeNull();
});

it.each([
  ["v0.2.0", ["0.1.0", "0.1.0"], /the tag is v0[.]2[.]0, and the packages have 0[.]1[.]0/],
  ["0.1.0", ["0.1.0"], /the tag is 0[.]1[.]0/],
  ["v0.1.0", ["0.1.0", "0.2.0"], /different versions: 0[.]1[.]0, 0[.]2[.]0/],
  ["v0.0.0", ["0.0.0"], /changeset version/],
])("%s is no tag for packages of %j", (tag, versions, fault) => {
  expect(tagFault(tag, versions)).toMatch(fault);
});

it("a manifest names where it was built, as npm compares it with the provenance", () => {
  const manifest = { name: "@plasm/core", version: "0.1.0" };
  expect(withRepository(manifest, "https://example.org/a/b", "packages/core")).toEqual({
    ...manifest,
    repository: {
      type: "git",
      url: "git+https://example.org/a/b.git",
      directory: "packages/core",
    },
  });
});

it.each([
  ["https://github.com/Plasm/plasm", "io.github.plasm/plasm"],
  ["https://git.example.org/a/b", "org.example.git.a/b"],
])("%s is %s in the registry of MCP servers", (address, name) => {
  expect(mcpNameOf(address)).toBe(name);
});

it("the registry of MCP servers is told what the package says", () => {
  const manifest = { name: "@plasm/cli", version: "0.1.0", mcpName: "io.github.a/b" };
  const listed = serverDocument(manifest, "https://github.com/a/b");
  expect(listed).toMatchObject({
    name: "io.github.a/b",
    version: "0.1.0",
    packages: [{ identifier: "@plasm/cli", version: "0.1.0", transport: { type: "stdio" } }],
  });
  expect(listed.description.length).toBeLessThanOrEqual(100);
});
