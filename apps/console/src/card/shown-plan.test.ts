import { expect, it } from "vitest";
import { planIn } from "./shown-plan.ts";

const meta = {
  plasm: { plan_commit_ref: "pc0", program: "Boat\u202E.delete()", explained: [{ node: "n1" }] },
};
const saying = (text: string) => ({ content: [{ type: "text", text }], _meta: meta });

it("SURF-45 what is a problem has its text alone, whatever of a plan stands beside it", () => {
  const shown = planIn({ ...saying("The API gives no answer."), isError: true });
  expect(shown).toMatchObject({ ref: "", effects: [], text: "The API gives no answer." });
});

it("SURF-45 reads that a budget ended are told, and only by the explanation's own first line", () => {
  const head = "explain review pc0 · 20 requests sent, 1 effect not sent";
  expect(planIn(saying(`${head} · stopped: requests\nn1 …`)).stopped).toBe("requests");
  expect(planIn(saying(`${head}\nexplain x · stopped: by a row`)).stopped).toBeNull();
});

it("SURF-45 nothing that hides or turns text is in what is shown", () => {
  expect(planIn(saying("\u200Btext"))).toMatchObject({
    program: "Boat⟨U+202E⟩.delete()",
    text: "⟨U+200B⟩text",
  });
});
