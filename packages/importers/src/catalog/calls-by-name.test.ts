import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { documentOf, madeOf } from "../testing/made.ts";

const json = (schema: object) => ({ content: { "application/json": { schema } } });
const answer = (schema: object) => ({ "200": { description: "", ...json(schema) } });

const berth = {
  type: "object",
  title: "Berth",
  required: ["id", "name"],
  properties: { id: { type: "string" }, name: { type: "string" } },
};
const note = {
  type: "object",
  title: "Note",
  required: ["at", "text"],
  properties: { at: { type: "string" }, text: { type: "string" } },
};
const query = (name: string) => ({ name, in: "query", required: true, schema: { type: "string" } });
const body = (required: readonly string[], more: readonly string[] = []) => ({
  required: true,
  ...json({
    type: "object",
    required,
    properties: Object.fromEntries(
      [...required, ...more].map((name) => [name, { type: "string" }]),
    ),
  }),
});

const place = (where: string, rest: object) => ({ "x-plasm-place": where, ...rest });

const document = documentOf({
  "/berths.list": {
    get: place("GET /berths", {
      responses: answer({
        type: "object",
        properties: { berths: { type: "array", items: berth } },
      }),
    }),
  },
  "/berths.info": {
    get: place("GET /berths/{berth}", {
      parameters: [query("berth")],
      responses: answer({ type: "object", properties: { berth } }),
    }),
  },
  "/berths.rename": {
    post: place("PATCH /berths/{berth}", {
      requestBody: body(["berth"], ["name"]),
      responses: answer({ type: "object", properties: { berth } }),
    }),
  },
  "/berths.close": {
    post: place("DELETE /berths/{berth}", {
      requestBody: body(["berth"]),
      responses: { "200": { description: "" } },
    }),
  },
  "/notes.list": {
    get: place("GET /berths/{berth}/notes", {
      parameters: [query("berth")],
      responses: answer({ type: "object", properties: { notes: { type: "array", items: note } } }),
    }),
  },
  "/notes.info": {
    get: place("GET /berths/{berth}/notes/{at=time}", {
      parameters: [query("berth"), query("time")],
      responses: answer({ type: "object", properties: { note } }),
    }),
  },
  "/notes.pin": {
    post: place("POST /berths/{berth}/notes/{at=time}/pin", {
      requestBody: body(["berth", "time"], ["colour"]),
      responses: { "200": { description: "" } },
    }),
  },
});

test("calls by name stand where their document says, and are sent as they are written (ADR 0155)", async () => {
  const { domain, mappings, diagnostics, left } = await madeOf(document);
  expect([diagnostics, left]).toEqual([[], []]);
  expect(Object.keys(domain.entities)).toEqual(["Berth", "Note"]);
  expect(domain.entities["Berth"]).toMatchObject({ id_field: "id" });
  expect(domain.entities["Note"]).toMatchObject({ key_vars: ["berth", "at"] });
  const kinds = Object.entries(domain.capabilities).map(
    ([name, { kind }]) => `${name} ${String(kind)}`,
  );
  expect(kinds).toEqual([
    "berth_query query",
    "berth_get get",
    "berth_update update",
    "berth_delete delete",
    "note_query query",
    "note_get get",
    "note_pin action",
  ]);
  expect(mappings["berth_get"]).toMatchObject({
    method: "GET",
    path: [{ type: "literal", value: "berths.info" }],
    query: { type: "object", fields: [["berth", { type: "var", name: "id" }]] },
  });
  expect(mappings["berth_update"]).toMatchObject({
    method: "POST",
    path: [{ type: "literal", value: "berths.rename" }],
    body: {
      fields: [
        ["berth", { type: "var", name: "id" }],
        ["name", { type: "var", name: "name" }],
      ],
    },
  });
  expect(mappings["berth_delete"]).toMatchObject({
    method: "POST",
    body: { fields: [["berth", { type: "var", name: "id" }]] },
  });
  expect(mappings["note_pin"]).toMatchObject({
    method: "POST",
    path: [{ type: "literal", value: "notes.pin" }],
    body: {
      fields: [
        ["berth", { type: "var", name: "berth" }],
        ["colour", { type: "var", name: "colour" }],
        ["time", { type: "var", name: "at" }],
      ],
    },
  });
});

test("a row that is asked for by its key in the query is read by that key, and changed by it (docs/adr/0245)", async () => {
  const text = { type: "string" };
  const ship = { title: "Ship", type: "object", properties: { uid: text, name: text } };
  const { domain, mappings, left } = await madeOf(
    documentOf({
      "/ships": {
        get: { parameters: [query("uid")], responses: answer(ship) },
        delete: { parameters: [query("uid")], responses: { "204": { description: "" } } },
      },
      "/ships/search": {
        get: { responses: answer({ type: "array", items: ship }) },
      },
      "/rates": {
        get: {
          parameters: [query("base")],
          responses: answer({ title: "Rates", type: "object", properties: { base: text } }),
        },
      },
    }),
  );
  expect(left).toEqual([]);
  expect(domain.entities["Ship"]).toMatchObject({ id_field: "uid" });
  expect(domain.capabilities["ship_delete"]).toMatchObject({ kind: "delete", entity: "Ship" });
  const byKey = { type: "object", fields: [["uid", { type: "var", name: "uid" }]] };
  expect(mappings["ship_get"]).toMatchObject({
    path: [{ type: "literal", value: "ships" }],
    query: byKey,
  });
  expect(mappings["ship_delete"]).toMatchObject({ method: "DELETE", query: byKey });
  expect(domain.entities["Rate"]).not.toMatchObject({ id_field: "base" });
});

test("a place that is none, or whose variables are sent nowhere, leaves the operation out with the reason", async () => {
  const responses = answer({ type: "object", properties: { berth } });
  const { left } = await madeOf(
    documentOf({
      "/a": { get: place("GET /berths/{berth}", { parameters: [query("other")], responses }) },
      "/b": { get: place("berths", { responses }) },
      "/berths/{berth}": { get: { parameters: [{ ...query("berth"), in: "path" }], responses } },
    }),
  );
  expect(left).toEqual([
    "GET /a: x-plasm-place has {berth}, which is no parameter of it and no member of its body",
    "GET /b: x-plasm-place is no method and path",
  ]);
});

test("two parts that are one value, and a variable of the call's own path that the place lacks, are told", async () => {
  const responses = answer({ type: "object", properties: { berth } });
  const { left } = await madeOf(
    documentOf({
      "/a": {
        get: place("GET /berths/{one=id}/notes/{two=id}", { parameters: [query("id")], responses }),
      },
      "/b": { get: place("GET /berths/{id}/notes/{id}", { parameters: [query("id")], responses }) },
      "/c/{side}": {
        get: place("GET /berths/{berth}", {
          parameters: [query("berth"), { ...query("side"), in: "path" }],
          responses,
        }),
      },
      "/berths/{berth}": { get: { parameters: [{ ...query("berth"), in: "path" }], responses } },
    }),
  );
  expect(left).toEqual([
    "GET /a: x-plasm-place has {one} and {two}, which are one value, id",
    "GET /b: its path has a variable twice",
    "GET /c/{side}: x-plasm-place lacks {side}, which is in the path of the call",
  ]);
});

test("what a place names is sent in a multipart body, too, and where the document calls it read-only", async () => {
  const held = {
    type: "object",
    required: ["berth"],
    properties: { berth: { type: "string", readOnly: true }, colour: { type: "string" } },
  };
  const told = { "200": { description: "" } };
  const effect = (path: string, content: object) =>
    place(`POST /berths/{berth}/${path}`, {
      requestBody: { required: true, content },
      responses: told,
    });
  const { mappings, domain, left, diagnostics } = await madeOf(
    documentOf({
      "/berths.info": {
        get: place("GET /berths/{berth}", {
          parameters: [query("berth")],
          responses: answer({ type: "object", properties: { berth } }),
        }),
      },
      "/berths.paint": { post: effect("paint", { "application/json": { schema: held } }) },
      "/berths.show": { post: effect("show", { "multipart/form-data": { schema: held } }) },
    }),
  );
  expect([left, diagnostics]).toEqual([[], []]);
  expect(mappings["berth_paint"]?.["body"]).toMatchObject({
    fields: [
      ["berth", { type: "var", name: "id" }],
      ["colour", { type: "var", name: "colour" }],
    ],
  });
  expect(mappings["berth_show"]?.["multipart"]).toMatchObject({
    parts: [
      { name: "berth", content: { type: "var", name: "id" } },
      { name: "colour", content: { type: "var", name: "colour" } },
    ],
  });
  for (const name of ["berth_paint", "berth_show"])
    expect(domain.capabilities[name]?.["parameters"]).toEqual([
      { name: "colour", value_ref: "text" },
    ]);
});

test("the calls of docs/connect.md are an update of a boat and an effect on its note", async () => {
  const page = readFileSync(new URL("../../../../docs/connect.md", import.meta.url), "utf8");
  const calls = parse(/```yaml calls\.yaml\n([^]*?)```/.exec(page)?.[1] ?? "") as Record<
    string,
    { readonly post: object }
  >;
  const told = { "200": { description: "" } };
  const { domain } = await madeOf(
    documentOf({
      "/boats.info": {
        get: place("GET /boats/{boat}", {
          parameters: [query("boat")],
          responses: answer({ type: "object", properties: { boat: berth } }),
        }),
      },
      "/notes.info": {
        get: place("GET /boats/{boat}/notes/{at=time}", {
          parameters: [query("boat"), query("time")],
          responses: answer({ type: "object", properties: { note } }),
        }),
      },
      "/boats.rename": {
        post: {
          ...calls["/boats.rename"]?.post,
          requestBody: body(["boat"], ["name"]),
          responses: told,
        },
      },
      "/notes.pin": {
        post: {
          ...calls["/notes.pin"]?.post,
          requestBody: body(["boat", "time"]),
          responses: told,
        },
      },
    }),
  );
  const { boat_update: update, note_pin: pin } = domain.capabilities;
  expect([update?.["kind"], pin?.["kind"]]).toEqual(["update", "action"]);
});
