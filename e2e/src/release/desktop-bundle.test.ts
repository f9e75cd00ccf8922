import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { startSampleApis } from "@plasm/sample-apis";
import { quayDocument } from "@plasm/sample-apis/quay-document";
import { unzipSync } from "fflate";
import { afterAll, beforeAll, expect, test } from "vitest";

const SCRIPT = fileURLToPath(
  new URL("../../../scripts/release/desktop-bundle.mjs", import.meta.url),
);

interface Manifest {
  readonly server: {
    readonly entry_point: string;
    readonly mcp_config: { readonly command: string; readonly args: readonly string[] };
  };
  readonly user_config: Readonly<Record<string, { readonly required: boolean }>>;
}

let [home, apis]: [string, Awaited<ReturnType<typeof startSampleApis>>] = [] as never;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "plasm-bundle-"));
  apis = await startSampleApis({ dataDir: join(home, "apis"), ports: { quay: 0, yard: 0 } });
});
afterAll(async () => {
  await apis.close();
  await rm(home, { recursive: true, force: true });
});

test("the bundle for desktop clients, unpacked and started as its manifest says, serves the API that its person named", async () => {
  const file = join(home, "plasm.mcpb");
  await promisify(execFile)(process.execPath, [SCRIPT, file]);
  const at = join(home, "unpacked");
  for (const [name, bytes] of Object.entries(unzipSync(await readFile(file)))) {
    await mkdir(dirname(join(at, name)), { recursive: true });
    await writeFile(join(at, name), bytes);
  }
  const manifest = JSON.parse(await readFile(join(at, "manifest.json"), "utf8")) as Manifest;
  expect(Object.keys(manifest.user_config)).toEqual(["api"]);
  const document = join(home, "quay.json");
  await writeFile(
    document,
    JSON.stringify({ ...quayDocument(), servers: [{ url: apis.quay.url }] }),
  );
  const filled = manifest.server.mcp_config.args.map((text) =>
    text.replace("${__dirname}", at).replace("${user_config.api}", document),
  );
  expect(filled[0]).toBe(join(at, manifest.server.entry_point));
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: filled,
    env: { PATH: process.env["PATH"] ?? "", HOME: home, PLASM_DATA: join(home, "data") },
    stderr: "pipe",
  });
  const client = new Client({ name: "desktop", version: "1" });
  await client.connect(transport);
  const opened = await client.callTool({
    name: "plasm_context",
    arguments: { intent: "which boats there are", seeds: [{ api: "quay" }], notation: "names" },
  });
  expect(JSON.stringify(opened.content)).toContain("Boat");
  const { logical_session_ref: ref } = (
    opened._meta as { readonly plasm: { readonly logical_session_ref: string } }
  ).plasm;
  const ran = await client.callTool({
    name: "plasm_run",
    arguments: { logical_session_ref: ref, program: "Boat.limit(2)[id]" },
  });
  expect(JSON.stringify(ran.content)).toContain("2 rows");
  await client.close();
});
