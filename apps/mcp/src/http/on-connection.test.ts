import { LOCAL, NOBODY } from "@plasm/agent-core";
import { expect, test } from "vitest";
import { onConnection } from "./on-connection.ts";

const anonymous = { ...NOBODY, scope: "anonymous|nobody", anonymous: true };
const [one, two] = ["1".repeat(32), "2".repeat(32)];

test("SESS-8 a connection is the scope of a caller that proved nothing, and does not show its name", () => {
  const { scope, ...rest } = onConnection(anonymous, one);
  expect(rest).toEqual({ subject: null, connection: one });
  expect(scope).toMatch(/^anonymous\|[0-9a-f]{32}$/);
  expect(scope).not.toContain(one);
  expect(onConnection(anonymous, two).scope).not.toBe(scope);
  expect(onConnection(anonymous, one).scope).toBe(scope);
});

test("without one it stays what it is, and so does a caller that is known", () => {
  expect(onConnection(anonymous, null)).toEqual(anonymous);
  expect(onConnection(LOCAL, one)).toEqual({ ...LOCAL, connection: one });
});
