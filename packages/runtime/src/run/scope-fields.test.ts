import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { startServer, type TestServer } from "@plasm/testkit/servers";
import { catalogOf } from "../testing/fixture-run.ts";
import { runText } from "../testing/run-text.ts";

const domain = `
version: 1
http_backend: http://127.0.0.1:1
values:
  text: { type: string, string_semantics: short }
  state: { type: select, allowed_values: [open, done] }
  list: { type: entity_ref, target: List }
  task: { type: entity_ref, target: Task }
  repo: { type: entity_ref, target: Repo }
entities:
  List:
    id_field: id
    fields: { id: { value_ref: text } }
    relations:
      tasks: { target: Task, cardinality: many, materialize: { kind: query_scoped, capability: task_of, param: list } }
  Task:
    id_field: id
    fields:
      id: { value_ref: text }
      list: { value_ref: list }
      state: { value_ref: state }
      parent: { value_ref: task }
      origin: { value_ref: task }
      title: { value_ref: text }
    relations:
      steps: { target: Task, cardinality: many, materialize: { kind: from_parent_get, path: [{ key: steps }, { wildcard: true }] } }
      notes: { target: Note, cardinality: many, materialize: { kind: from_parent_get, path: [{ key: notes }, { wildcard: true }] } }
  Note:
    abstract: true
    id_field: id
    fields: { id: { value_ref: text }, task: { value_ref: task }, answers: { value_ref: task } }
  Repo:
    key_vars: [owner, name]
    id_field: name
    fields: { owner: { value_ref: text }, name: { value_ref: text } }
  Issue:
    id_field: id
    fields: { id: { value_ref: text }, repo: { value_ref: repo } }
capabilities:
  list_query: { kind: query, entity: List }
  list_get: { kind: get, entity: List }
  task_of:
    kind: query
    entity: Task
    parameters:
      - { name: list, value_ref: list, role: scope, required: true }
      - { name: state, value_ref: text, role: scope }
      - { name: title, value_ref: text }
    provides: [id, list, title]
  task_get: { kind: get, entity: Task }
  issue_of:
    kind: query
    entity: Issue
    parameters: [{ name: repo, value_ref: repo, role: scope, required: true }]
  repo_get: { kind: get, entity: Repo }
`;

const mappings = `
list_query: { method: GET, path: [{ type: literal, value: lists }], response: { items: rows } }
list_get: { method: GET, path: [{ type: literal, value: lists }, { type: var, name: id }], response: single }
task_of:
  method: GET
  path: [{ type: literal, value: lists }, { type: var, name: list }, { type: literal, value: tasks }]
  query: { type: object, fields: [[state, { type: var, name: state }], [title, { type: var, name: title }]] }
  response: { items: rows }
task_get: { method: GET, path: [{ type: literal, value: tasks }, { type: var, name: id }], response: single }
issue_of: { method: GET, path: [{ type: literal, value: issues }, { type: var, name: owner }, { type: var, name: name }], response: { items: rows } }
repo_get: { method: GET, path: [{ type: literal, value: repos }, { type: var, name: owner }, { type: var, name: name }], response: single }
`;

const TASKS = [
  { id: "t1", title: "a" },
  { id: "t2", title: "b", list: "other", state: "done" },
  { id: "t3", title: "c", list: null },
];

let server: TestServer;
beforeAll(async () => {
  server = await startServer(({ path }) => {
    if (path.startsWith("/issues/")) return { json: { rows: [{ id: "i1" }] } };
    if (path === "/lists") return { json: { rows: [{ id: "l1" }] } };
    if (path === "/tasks/t1")
      return {
        json: {
          id: "t1",
          steps: [{ id: "t5" }, { id: "t6", parent: "t9" }],
          notes: [{ id: "n1" }],
        },
      };
    if (path === "/tasks/t5") return { json: { id: "t5", parent: "t7" } };
    return path.endsWith("/tasks")
      ? { json: { rows: TASKS } }
      : { json: { id: path.split("/").at(-1) } };
  });
});
afterEach(() => void server.log.splice(0));
afterAll(() => server.close());

const running = async (text: string) => {
  const catalogs = [catalogOf("tasks", domain, mappings)];
  const { results } = await runText({ catalogs, backends: { tasks: server.url } }, text);
  return {
    values: results[0]?.rows.map((row) => row.values),
    asked: server.log.map(({ url }) => url),
  };
};

describe("17.9 RUN-044: rows know what they were asked in", () => {
  test.each([
    ["a scope parameter", 'Task{list="l1"}[id, list]'],
    ["a relation's", "List.tasks[id, list]"],
  ])(
    "%s fills the field of its name where the wire lacks it, and no other",
    async (_name, text) => {
      const { values, asked } = await running(text);
      expect(values).toEqual([
        { id: "t1", list: "l1" },
        { id: "t2", list: "other" },
        { id: "t3", list: null },
      ]);
      expect(asked.filter((url) => url.startsWith("/tasks/"))).toEqual([]);
    },
  );

  test("its reference is followed, and sent on", async () => {
    const { asked } = await running('Task{list="l1"}.limit(1).list');
    expect(asked).toEqual(["/lists/l1/tasks", "/lists/l1"]);
  });

  test("a value that the field cannot have is not put there", async () => {
    const { values } = await running('Task{list="l1", state="any"}.limit(1)');
    expect(values?.[0]).not.toHaveProperty("state", "any");
  });

  test("a parameter that is no scope fills nothing", async () => {
    const { values } = await running('Task{list="l1", title="zz"}.limit(1)[title]');
    expect(values).toEqual([{ title: "a" }]);
  });

  test.each([
    ["written as a row", 'Issue{repo=Repo(owner="o", name="r")}[id, repo]'],
    ["written as text", 'Issue{repo="o/r"}[id, repo]'],
  ])("a compound reference %s", async (_name, text) => {
    const { values } = await running(text);
    expect(values).toEqual([{ id: "i1", repo: { owner: "o", name: "r" } }]);
  });
});

describe("17.9 RUN-037: rows that stand in another know it", () => {
  test("by the field of its entity's name", async () => {
    const { values } = await running('Task("t1").notes');
    expect(values).toEqual([{ id: "n1", task: "t1" }]);
  });

  test("what has a get of its own is asked there: a name is no proof", async () => {
    const { values, asked } = await running('Task("t1").steps[id, parent]');
    expect(values).toEqual([
      { id: "t5", parent: "t7" },
      { id: "t6", parent: "t9" },
    ]);
    expect(asked).toEqual(["/tasks/t1", "/tasks/t5"]);
  });

  test("and a reference of another name is left alone", async () => {
    const { values } = await running('Task("t1").steps.limit(1)');
    expect(values?.[0]).not.toHaveProperty("origin", "t1");
  });
});
