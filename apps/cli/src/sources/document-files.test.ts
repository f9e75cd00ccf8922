import { describe, expect, test } from "vitest";
import { DocumentText } from "./document-files.ts";

describe("21 the memory of an import", () => {
  test("the text of a document is given once and let go: nothing holds it beside what is made of it", () => {
    const text = new DocumentText("openapi: 3.1.0");

    expect(text.take()).toBe("openapi: 3.1.0");
    expect(() => text.take()).toThrow("taken once");
  });
});
