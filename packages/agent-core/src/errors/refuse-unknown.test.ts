import { describe, expect, it } from "vitest";
import { Failure } from "./failure.ts";
import { refuseUnknown } from "./refuse-unknown.ts";

const known = {
  of: "plasm_run",
  told: ["logical_session_ref", "program", "plan_commit_ref"],
  untold: ["wait"],
};

const textOf = (given: readonly string[]): string | null => {
  try {
    refuseUnknown(given, known);
    return null;
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    expect(thrown.problem.code).toBe("plasm-bad-request");
    return thrown.problem.text;
  }
};

describe("refuseUnknown (SURF-4)", () => {
  it.each([[["program", "logical_session_ref", "wait"]], [[]]])("takes %j", (given) => {
    expect(textOf(given)).toBeNull();
  });

  it.each([
    ["plan_comit_ref", "plan_commit_ref"],
    ["Program", "program"],
    ["waits", "wait"],
    ["logicalSessionRef", "logical_session_ref"],
  ])("%s is refused and %s named", (given, near) => {
    expect(textOf([given])).toContain(`takes no argument ${given}. Did you mean ${near}?`);
  });

  it("names what is taken, and nothing untold, when no name is near", () => {
    expect(textOf(["zzz"])).toBe(
      "plasm_run takes no argument zzz. It takes: logical_session_ref, program, plan_commit_ref.",
    );
  });
});
