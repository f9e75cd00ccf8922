import { expect, test } from "vitest";
import { partOfDocument } from "./part-of-document.ts";

const schema = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const get = (name: string) => ({ get: { answer: schema(name) } });

const document = {
  openapi: "3.0.3",
  "x-webhooks": { sent: schema("user") },
  paths: {
    "/repos/{owner}": get("repo"),
    "/repos/all": get("list"),
    "/repos/{owner}/{name}": get("other"),
    "/users/{login}": get("user"),
    "/{kind}/{id}": get("thing"),
  },
  components: {
    schemas: {
      repo: { owner: schema("owner") },
      owner: { of: schema("repo") },
      list: {},
      other: {},
      user: {},
      thing: {},
    },
    examples: { unused: {} },
  },
};

test("the paths asked for, all that a request of them could be, and what they lead to", () => {
  const part = partOfDocument(document, ["/repos/{owner}"]);
  expect(Object.keys(part.paths)).toEqual(["/repos/{owner}", "/repos/all", "/{kind}/{id}"]);
  expect(part.components).toEqual({
    schemas: {
      repo: document.components.schemas.repo,
      owner: document.components.schemas.owner,
      list: {},
      thing: {},
    },
    examples: {},
  });
  expect(part).toHaveProperty("openapi", "3.0.3");
  expect(part).not.toHaveProperty("x-webhooks");
});

test("a document that is asked for nothing is empty", () => {
  expect(partOfDocument(document, []).paths).toEqual({});
});
