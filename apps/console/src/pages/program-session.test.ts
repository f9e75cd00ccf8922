import { describe, expect, it } from "vitest";
import { ApiProblem } from "../api.ts";
import { mistakenCall, sessionBody } from "./program-session.ts";
import { untaught } from "./mistakes.tsx";

const draft = { api: "quay", entity: "Boat", also: [], program: "" };
const problem = (message: string) => new ApiProblem(404, "plasm-unknown-program", message);

describe("a call of a saved program that cannot be made (SURF-72)", () => {
  it("is a mistake where it stands, with the name that was meant", () => {
    const program = "b = Boat.limit(1)\nx = s.two_boat()\nx";
    const text = "No saved program two_boat. Did you mean two_boats?";
    expect(mistakenCall(problem(text), program)).toEqual({
      message: text,
      correction: "",
      line: 2,
      start: 22,
      end: 32,
      fix: "b = Boat.limit(1)\nx = s.two_boats()\nx",
    });
  });

  it("names what would teach what it needs, of whichever catalog", () => {
    const found = mistakenCall(
      problem(
        's.stock uses yard, which this session does not have: plasm_context with the seed {"api": "s", "entity": "stock"} adds it.',
      ),
      "s.stock()",
    );
    expect(found?.message).toBe("s.stock uses yard, which this session does not have.");
    const seed = untaught(found?.correction ?? "", draft);
    expect(seed).toEqual({ api: "s", entity: "stock" });
    const also = seed === null ? [] : [seed];
    expect(JSON.parse(sessionBody({ ...draft, also }))).toMatchObject({
      seeds: [{ api: "quay", entity: "Boat" }, seed],
    });
    expect(untaught(found?.correction ?? "", { ...draft, also })).toBeNull();
  });

  it.each(["The server does not answer.", "No saved program gone."])(
    "%s is none where no such call stands",
    (text) => expect(mistakenCall(problem(text), "Boat.limit(1)")).toBeNull(),
  );
});
