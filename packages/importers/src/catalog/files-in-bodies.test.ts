import { describe, expect, it } from "vitest";
import { answering, list, made, object, text } from "../testing/made.ts";

const boat = object({ id: text, name: text });
const boats = { "/boats": { get: answering(list(boat)) }, "/boats/{id}": { get: answering(boat) } };

describe("bodies that hold files", () => {
  it("a multipart body has its parts, files among them (MAP-016)", async () => {
    const schema = object({ photo: { type: "string", format: "binary" }, caption: text }, [
      "photo",
    ]);
    const operation = {
      requestBody: { required: true, content: { "multipart/form-data": { schema } } },
      responses: {},
    };
    const paths = { ...boats, "/boats/{id}/photo": { post: operation } };
    const { diagnostics, domain, mappings } = await made(paths);
    expect(diagnostics).toEqual([]);
    expect(domain.values["file"]).toEqual({ type: "blob" });
    expect(mappings["boat_photo"]).toMatchObject({
      body_format: "multipart",
      multipart: {
        parts: [
          { name: "caption", content: { type: "var", name: "caption" } },
          { name: "photo", content: { type: "var", name: "photo" } },
        ],
      },
    });
  });

  it("21 lists in a multipart body are parts of their own, each value and each file (MAP-016)", async () => {
    const file = { type: "string", format: "binary" };
    const list = (items: object) => ({ type: "array", items });
    const schema = object({
      files: list(file),
      tags: list(text),
      marks: list(text),
      crew: list(object({ a: text })),
    });
    const media = { schema, encoding: { marks: { contentType: "application/json" } } };
    const operation = {
      requestBody: { required: true, content: { "multipart/form-data": media } },
      responses: {},
    };
    const paths = { ...boats, "/boats/{id}/log": { post: operation } };
    const { diagnostics, domain, mappings } = await made(paths);
    expect(diagnostics).toEqual([]);
    expect(domain.values["files"]).toEqual({ type: "array", items: { value_ref: "file" } });
    const part = (name: string) => ({ name, content: { type: "var", name } });
    expect(mappings["boat_log"]?.["multipart"]).toEqual({
      parts: [
        part("crew"),
        { ...part("files"), repeat: true },
        part("marks"),

        { ...part("tags"), repeat: true },
      ],
    });
  });

  it.each([
    [["application/octet-stream"], undefined],
    [["image/png"], "image/png"],
    [["image/jpeg", "image/png"], undefined],
    [["*/*"], undefined],
  ])("a body of %s is one file, typed where it is of one type (MAP-024)", async (types, type) => {
    const content = Object.fromEntries(
      types.map((name) => [name, { schema: { type: "string", format: "binary" } }]),
    );
    const operation = { requestBody: { required: true, content }, responses: {} };
    const paths = { ...boats, "/boats/{id}/photo": { put: operation } };
    const { diagnostics, domain, mappings, left } = await made(paths);
    expect([diagnostics, left]).toEqual([[], []]);
    const named = Object.entries(mappings).find(([, one]) => one["body_format"] === "binary");
    expect(named?.[1]).toMatchObject({ method: "PUT", body: { type: "var", name: "content" } });
    expect(domain.capabilities[named?.[0] ?? ""]?.["parameters"]).toEqual([
      expect.objectContaining({ name: "content", value_ref: "file", required: true }),
    ]);
    const header = { type: "object", fields: [["Content-Type", { type: "const", value: type }]] };
    expect(named?.[1]["headers"]).toEqual(type === undefined ? undefined : header);
  });
});
