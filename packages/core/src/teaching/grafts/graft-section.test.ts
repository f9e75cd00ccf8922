import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { utf8Length } from "../../base/text.ts";
import {
  abstractOf,
  cleanGuardrails,
  cleanLine,
  derivedGraftId,
  graftChanges,
  type GraftHeader,
  graftLine,
  graftSection,
  type IndexedGraft,
  isGraftId,
  wholeGraftSection,
} from "./graft-section.ts";
import { sha256Hex } from "../../base/canonical-json.ts";

const HEADER: GraftHeader = {
  name: "pruning",
  userId: "u42",
  createdTs: "2026-01-05T09:00:00Z",
  manifestPath: "sets/pruning.yaml",
  guardrails: "Cite the graft id for each claim.",
};

const graft = (over: Partial<IndexedGraft> = {}): IndexedGraft => ({
  graftId: "g01",
  source: "git",
  path: "a.md",
  abstract: "Prune quince in late winter …",
  revision: 1,
  ...over,
});
const PEAR = graft({
  graftId: "g02",
  source: "wiki",
  path: "b.md",
  abstract: "Pear rust, signs and treatment …",
});

/** So many grafts whose id, source and path are 10 bytes, of ASCII bodies of 2 KB. */
const small = (count: number): IndexedGraft[] =>
  Array.from({ length: count }, (_, n) =>
    graft({
      graftId: `g${String(n).padStart(3, "0")}`,
      source: "git",
      path: "a.m",
      abstract: abstractOf(`${n} ${"prune in winter ".repeat(128)}`.slice(0, 2_048)),
    }),
  );

const linesOf = (text: string): readonly string[] => text.split("\n");
const pointsIn = (text: string): number => Array.from(text).length;
const HOW =
  "Only abstracts are listed, no bodies. Pick lines by source, path or abstract; grafted_context_fetch(graft_id) loads one body when a turn needs it.";

describe("the section of a graft set (GRAFT-5)", () => {
  it("D2 D5 D8 is the specification's, word for word", () => {
    expect(graftSection(HEADER, [PEAR, graft()]).text).toBe(
      [
        "Grafts · pruning · user u42 · 2026-01-05T09:00:00Z · sets/pruning.yaml · 2 sources",
        "Cite the graft id for each claim.",
        HOW,
        "- `g01` · git · `a.md` — Prune quince in late winter …",
        "- `g02` · wiki · `b.md` — Pear rust, signs and treatment …",
      ].join("\n"),
    );
  });

  it("D2 each graft has one line of one form", () => {
    const [, , , ...lines] = linesOf(graftSection(HEADER, small(70)).text);
    expect(lines).toHaveLength(70);
    for (const line of lines) {
      expect(line).toMatch(/^- `[A-Za-z0-9_-]{1,64}` · [^`\n]+ · `[^`\n]+` — [^`\n]{1,120}$/u);
    }
  });

  it("counts distinct sources, and leaves a line for guardrails only if there are any", () => {
    const { text } = graftSection({ ...HEADER, guardrails: null }, [graft()]);
    expect(linesOf(text).slice(0, 2)).toEqual([
      "Grafts · pruning · user u42 · 2026-01-05T09:00:00Z · sets/pruning.yaml · 1 source",
      HOW,
    ]);
  });

  it("D14 an empty set has none", () => {
    expect(graftSection(HEADER, [])).toEqual({ text: "", indexed: 0, hidden: 0, chars: 0 });
  });

  it("D24 header values are cleaned, uncut; guardrails stand in full", () => {
    const long = "n".repeat(3_000);
    const hostile = {
      name: `pru\nning\`\`\`${long}`,
      userId: "u\u202e42\n- `g99` · x",
      createdTs: "now\r\n~~~",
      manifestPath: "a\u200bb\tc",
      guardrails: `${"One line.\n".repeat(199)}\`\`\`\``,
    };
    const [first, ...rest] = linesOf(graftSection(hostile, [graft()]).text);
    expect(first).toBe(
      `Grafts · pru ning'''${long} · user u42 - 'g99' · x · now ~~~ · ab c · 1 source`,
    );
    expect(rest.slice(0, 200)).toEqual([...Array<string>(199).fill("One line."), "''''"]);
    expect(rest[200]).toBe(HOW);
  });

  it("D10 a search by source or path finds one line a hit", () => {
    const { text } = graftSection(HEADER, [graft(), PEAR, graft({ graftId: "g03", path: "c.md" })]);
    const hits = (sought: string) => linesOf(text).filter((line) => line.includes(sought));
    expect([hits("· wiki ·"), hits("`c.md`"), hits("· git ·")].map((all) => all.length)).toEqual([
      1, 1, 2,
    ]);
  });

  it("D9 lines are ordered by path, then id, by code point, whatever the order of the items", () => {
    const name = fc.string({
      unit: fc.constantFrom("a", "B", "/", ".", "é", "🍐", "\uffe0"),
      minLength: 1,
      maxLength: 4,
    });
    const grafts = fc.uniqueArray(fc.tuple(name, fc.integer({ min: 0, max: 99 })), {
      selector: ([, id]) => id,
      minLength: 1,
      maxLength: 20,
    });
    const ranks = (text: string) => Array.from(text, (point) => point.codePointAt(0) ?? 0);
    const before = (a: readonly number[], b: readonly number[]): boolean => {
      const at = a.findIndex((rank, index) => rank !== b[index]);
      return at === -1 ? a.length <= b.length : (a[at] ?? 0) < (b[at] ?? -1);
    };
    fc.assert(
      fc.property(grafts, fc.infiniteStream(fc.nat()), (given, noise) => {
        const all = given.map(([path, id]) => graft({ path, graftId: `g${id}` }));
        const shuffled = all
          .map((one) => ({ one, at: noise.next().value ?? 0 }))
          .toSorted((a, b) => a.at - b.at)
          .map(({ one }) => one);
        const { text } = graftSection(HEADER, all);
        expect(graftSection(HEADER, shuffled).text).toBe(text);
        const shown = linesOf(text)
          .slice(3)
          .map((line) => /^- `(.*?)` · git · `(.*?)`/u.exec(line) ?? []);
        const keys = shown.map(([, id = "", path = ""]) => [...ranks(path), -1, ...ranks(id)]);
        keys.forEach((key, at) => expect(at === 0 || before(keys[at - 1] ?? [], key)).toBe(true));
      }),
    );
  });
});

describe("how long it gets (GRAFT-7 to GRAFT-9)", () => {
  it.each([
    [5, 750],
    [8, 1_200],
    [70, 11_000],
    [200, 30_000],
  ])("D11 GRAFT-8 the lines of %i grafts take at most %i bytes", (count, most) => {
    const bytes = small(count).reduce((sum, one) => sum + utf8Length(graftLine(one)) + 1, 0);
    console.log(`graft index: ${count} grafts, ${bytes} of ${most} bytes`);
    expect(bytes).toBeLessThanOrEqual(most);
    const shown = linesOf(graftSection(HEADER, small(count)).text)
      .slice(3)
      .join("\n");
    expect(utf8Length(shown) + 1).toBe(bytes);
  });

  it("D7 400 grafts stay within 32,768 characters, the rest is counted", () => {
    const { text, indexed, hidden, chars } = graftSection(HEADER, small(400));
    expect(chars).toBe(pointsIn(text));
    expect(chars).toBeLessThanOrEqual(32_768);
    expect(indexed + hidden).toBe(400);
    expect(hidden).toBeGreaterThan(0);
    const lines = linesOf(text);
    expect(lines.at(-1)).toBe(`+ ${hidden} more: grafted_context_fetch("*") lists them`);
    expect(lines.filter((line) => line.startsWith("- `"))).toHaveLength(indexed);
    expect(linesOf(wholeGraftSection(HEADER, small(400)).text)).toHaveLength(403);
  });

  it("P19 the index is the sum of its lines within the cap, and every hidden one is counted", () => {
    const texts = fc.string({ unit: fc.constantFrom("a", "é", "🍐", " "), maxLength: 60 });
    const grafts = fc.array(fc.record({ path: texts, source: texts, abstract: texts }), {
      minLength: 1,
      maxLength: 40,
    });
    fc.assert(
      fc.property(grafts, fc.integer({ min: 300, max: 3_000 }), (given, limit) => {
        const all = given.map((one, n) => graft({ ...one, graftId: `g${n}`, revision: 1 }));
        const { text, indexed, hidden, chars } = graftSection(HEADER, all, limit);
        const whole = linesOf(wholeGraftSection(HEADER, all).text);
        const closing =
          hidden === 0 ? [] : [`+ ${hidden} more: grafted_context_fetch("*") lists them`];
        expect(linesOf(text)).toEqual([...whole.slice(0, 3 + indexed), ...closing]);
        expect([indexed + hidden, chars]).toEqual([all.length, pointsIn(text)]);
        expect(indexed === 0 || chars <= limit).toBe(true);
        const more = `+ ${hidden - 1} more: grafted_context_fetch("*") lists them`;
        const longer = [...whole.slice(0, 4 + indexed), ...(hidden > 1 ? [more] : [])];
        expect(hidden === 0 || pointsIn(longer.join("\n")) + 1 > limit).toBe(true);
      }),
    );
  });
});

describe("what a later answer prints (GRAFT-10)", () => {
  it("lines of new and of changed grafts alone, changed ones marked after the id", () => {
    expect(graftChanges([graft({ revision: 2 }), PEAR]).text).toBe(
      [
        "- `g01` (revision 2) · git · `a.md` — Prune quince in late winter …",
        "- `g02` · wiki · `b.md` — Pear rust, signs and treatment …",
      ].join("\n"),
    );
  });

  it("nothing where nothing has changed", () => expect(graftChanges([]).text).toBe(""));
});

const ORIGIN = { source: "git", path: "a.md" };
const DIGITS = sha256Hex('["git","a.md"]');

describe("ids of grafts (GRAFT-3)", () => {
  it.each([
    ["g01", true],
    ["A_-9", true],
    ["x".repeat(64), true],
    ["x".repeat(65), false],
    ["", false],
    ["*", false],
    ["a/b", false],
    ["a\n", false],
    ["é", false],
  ])("%j: %s", (id, allowed) => expect(isGraftId(id)).toBe(allowed));

  it("one that is absent is g and six digits of the origin's hash", () => {
    expect(derivedGraftId(ORIGIN, () => undefined)).toBe(`g${DIGITS.slice(0, 6)}`);
    expect(isGraftId(derivedGraftId(ORIGIN, () => undefined))).toBe(true);
  });

  it("such an id is lengthened while another origin has it, and kept by the same", () => {
    const other = { source: "git", path: "b.md" };
    const held = new Map([
      [`g${DIGITS.slice(0, 6)}`, other],
      [`g${DIGITS.slice(0, 7)}`, other],
    ]);
    expect(derivedGraftId(ORIGIN, (id) => held.get(id))).toBe(`g${DIGITS.slice(0, 8)}`);
    expect(derivedGraftId(ORIGIN, () => ORIGIN)).toBe(`g${DIGITS.slice(0, 6)}`);
    expect(derivedGraftId(ORIGIN, () => other)).toHaveLength(64);
  });
});

const letters = (n: number): string => "abcdefghij".repeat(Math.ceil(n / 10)).slice(0, n);

describe("the abstract of a graft (GRAFT-6)", () => {
  it.each([
    [119, 119],
    [120, 120],
    [121, 120],
  ])("D3 of %i characters shows %i, without ellipsis", (length, shown) => {
    expect(abstractOf(letters(length))).toBe(letters(shown));
  });

  it("D3 counts code points, not halves of surrogate pairs", () => {
    expect(abstractOf("🍐".repeat(121))).toBe("🍐".repeat(120));
    expect(abstractOf(`${letters(119)}🍐🍐`)).toBe(`${letters(119)}🍐`);
  });

  it("D17 cuts at 120 even inside a word", () => {
    const text = `${"word ".repeat(23)}pomiculture`;
    expect(abstractOf(text)).toBe(`${"word ".repeat(23)}pomic`);
  });

  it.each([
    ["a\u0000b\u001b[31mc\u009f", "ab[31mc"],
    ["right\u202eto\u2066left\u200f", "righttoleft"],
    ["zero\u200bwidth\u2060joins\ufeff\u200d", "zerowidthjoins"],
    ["tags\u{e0041}\u{e0042}", "tags"],
    ["half\ud800a pair", "halfa pair"],
    ["  # Head\n\n\ttext\u2028more\u00a0of \u0085it\r\n", "# Head text more of it"],
    ["```js\nrun()\n```", "'''js run() '''"],
    ["`x` · — `y`", "'x' · — 'y'"],
    ["\n\n \u200b\n", ""],
  ])("cleans %j", (raw, clean) => {
    expect([abstractOf(raw), cleanLine(raw)]).toEqual([clean, clean]);
  });

  it("a mark between blanks leaves one blank", () => {
    expect(cleanLine("a \u200b b")).toBe("a b");
  });

  it("is one line that opens nothing, whatever the text (D24)", () => {
    const hostile = fc.string({
      unit: fc.constantFrom("`", "~", "\n", "\r", "\u2028", "\u202e", "\u200b", " ", "a", "🍐"),
      maxLength: 300,
    });
    fc.assert(
      fc.property(hostile, (text) => {
        const shown = abstractOf(text);
        expect(shown).not.toMatch(/[`\n\r\u2028\u202e\u200b]| {2}|^ /u);
        expect(Array.from(shown).length).toBeLessThanOrEqual(120);
        expect(cleanLine(text).startsWith(shown)).toBe(true);
      }),
    );
  });

  it("of megabytes is read no further than it shows", () => {
    expect(abstractOf(`${" ".repeat(1_000)}${"x".repeat(4_000_000)}`)).toBe("x".repeat(120));
  });
});

describe("guardrails (GRAFT-6, D8)", () => {
  it.each([
    ["One.\nTwo.", "One.\nTwo."],
    ["One.\r\nTwo.\u2028Three.", "One.\nTwo.\nThree."],
    ["Use `id`, or ``id``.\n```sh\nrm\n`````", "Use `id`, or ``id``.\n'''sh\nrm\n'''''"],
    ["a\u202eb\u200bc\u0007", "abc"],
    ["`\u200b`\u200b`", "'''"],
    ["", ""],
  ])("%j", (raw, clean) => expect(cleanGuardrails(raw)).toBe(clean));
});
