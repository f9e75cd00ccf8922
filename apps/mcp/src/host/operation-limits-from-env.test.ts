import { describe, expect, it } from "vitest";
import { HostStartError } from "./host-start-error.ts";
import { operationLimitsFromEnv } from "./operation-limits-from-env.ts";

describe("OPS-14: how many operations may be unfinished can be set", () => {
  it("4 in a session and 32 of a tenant, unless set", () => {
    expect(operationLimitsFromEnv({})).toEqual({ perSession: 4, perTenant: 32 });
    const env = { PLASM_OPERATIONS_PER_SESSION: "10", PLASM_OPERATIONS_PER_TENANT: " 500 " };
    expect(operationLimitsFromEnv(env)).toEqual({ perSession: 10, perTenant: 500 });
    const empty = { PLASM_OPERATIONS_PER_SESSION: "", PLASM_OPERATIONS_PER_TENANT: "1" };
    expect(operationLimitsFromEnv(empty)).toEqual({ perSession: 4, perTenant: 1 });
  });

  it.each(["0", "-1", "2.5", "many", "1e3"])("refuses %s by the setting's name", (text) => {
    const reading = () => operationLimitsFromEnv({ PLASM_OPERATIONS_PER_TENANT: text });
    expect(reading).toThrow(HostStartError);
    expect(reading).toThrow(`PLASM_OPERATIONS_PER_TENANT=${text}`);
  });
});
