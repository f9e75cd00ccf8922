import { join } from "node:path";
import type { JsonObject } from "@plasm/core";
import openapiTS, { astToString, type OpenAPI3 } from "openapi-typescript";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { ROUTES } from "../routes/all-routes.ts";
import { openApiDocument } from "./openapi.ts";

const client = `
import type { components, paths } from "./generated-schema.ts";
type Discover = paths["/v1/discover"]["post"];
type Body = Discover["requestBody"]["content"]["application/json"];
type Found = Discover["responses"][200]["content"]["application/json"];
export const asked: Body = { intent: "boats" };
export const first = (found: Found): string | undefined => found.options[0]?.entity;
export const codeOf = (problem: components["schemas"]["Problem"]): string => problem.code;
`;

/** What the compiler says of a client on the types of the document, by line. */
function faultsOf(files: ReadonlyMap<string, string>): readonly string[] {
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    allowImportingTsExtensions: true,
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const { readFile, fileExists } = host;
  host.readFile = (path) => files.get(path) ?? readFile(path);
  host.fileExists = (path) => files.has(path) || fileExists(path);
  host.getSourceFile = (path, version) => {
    const text = host.readFile(path);
    return text === undefined ? undefined : ts.createSourceFile(path, text, version);
  };
  const program = ts.createProgram([...files.keys()], options, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, " "));
}

describe("a TypeScript client made of the document (SURF-16)", () => {
  it("compiles, and a request that the server would refuse does not", async () => {
    const document = openApiDocument(ROUTES) satisfies JsonObject;
    const schema = astToString(await openapiTS(document as unknown as OpenAPI3));
    const at = (name: string): string => join(import.meta.dirname, name);
    const filesWith = (code: string) =>
      new Map([
        [at("generated-schema.ts"), schema],
        [at("generated-client.ts"), code],
      ]);
    expect(faultsOf(filesWith(client))).toEqual([]);
    const wrong = client.replace('intent: "boats"', "intent: 7");
    expect(faultsOf(filesWith(wrong)).join()).toContain("'number' is not assignable");
  });
});
