import assert from "node:assert/strict";
import fc from "fast-check";
import { type Property, pureProperty } from "@plasm/testkit";
import { indexHeredocLines, quoteText } from "../../src/language/grammar/strings.ts";
import { arbitraryEffect } from "../arbitrary-effects.ts";
import { arbitraryChain, type Piece, type Pieces, spell } from "../arbitrary-program.ts";
import { cleanText } from "../arbitrary-tree.ts";
import { garbage } from "../arbitrary-garbage.ts";
import { quayExposure } from "../fixture-exposure.ts";
import { freshPlan, keptPlan, plain } from "./plans.ts";

/** Says of one name after the other whether it is a symbol: the bits of a number, again and again. */
const coins = fc.nat(0xffff).map((bits) => (): (() => boolean) => {
  let at = 0;
  return () => ((bits >> (at++ % 16)) & 1) === 1;
});

const spelled = (key: string, says: string, line: fc.Arbitrary<Pieces>, most: number): Property =>
  pureProperty({
    key,
    says,
    runs: 200,
    holds: () =>
      fc.property(fc.array(line, { minLength: 1, maxLength: most }), coins, (chains, toss) => {
        const coin = toss();
        const text = chains.map((chain) => spell(chain, quayExposure, coin)).join("\n");
        const { commit } = freshPlan(text);
        assert.equal(keptPlan(chains.map(plain).join("\n")).commit, commit, text);
      }),
  });

export const spelledReads = spelled(
  "P21-reads",
  "symbols and names give one plan",
  arbitraryChain,
  2,
);

export const spelledEffects = spelled(
  "P21-effects",
  "symbols and names give one plan, effects included",
  fc.oneof(arbitraryChain, arbitraryEffect),
  2,
);

const column = fc.constantFrom("id", "name", "owner", "length", "state", "built", "note");
const templatePart: fc.Arbitrary<readonly Piece[]> = fc.oneof(
  fc.constantFrom("text", "{# name #}", "{{ rows | length }}", "{{ 'name' ~ 1 }}").map((t) => [t]),
  column.map((name): Piece[] => ["{{ rows[0].", { name }, " }}"]),
  column.map((name): Piece[] => ["{% for r in rows %}{{ r.", { name }, " }},{% endfor %}"]),
  column.map((name): Piece[] => ["{% set x = rows | first %}{{ x.", { name }, " }}"]),
  column.map((name): Piece[] => ["{% if LABEL.", { name }, " is none %}-{% endif %}"]),
  column.map((name): Piece[] => ["{% for n1 in [1] %}{{ LABEL.", { name }, " ~ n1 }}{% endfor %}"]),
);

export const spelledTemplates = pureProperty({
  key: "P21-templates",
  says: "templates spelled with symbols and names mixed and labels renamed give one plan",
  runs: 200,
  holds: () => {
    const labels = fc.constantFrom("a", "n2", "n3", "u1", "u2", "boat", "rows_");
    const parts = fc.array(templatePart, { minLength: 1, maxLength: 4 });
    return fc.property(parts, labels, coins, (pieces, label, toss) => {
      const text = (own: string, symbols: () => boolean): string => {
        const body = spell(pieces.flat(), quayExposure, symbols).replaceAll("LABEL", own);
        return `${own} = Boat("b1")\nBoat.limit(3) <<T\n${body}\nT`;
      };
      const { commit } = keptPlan(text("some_label", () => false));
      assert.equal(freshPlan(text(label, toss())).commit, commit);
    });
  },
});

/** What of a value might be taken for something else: symbols, labels, dates, numbers, comments. */
const lookalike = fc.constantFrom(
  ..."p1 e1 m2 e99 kept kept.name Boat state lost today today-7d 007 1e5 -0 2026-01-05 1.50".split(
    " ",
  ),
  ..."a.b a:b mark-lost x@y.z and or not in 0d9f1f2a-5a3c-4a54-9d2b-b6a1d3a4c1aa".split(" "),
);

/** A text and how it is written; a bare word stays what it is written as. */
const written: fc.Arbitrary<{ readonly text: string; readonly spelling: string }> = fc
  .tuple(
    fc.oneof(lookalike, cleanText, garbage),
    fc.constantFrom("string", "heredoc", "bare"),
    lookalike,
  )
  .map(([any, how, word]) => {
    const text = /\0|\p{Cs}/u.test(any) ? "text" : any;
    if (how === "string") return { text, spelling: quoteText(text) };
    const held = !text.endsWith("\r") && !indexHeredocLines(text).get("T")?.closing.length;
    if (how === "heredoc" && held) return { text, spelling: `<<T\n${text}\nT` };
    // A bare label is a reference, and a bare symbol none (LANG-022).
    const bare = word.startsWith("kept") ? "kep" : word;
    return { text: bare, spelling: bare };
  });

export const keptBytes = pureProperty({
  key: "P21-bytes",
  says: "strings, heredocs and bare values keep their bytes on their way into the plan",
  runs: 500,
  holds: () =>
    fc.property(written, written, (to, note) => {
      const sent = `Boat("b1").send(to=${to.spelling},\nnote=${note.spelling})`;
      const { nodes } = freshPlan(`kept = Person("ann")\n${sent}`);
      const args = nodes.flatMap((node) => (node.kind === "action" ? [node.args] : []));
      assert.deepEqual(args, [{ note: { lit: note.text }, to: { lit: to.text } }], sent);
    }),
});

export const properties = [spelledReads, spelledEffects, spelledTemplates, keptBytes];
