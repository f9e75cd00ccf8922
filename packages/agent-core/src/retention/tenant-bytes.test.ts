import { expect, it } from "vitest";
import { testStore } from "../../test/test-store.ts";
import { TenantBytes } from "./tenant-bytes.ts";

it("18: tenants whose bytes were added up are not remembered besides", async () => {
  const tenants = new TenantBytes(1_000_000);
  for (let n = 0; n < 100; n += 1) tenants.take(`t${n}`, 10);
  expect(tenants.waiting).toBe(100);
  await tenants.measure(testStore());
  expect(tenants.waiting).toBe(0);
  expect(tenants.of("t7")).toBe(0);
});

it("SESS-37: what is written while bytes are added up still counts", async () => {
  const tenants = new TenantBytes(1_000_000);
  tenants.take("one", 10);
  const measured = tenants.measure(testStore());
  tenants.take("one", 5);
  await measured;
  expect(tenants.of("one")).toBe(5);
  expect(tenants.waiting).toBe(1);
});
