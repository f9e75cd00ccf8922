import { describe, expect, it } from "vitest";
import { lastWords } from "./last-words.ts";

describe("why an MCP server ended, as it said last", () => {
  it.each([
    ["Ready.\nFailed to connect to MongoDB\n", "Ready. Failed to connect to MongoDB"],
    [
      "node:internal/modules:1\n  throw err;\n  ^\n\nError: Cannot find module 'keytar'\n    at load (node:internal:1:2) {\n  code: 'MODULE_NOT_FOUND'\n}\n\nNode.js v24.21.0\n",
      "Error: Cannot find module 'keytar'",
    ],
    [
      'Traceback (most recent call last):\n  File "server.py", line 3, in main\nValueError: no key: set KEY\n',
      "ValueError: no key: set KEY",
    ],
    [
      "Invalid environment variables {\n  ROLE: {\n    _errors: [ 'developer or editor' ]\n  }\n}\n",
      "Invalid environment variables { ROLE: { _errors: [ 'developer or editor' ] } }",
    ],
    ["", ""],
  ])("%j", (printed, said) => expect(lastWords(printed)).toBe(said));
});
