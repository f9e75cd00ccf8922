import { describe, expect, it } from "vitest";
import { answering, list, made, object, query, ref, text } from "../testing/made.ts";

describe("21 what only says of what kind a row is", () => {
  const kinds = (more: object) => ({ ...more, id: text, name: text });
  const only = (value: string) => ({ type: "string", enum: [value] });
  const fieldsOf = async (row: object, parameters: readonly object[] = []) => {
    const { domain, diagnostics } = await made({
      "/boats": { get: answering(list(row), { parameters }) },
      "/boats/{id}": { get: answering(row) },
    });
    expect(diagnostics).toEqual([]);
    return Object.keys(domain.entities["Boat"]?.fields ?? {});
  };

  it("is no field: it is the same of all rows", async () => {
    const row = object(kinds({ object: only("boat"), record_type: only("sail") }));
    expect(await fieldsOf(row)).toEqual(["id", "name"]);
  });

  it("is one where rows have others, where it says something, where a list is asked by it, and where there is nothing else", async () => {
    const two = { type: "string", enum: ["boat", "raft"] };
    expect(await fieldsOf(object(kinds({ object: two })))).toContain("object");
    expect(await fieldsOf(object(kinds({ status: only("open") })))).toContain("status");
    const asked = [query("type", only("boat"))];
    expect(await fieldsOf(object(kinds({ type: only("boat") })), asked)).toContain("type");
    expect(await fieldsOf(object({ id: text, type: only("boat") }))).toContain("type");
  });
});

describe("21 names without numbers, where the path has others", () => {
  const row = object({ id: text, name: text });
  const get = (schema: unknown = row) => ({ get: answering(schema) });

  it.each<[string, object, readonly string[]]>([
    [
      "of what a version stands behind",
      {
        "/sails/v2/{id}": get(),
        "/masts/v4/health": get(object({ up: text })),
        "/sails/v2/health": get(object({ ok: text })),
      },
      ["Health", "Sail", "SailHealth"],
    ],
    [
      "of all that they belong to",
      {
        "/boats/{b}/notes/{n}/marks/{m}": get(),
        "/piers/{p}/notes/{n}/marks/{m}": get(),
        "/marks/{m}": get(),
      },
      ["Mark", "NoteMark", "PierNoteMark"],
    ],
    [
      "of many, of what a list answers that is none",
      { "/boats/{id}": get(), "/boats": get({ type: "object" }) },
      ["Boat", "Boats"],
    ],
    ["of the path without the form of its answer", { "/boats.json": get(list(row)) }, ["Boat"]],
    [
      "of the word that a schema tells in the form of a program",
      { "/boats/{id}": get(ref("BoatData")), "/piers/{id}": get(ref("PierOutput")) },
      ["Boat", "Pier"],
    ],
    ["of what is listed, not of listing it", { "/boats/list": get(list(row)) }, ["Boat"]],
    ["of lists, where rows are lists", { "/lists/{id}": get() }, ["List"]],
    [
      "of what a part of a row is asked by, but not of a row that is called so",
      {
        "/boats/{id}": get(),
        "/boats/{id}/{field}": get(object({ value: text })),
        "/columns/{column}": get(),
      },
      ["Boat", "BoatField", "Column"],
    ],
    [
      "of the tag, where a path has a letter for a word",
      { "/b/{id}": { get: answering(row, { tags: ["Boats"] }) } },
      ["Boat"],
    ],
    [
      "of the tag that tells two of one name apart",
      {
        "/boats": { get: answering(object({ up: text }), { tags: ["Sails"] }) },
        "/boat": { get: answering(object({ down: text }), { tags: ["Oars"] }) },
      },
      ["Boat", "Boats"],
    ],
  ])("%s", async (_, paths, names) => {
    const schemas = { BoatData: row, PierOutput: row };
    const { domain, diagnostics } = await made(paths, { components: { schemas } });
    expect(diagnostics).toEqual([]);
    expect(Object.keys(domain.entities)).toEqual(names);
  });

  it("of the path, where a schema's name has those of its program before it", async () => {
    const schemas = {
      V1EndUserDialogsQueriesGet_Dialog: object({
        id: text,
        name: text,
        notes: list(ref("V1EndUserDialogsQueriesGet_DialogNote")),
      }),
      V1EndUserDialogsQueriesGet_DialogNote: object({ text }),
      V1ServiceOwnerDialogsQueriesGet_Dialog: object({ id: text, name: text, more: text }),
    };
    const { domain } = await made(
      {
        "/api/v1/enduser/dialogs/{id}": get(ref("V1EndUserDialogsQueriesGet_Dialog")),
        "/api/v1/serviceowner/dialogs/{id}": get(ref("V1ServiceOwnerDialogsQueriesGet_Dialog")),
      },
      { components: { schemas } },
    );
    expect(Object.keys(domain.entities)).toEqual(["Dialog", "DialogNote", "ServiceownerDialog"]);
  });
});
