import { afterEach, describe, expect, it, vi } from "vitest";
import { call, NOT_KNOWN, showable } from "./api.ts";

describe("what answers are shown as (SURF-31)", () => {
  it.each<[unknown, unknown]>([
    ["two\nlines\tand a tab", "two\nlines\tand a tab"],
    ["\u202Egnp.exe", "⟨U+202E⟩gnp.exe"],
    ["in\u200Bvisible\u0007", "in⟨U+200B⟩visible⟨U+0007⟩"],
    [{ "na\u2066me": ["\u{E0041}", 1, null] }, { "na⟨U+2066⟩me": ["⟨U+E0041⟩", 1, null] }],
    ["a\u00A0b\u3164c\u2800d\uD800 e", "a⟨U+00A0⟩b⟨U+3164⟩c⟨U+2800⟩d⟨U+D800⟩ e"],
    ["v\uFE0F\u034F", "v⟨U+FE0F⟩⟨U+034F⟩"],
    ["<b>bold</b> ü 漢字 😀", "<b>bold</b> ü 漢字 😀"],
  ])("%j", (given, shown) => {
    expect(showable(given)).toEqual(shown);
  });
});

describe("calls that fail (SURF-31)", () => {
  afterEach(() => vi.unstubAllGlobals());

  const failing = (answer: () => Promise<Response>) => {
    vi.stubGlobal("localStorage", { getItem: () => "token" });
    vi.stubGlobal("fetch", answer);
  };
  const cut = () => Promise.reject(new TypeError("Failed to fetch"));
  const half = async () => new Response(new ReadableStream({ start: (to) => to.error("cut") }));

  it.each<[string, () => Promise<Response>, object, string, RegExp]>([
    ["a read", cut, {}, "no-answer", /tries again by itself/],
    ["a change", cut, { method: "POST" }, NOT_KNOWN, /not known whether this was done/],
    ["half an answer to a change", half, { method: "POST" }, NOT_KNOWN, /not known whether/],
    [
      "a plan",
      cut,
      { method: "POST", isHarmless: true },
      "no-answer",
      /^The server does not answer.$/,
    ],
  ])("a connection that is lost during %s", async (_, answer, sent, code, message) => {
    failing(answer);
    await expect(call("/execute", sent)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
    });
  });

  it("what was done before is kept, as it is shown", async () => {
    const effects = [
      { seq: 1, capability: "boat_update", target: "Boat:b\u200B1", status: "done" },
    ];
    const body = { code: "plasm-upstream-error", detail: "no", effects, results: [] };
    failing(async () => Response.json(body, { status: 502 }));
    await expect(call("/execute", { method: "POST" })).rejects.toMatchObject({
      status: 502,
      done: { effects: [{ ...effects[0], target: "Boat:b⟨U+200B⟩1" }] },
    });
  });
});
