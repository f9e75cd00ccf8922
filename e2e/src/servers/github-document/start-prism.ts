import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { type ServerProcess, startServerProcess } from "../server-process.ts";
import type { OfficialDocument } from "./official-document.ts";

const require = createRequire(import.meta.url);
/** A path of the document that every caller may ask for: Prism is there when it answers. */
export const PROBE = "/zen";

const PRISM = join(dirname(require.resolve("@stoplight/prism-cli/package.json")), "dist/index.js");

/**
 * Takes the schemas of answers away where the document has an example: Prism would check its own answers
 * by them, which takes seconds for some operations, and many examples are not as their schemas say.
 */
function forgetAnswerSchemas(document: OfficialDocument): OfficialDocument {
  const copy = structuredClone(document);
  const operations = Object.values(copy.paths).flatMap((methods) => Object.values(methods));
  const answers = operations.flatMap(({ responses }) => Object.values(responses ?? {}));
  const contents = answers.flatMap((answer) =>
    Object.values((answer as { content?: Record<string, Record<string, unknown>> }).content ?? {}),
  );
  for (const content of contents) if ("examples" in content) delete content["schema"];
  return copy;
}

/**
 * A parameter that is a number or a text: every number is written as a text, so that it is both, and Prism
 * takes `oneOf` at its word.
 */
function allowBoth(document: OfficialDocument): OfficialDocument {
  for (const parameter of Object.values(document.components["parameters"] ?? {})) {
    const schema = parameter["schema"] as Record<string, unknown> | undefined;
    if (schema?.["oneOf"] === undefined) continue;
    schema["anyOf"] = schema["oneOf"];
    delete schema["oneOf"];
  }
  return document;
}

/**
 * Starts Prism as a process of its own: it answers with the document's examples, and with 422 to a request
 * that the document does not allow. `dataDir` takes the document, whose `probe` anybody may ask for.
 */
export async function startPrism(
  document: OfficialDocument,
  dataDir: string,
  probe: string = PROBE,
): Promise<ServerProcess> {
  const file = join(dataDir, "api.github.com.json");
  await writeFile(file, JSON.stringify(allowBoth(forgetAnswerSchemas(document))));
  return startServerProcess({
    name: "Prism",
    command: process.execPath,
    args: [PRISM, "mock", "--host", "127.0.0.1", "--port", "0", file],
    cwd: dataDir,
    env: { PATH: process.env["PATH"] ?? "", HOME: dataDir, SCARF_ANALYTICS: "false" },
    address: (output) => /listening on (http:\/\/127\.0\.0\.1:\d+)$/m.exec(output)?.[1],
    probe,
  });
}
