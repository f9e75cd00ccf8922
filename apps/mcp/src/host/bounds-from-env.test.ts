import { DEFAULT_BOUNDS } from "@plasm/agent-core";
import { expect, it } from "vitest";
import { boundsFromEnv } from "./bounds-from-env.ts";
import { HostStartError } from "./host-start-error.ts";

const GB = 1024 ** 3;

it("18.9, 18.16 a store is bounded by 2 GB unless set, a tenant by the store's limit", () => {
  expect(boundsFromEnv({})).toEqual(DEFAULT_BOUNDS);
  expect(DEFAULT_BOUNDS).toEqual({ store: 2 * GB, tenant: 2 * GB });
  expect(boundsFromEnv({ PLASM_DATA_LIMIT: " 5 GB " })).toEqual({ store: 5 * GB, tenant: 5 * GB });
  expect(boundsFromEnv({ PLASM_DATA_LIMIT: "3000000", PLASM_TENANT_BYTES: "1MB" })).toEqual({
    store: 3_000_000,
    tenant: 1024 ** 2,
  });
});

it.each(["much", "0", "-1", "2 PB", "1.5 GB", "100", "9999999999999 TB"])(
  "18.9 %s as a limit stops the start, with what is allowed",
  (text) => {
    const start = () => boundsFromEnv({ PLASM_DATA_LIMIT: text });
    expect(start).toThrow(HostStartError);
    expect(start).toThrow(`PLASM_DATA_LIMIT must be a number of bytes of 1 MB or more`);
  },
);
