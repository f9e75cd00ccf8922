import { createHash } from "node:crypto";
import { startServer, type TestServer } from "@plasm/testkit/servers";
import { createHttpTransport } from "../transport/http-transport.ts";
import type { ArtifactStore, StoredFile, Transport } from "../ports.ts";
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

const LARGE_FILE = {
  mime_type: "image/png",
  size: 65_537,
  sha256: createHash("sha256").update(Buffer.alloc(65_537, 7)).digest("hex"),
};
const NAMED = `attachment; filename="no.png"; filename*=UTF-8''..%2Fein%20Bild.png`;

let server: TestServer;
const kept = new Map<string, { readonly bytes: Uint8Array; readonly mimeType: string }>();

async function* pieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 50_000) yield bytes.subarray(at, at + 50_000);
}

const storedAt = (uri: string): StoredFile | null => {
  const found = kept.get(uri);
  if (found === undefined) return null;
  const { bytes, mimeType } = found;
  const sha256 = uri.slice(-64);
  return { uri, sha256, size: bytes.length, mimeType, open: () => pieces(bytes) };
};

const artifacts: ArtifactStore = {
  put: async (content, mimeType) => {
    const read: Uint8Array[] = [];
    for await (const piece of content) read.push(piece);
    const bytes = Buffer.concat(read);
    const uri = `plasm://session/s0/a/${createHash("sha256").update(bytes).digest("hex")}`;
    kept.set(uri, { bytes, mimeType });
    const file = storedAt(uri);
    if (file === null) throw new Error("it was kept a moment ago");
    return file;
  },
  open: async (uri) => storedAt(uri),
};

/** A transport as one was written before any streamed. */
const { send, close } = createHttpTransport();
const unstreamed: Transport = { send: ({ file: _file, ...rest }) => send(rest), close };

beforeAll(async () => {
  server = await startServer(({ path }) => {
    const [, , id = ""] = path.split("/");
    if (path.endsWith("/send")) return { status: 204, text: "" };
    const headers = {
      "content-type": "image/png",
      ...(id === "named" ? { "content-disposition": NAMED } : {}),
    };
    return { bytes: bytesOf(id === "small" || id === "x" ? 65_536 : 65_537), headers };
  });
});
afterEach(() => {
  server.log.splice(0);
  kept.clear();
});
afterAll(() => Promise.all([server.close(), close()]));

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

  test.each([
    ["as they come", {}],
    ["of a transport that gives it whole", { transport: unstreamed }],
  ])("larger, its bytes go to the session and only what it is shows: %s", async (_how, more) => {
    const { values } = await result('Photo("large")[file]', { artifacts, ...more });
    const [[uri, file] = []] = [...kept];
    expect(values).toEqual({ file: { __plasm_attachment: { ...LARGE_FILE, uri } } });
    expect([file?.bytes.length, file?.mimeType]).toEqual([65_537, "image/png"]);
  });

  test("VAL-04: by the name that the answer gives it, without directories", async () => {
    const { values } = await result('Photo("named")[file]');
    expect(values).toMatchObject({ file: { __plasm_attachment: { file_name: "ein Bild.png" } } });
  });

  test("the answer of an effect, too", async () => {
    const { values } = await result('Photo("large").print()');
    const [uri] = kept.keys();
    expect(values).toEqual({ value: { __plasm_attachment: { ...LARGE_FILE, uri } } });
  });

  test("without a place to put it, it stays", async () => {
    const { values } = await result('Photo("large")[file]', {});
    expect(JSON.stringify(values).length).toBeGreaterThan(65_537);
  });
});

describe("MAP-016: a file of the session is sent by its URI", () => {
  test.each([
    ["as they come", {}],
    ["by a transport that sends it whole", { transport: unstreamed }],
  ])("its bytes, from the row that holds it: %s", async (_how, more) => {
    await result('p = Photo("large")[id, file]\nPhoto("x").send(file=p.file)', {
      artifacts,
      ...more,
    });
    const sent = server.log.at(-1);
    expect(sent?.path).toBe("/photos/x/send");
    expect(sent?.body).toContain('name="photo"; filename="a.png"');
    expect(sent?.headers["content-length"]).toBe(String(sent?.body.length));
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
