import { afterEach, describe, expect, it, vi } from "vitest";
import { canonicalJson } from "@plasm/core";
import { sha256Hex } from "@plasm/core/internal";
import { asAsked, verifyLog } from "./audit-chain.ts";

interface Line {
  readonly n: number;
  readonly prev: string;
  readonly hash: string;
}

const chain: Line[] = [];
for (let n = 1; n <= 3; n += 1) {
  const content = { n, prev: chain.at(-1)?.hash ?? "" };
  chain.push({ ...content, hash: sha256Hex(canonicalJson(content)) });
}
const [one, two, three] = chain as [Line, Line, Line];

/** The check of a log that the server answers with. */
const checked = (lines: readonly Line[], head: Pick<Line, "n" | "hash">) => {
  vi.stubGlobal("localStorage", { getItem: () => "token" });
  const body = { lines, next: null, head, first: { n: 1, prev: "" } };
  vi.stubGlobal("fetch", async () => Response.json(body));
  return verifyLog(new AbortController().signal, () => undefined);
};

afterEach(() => vi.unstubAllGlobals());

describe("the check of the audit log (OPS-41)", () => {
  it.each<[string, readonly Line[], Pick<Line, "n" | "hash">, object]>([
    ["the whole log", chain, three, { kind: "whole", lines: 3, n: 3 }],
    ["one that grew meanwhile", chain, two, { kind: "whole", n: 3 }],
    ["the newest left out", [one, two], three, { fault: expect.stringMatching(/3 to 3 are miss/) }],
    ["all left out", [], three, { fault: expect.stringMatching(/1 to 3 are missing/) }],
    ["another end", chain, { n: 3, hash: "x" }, { fault: expect.stringMatching(/line 3 is not/) }],
    ["one between left out", [one, three], three, { fault: expect.stringMatching(/behind/) }],
  ])("%s", async (_, lines, head, found) => {
    expect(await checked(lines, head)).toMatchObject(found);
  });

  it.each([
    ["2026-02-28", "2026-03-01"],
    ["2026-12-31", "2027-01-01"],
    ["2026-02-28T10:00:00Z", "2026-02-28T10:00:00Z"],
    ["soon", "soon"],
  ])("until %s asks for what is before %s", (until, asked) => {
    expect(asAsked({ until, kind: "refused" })).toEqual({ until: asked, kind: "refused" });
  });
});
