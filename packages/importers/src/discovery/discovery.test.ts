import { describe, expect, it } from "vitest";
import { madeOf } from "../testing/made.ts";

const name = (expands: string, description = "") => ({
  type: "string",
  location: "path",
  required: true,
  pattern: `^${expands.replaceAll("*", "[^/]+")}$`,
  description,
});
const query = (type: string, more: object = {}) => ({ type, location: "query", ...more });
const scopes = ["https://www.googleapis.com/auth/harbour"];

/** A method in the form of the real ones: its flat path is its path with what the variable stands for. */
const method = (id: string, httpMethod: string, path: string, flatPath: string, more: object) => ({
  id: `harbour.${id}`,
  httpMethod,
  path,
  flatPath,
  parameterOrder: [],
  scopes,
  ...more,
});

const BOAT = "projects/*/boats/*";
const FLAT = "v1/projects/{projectsId}/boats";

const HARBOUR = {
  kind: "discovery#restDescription",
  discoveryVersion: "v1",
  id: "harbour:v1",
  name: "harbour",
  version: "v1",
  title: "Harbour API",
  description: "Boats and their berths.",
  rootUrl: "https://harbour.example.com/",
  servicePath: "",
  baseUrl: "https://harbour.example.com/",
  parameters: { alt: query("string"), key: query("string"), fields: query("string") },
  auth: { oauth2: { scopes: { [scopes[0] ?? ""]: { description: "All of it" } } } },
  schemas: {
    Boat: {
      id: "Boat",
      type: "object",
      description: "A boat of a project.",
      properties: {
        name: { type: "string", description: "Identifier. The resource name." },
        state: { type: "string", enum: ["MOORED", "OUT"], enumDescriptions: ["", ""] },
        length: { type: "number", format: "double" },
        tons: { type: "string", format: "int64" },
        title: { type: "string", description: "Required. What it is called." },
        createTime: {
          type: "string",
          format: "google-datetime",
          description: "Output only. When.",
        },
        labels: { type: "object", additionalProperties: { type: "string" } },
        berth: { $ref: "Berth" },
      },
    },
    Berth: {
      id: "Berth",
      type: "object",
      properties: { number: { type: "integer", format: "int32" } },
    },
    Visit: {
      id: "Visit",
      type: "object",
      properties: { name: { type: "string" }, at: { type: "string", format: "google-datetime" } },
    },
    ListBoatsResponse: {
      id: "ListBoatsResponse",
      type: "object",
      properties: {
        boats: { type: "array", items: { $ref: "Boat" } },
        nextPageToken: { type: "string" },
      },
    },
    ListVisitsResponse: {
      id: "ListVisitsResponse",
      type: "object",
      properties: {
        visits: { type: "array", items: { $ref: "Visit" } },
        nextPageToken: { type: "string" },
      },
    },
    MoveBoatRequest: {
      id: "MoveBoatRequest",
      type: "object",
      properties: { quay: { type: "string", description: "Required. Where to." } },
    },
    Paper: {
      id: "Paper",
      type: "object",
      properties: { id: { type: "string" }, title: { type: "string" } },
    },
    Papers: {
      id: "Papers",
      type: "object",
      properties: { items: { type: "array", items: { $ref: "Paper" } } },
    },
    Empty: { id: "Empty", type: "object", properties: {} },
  },
  resources: {
    projects: {
      resources: {
        boats: {
          methods: {
            list: method("projects.boats.list", "GET", "v1/{+parent}/boats", FLAT, {
              parameters: {
                parent: name("projects/*"),
                pageSize: query("integer", { format: "int32" }),
                pageToken: query("string"),
                states: query("string", { repeated: true, enum: ["MOORED", "OUT"] }),
                old: query("string", { deprecated: true }),
              },
              response: { $ref: "ListBoatsResponse" },
            }),
            get: method("projects.boats.get", "GET", "v1/{+name}", `${FLAT}/{boatsId}`, {
              parameters: { name: name(BOAT) },
              response: { $ref: "Boat" },
            }),
            create: method("projects.boats.create", "POST", "v1/{+parent}/boats", FLAT, {
              parameters: { parent: name("projects/*"), boatId: query("string") },
              request: { $ref: "Boat" },
              response: { $ref: "Boat" },
            }),
            patch: method("projects.boats.patch", "PATCH", "v1/{+name}", `${FLAT}/{boatsId}`, {
              parameters: {
                name: name(BOAT),
                updateMask: query("string", { format: "google-fieldmask" }),
              },
              request: { $ref: "Boat" },
              response: { $ref: "Boat" },
            }),
            delete: method("projects.boats.delete", "DELETE", "v1/{+name}", `${FLAT}/{boatsId}`, {
              parameters: { name: name(BOAT) },
              response: { $ref: "Empty" },
            }),
            move: method(
              "projects.boats.move",
              "POST",
              "v1/{+name}:move",
              `${FLAT}/{boatsId}:move`,
              {
                parameters: { name: name(BOAT) },
                request: { $ref: "MoveBoatRequest" },
                response: { $ref: "Boat" },
                description: "Moves a boat. It takes a while.",
              },
            ),
          },
          resources: {
            visits: {
              methods: {
                list: method(
                  "projects.boats.visits.list",
                  "GET",
                  "v1/{+parent}/visits",
                  `${FLAT}/{boatsId}/visits`,
                  {
                    parameters: {
                      parent: name(BOAT),
                      pageToken: query("string"),
                      pageSize: query("integer"),
                    },
                    response: { $ref: "ListVisitsResponse" },
                  },
                ),
                get: method(
                  "projects.boats.visits.get",
                  "GET",
                  "v1/{+name}",
                  `${FLAT}/{boatsId}/visits/{visitsId}`,
                  { parameters: { name: name(`${BOAT}/visits/*`) }, response: { $ref: "Visit" } },
                ),
              },
            },
          },
        },
      },
    },
    papers: {
      methods: {
        get: {
          id: "harbour.papers.get",
          httpMethod: "GET",
          path: "papers/{paperId}",
          parameters: { paperId: { type: "string", location: "path", required: true } },
          response: { $ref: "Paper" },
          supportsMediaDownload: true,
        },
        list: {
          id: "harbour.papers.list",
          httpMethod: "GET",
          path: "papers",
          parameters: { q: query("string") },
          response: { $ref: "Papers" },
          deprecated: true,
        },
        upload: {
          id: "harbour.papers.upload",
          httpMethod: "POST",
          path: "papers/{paperId}/file",
          parameters: { paperId: { type: "string", location: "path", required: true } },
          supportsMediaUpload: true,
          mediaUpload: { accept: ["*/*"], protocols: { simple: { path: "/upload/papers" } } },
        },
      },
    },
  },
};

const made = await madeOf(HARBOUR);
const parametersOf = (capability: string) =>
  (
    (made.domain.capabilities[capability]?.["parameters"] ?? []) as {
      name: string;
      required?: true;
    }[]
  ).map((one) => `${one.name}${one.required === true ? "!" : ""}`);

describe("a Google discovery document becomes a catalog (SURF-20)", () => {
  it("loads strictly, with each resource an entity, and tells what is left out", () => {
    expect(made.diagnostics).toEqual([]);
    expect(Object.keys(made.domain.entities)).toEqual(["Boat", "Paper", "Visit"]);
    expect(made.left).toEqual([
      "GET /papers/{paperId}: the content itself (alt=media); what describes it is answered",
      "POST /papers/{paperId}/file: it takes a file by media upload, which a catalog has no form for",
    ]);
    expect(made.text).toContain("# Harbour API v1 in Google discovery, read by");
    expect(made.domain["http_backend"]).toBe("https://harbour.example.com");
    expect(made.domain["auth"]).toMatchObject({ scheme: "oauth_bearer", env: "HARBOUR_TOKEN" });
  });

  it("has rows by the names that hold those of all around them, slashes and all", () => {
    expect(made.domain.entities["Boat"]).toMatchObject({ id_field: "name" });
    expect(made.mappings["boat_get"]?.["path"]).toEqual([
      { type: "literal", value: "v1" },
      { type: "var", name: "name", encode: "path" },
    ]);
    expect(made.mappings["visit_get"]?.["path"]).toEqual(made.mappings["boat_get"]?.["path"]);
    expect(made.domain.entities["Boat"]?.fields).toMatchObject({
      createTime: { value_ref: "instant" },
      state: { value_ref: "state" },
      tons: { value_ref: "text" },
      berth: { value_ref: "free" },
    });
  });

  it("has lists with pages, and lists behind a row as its relation", () => {
    expect(parametersOf("boat_query").toSorted()).toEqual(["parent!", "states"]);
    expect(made.mappings["boat_query"]).toMatchObject({
      path: [
        { type: "literal", value: "v1" },
        { type: "var", name: "parent", encode: "path" },
        { type: "literal", value: "boats" },
      ],
      pagination: { params: { pageToken: { from_response: "nextPageToken" } } },
    });
    expect(made.domain.entities["Boat"]?.["relations"]).toMatchObject({
      visits: { target: "Visit", materialize: { capability: "visit_query", param: "boat" } },
    });
    expect(made.domain.capabilities["paper_query"]).toMatchObject({ description: "deprecated" });
  });

  it("has effects on the row, those of verbs behind a colon too, which answer it", () => {
    expect(parametersOf("boat_create")).toEqual(
      expect.arrayContaining(["parent!", "title!", "boatId"]),
    );
    expect(parametersOf("boat_create")).not.toContain("createTime");
    expect(parametersOf("boat_update")).toEqual(expect.arrayContaining(["updateMask", "title"]));
    expect(made.domain.capabilities["boat_delete"]).toMatchObject({ kind: "delete" });
    expect(made.domain.capabilities["boat_move"]).toMatchObject({
      kind: "action",
      entity: "Boat",
      description: "moves a boat",
    });
    expect(parametersOf("boat_move")).toEqual(["quay!"]);
    expect(made.mappings["boat_move"]?.["path"]).toEqual([
      { type: "literal", value: "v1" },
      { type: "var", name: "name", suffix: ":move", encode: "path" },
    ]);
  });

  it("makes a part of it, by resources", async () => {
    const part = await madeOf(HARBOUR, { only: ["visits", "/papers"] });
    expect(Object.keys(part.domain.entities)).toEqual(["Paper", "Visit"]);
  });

  it.each([
    [{ ...HARBOUR, resources: {} }, "This Google discovery document has no methods."],
    [{ kind: "discovery#directoryList", items: [] }, "it is a list of Google discovery documents"],
  ])("refuses what has nothing", async (document, said) => {
    await expect(madeOf(document)).rejects.toThrow(said);
  });
});
