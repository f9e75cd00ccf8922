import { expect, test } from "vitest";
import { auditLogText, measureAuditLog } from "./audit-log.ts";

test("OPS-42 pages of a small audit log are measured as a client sees them", async () => {
  const pages = await measureAuditLog(300, 1);
  expect(pages.map(({ lines }) => lines)).toEqual([100, 301, 100, 6, 1, 1, 100]);
  expect(auditLogText(pages).split("\n")).toHaveLength(pages.length);
});
