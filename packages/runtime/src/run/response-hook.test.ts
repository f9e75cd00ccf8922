import { createHash } from "node:crypto";
import { startServer, type TestServer } from "@plasm/testkit/servers";
import type { ArtifactStore } from "../ports.ts";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { catalogOf, run, type Setting } from "../testing/fixture-run.ts";
import { planProgram } from "../testing/run-program.ts";

const DOMAIN = `
version: 1
http_backend: http://127.0.0.1:1
values: { text: { type: string, string_semantics: short }, file: { type: blob } }
entities:
  Photo:
    id_field: id
    implicit_request_identity: true
    fields: { id: { value_ref: text }, file: { value_ref: file, path: [] } }
capabilities:
  photo_get: { kind: get, entity: Photo }
  photo_print: { kind: action, entity: Photo, output: { type: custom, schema: { any: true } } }
  photo_send: { kind: action, entity: Photo, parameters: [{ name: file, value_ref: file, required: true }], output: { type: side_effect, description: it is sent } }
`;

const at = (rest = ""): string =>
  `[{ type: literal, value: photos }, { type: var, name: id }${rest}]`;

const MAPPINGS = `
photo_get: { method: GET, path: ${at()}, response: single }
photo_print: { method: POST, path: ${at(", { type: literal, value: print }")}, response: single }
photo_send:
  method: POST
  path: ${at(", { type: literal, value: send }")}
  body_format: multipart
  multipart: { parts: [{ name: photo, file_name: { type: const, value: a.png }, content: { type: var, name: file } }] }
`;

const photos = catalogOf("photos", DOMAIN, MAPPINGS);
const bytesOf = (size: number): Uint8Array => Buffer.alloc(size, 7);

let server: TestServer;
const kept = new Map<string, { readonly bytes: Uint8Array; readonly mimeType: string }>();

const artifacts: ArtifactStore = {
  put: async (bytes, mimeType) => {
    const uri = `plasm://session/s0/a/${createHash("sha256").update(bytes).digest("hex")}`;
    kept.set(uri, { bytes, mimeType });
    return uri;
  },
  get: async (uri) => kept.get(uri)?.bytes ?? null,
};

beforeAll(async () => {
  server = await startServer(({ path }) => {
    const [, , id = ""] = path.split("/");
    if (path.endsWith("/send")) return { status: 204, text: "" };
    const headers = { "content-type": "image/png" };
    return { bytes: bytesOf(id === "large" ? 65_537 : 65_536), headers };
  });
});
afterEach(() => {
  server.log.splice(0);
  kept.clear();
});
afterAll(() => server.close());

async function result(program: string, more: Partial<Setting> = { artifacts }) {
  const setting: Setting = { catalogs: [photos], backends: { photos: server.url }, ...more };
  const { nodes, returns } = planProgram(program, setting.catalogs);
  const outcome = await run(setting, nodes, returns);
  const error = outcome.nodes.find((each) => each.error !== null)?.error ?? null;
  return { values: outcome.results[0]?.rows[0]?.values, error };
}

describe("RUN-038: a body that is a file", () => {
  test("up to 64 KiB stands in its row", async () => {
    const { values } = await result('Photo("small")[file]');
    const file = {
      mime_type: "image/png",
      bytes_base64: Buffer.from(bytesOf(65_536)).toString("base64"),
    };
    expect(values).toEqual({ file: { __plasm_attachment: file } });
    expect(kept.size).toBe(0);
  });

  test("larger, its bytes go to the session and only the URI shows", async () => {
    const { values } = await result('Photo("large")[file]');
    const [[uri, file] = []] = [...kept];
    expect(values).toEqual({ file: { __plasm_attachment: { mime_type: "image/png", uri } } });
    expect([file?.bytes.length, file?.mimeType]).toEqual([65_537, "image/png"]);
  });

  test("the answer of an effect, too", async () => {
    const { values } = await result('Photo("large").print()');
    const [uri] = kept.keys();
    expect(values).toEqual({ __plasm_attachment: { mime_type: "image/png", uri } });
  });

  test("without a place to put it, it stays", async () => {
    const { values } = await result('Photo("large")[file]', {});
    expect(JSON.stringify(values).length).toBeGreaterThan(65_537);
  });
});

describe("MAP-016: a file of the session is sent by its URI", () => {
  test("its bytes, from the row that holds it", async () => {
    await result('p = Photo("large")[id, file]\nPhoto("x").send(file=p.file)');
    const sent = server.log.at(-1);
    expect(sent?.path).toBe("/photos/x/send");
    expect(sent?.body).toContain('name="photo"; filename="a.png"');
    expect(sent?.body).toContain("\u0007".repeat(65_537));
  });

  test.each(["plasm://session/s1/a/00", "https://example.com/x.png", "file:///etc/passwd"])(
    "%s is refused before anything is sent",
    async (uri) => {
      const { error } = await result(
        `Photo("x").send(file={__plasm_attachment: {uri: "${uri}", mime_type: "image/png"}})`,
      );
      expect(error).toMatchObject({ code: "argument_invalid" });
      expect(error?.message).toContain("no file of this session");
      expect(server.log).toEqual([]);
    },
  );
});
