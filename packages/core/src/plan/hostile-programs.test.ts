import { actingIn, halfPairsIn, HOSTILE_KEYS, HOSTILE_TEXTS } from "@plasm/testkit";
import { describe, expect, it } from "vitest";
import { quayExposure } from "../../test/fixture-exposure.ts";
import { formatError } from "../diagnostics/diagnostic.ts";
import { quoteText } from "../language/grammar/strings.ts";
import { compileProgram } from "./compile.ts";
import { renderPlan } from "./render/render-plan.ts";

const plainly = (text: string): void => {
  expect(actingIn(text)).toEqual([]);
  expect(halfPairsIn(text)).toBe(0);
};

/** Programs that hold a text where nothing of the kind is expected, and where anything may stand. */
const programsOf = (text: string): readonly string[] => {
  const quoted = JSON.stringify(text);
  return [
    text,
    `Boat{${text}=1}`,
    `Boat{name=${text}}`,
    `Boat{state=${quoted}}`,
    `Boat{length>${quoted}}`,
    `Boat[${text}]`,
    `Boat.${text}()`,
    `${text} = Boat`,
    `page(${quoted}, limit=${text})`,
    `Boat~${quoted}{owner=${quoted}}.visits.sort(${text})`,
    `Boat("b1").update(note=${quoted}, ${text}=${quoted})`,
    `Boat => {${quoted}: _.name, ${quoted}: _.${text}}`,
    `Boat <<T\n{{ rows.${text} }}\n${text}\nT`,
  ];
};

describe("ERR-003, ERR-010: errors of a program that holds anything", () => {
  it.each(HOSTILE_TEXTS)(
    "$name: each error is its five lines, in which nothing acts",
    ({ text }) => {
      for (const program of programsOf(text)) {
        const compiled = compileProgram(program, quayExposure);
        if (compiled.kind !== "errors") continue;
        for (const error of compiled.errors) {
          // The program that is suggested is the sender's own text, and is checked where it is shown.
          const shown = formatError({ ...error, suggestedProgram: null });
          plainly(shown);
          expect(shown.split("\n"), shown).toHaveLength(5);
        }
      }
    },
  );
});

/** Texts that a program can say at all: a string has escapes for all but NUL and half a pair. */
const SAID = HOSTILE_TEXTS.filter(({ text }) => halfPairsIn(text) === 0 && !text.includes("\0"));

const isPlain = (text: string): boolean => actingIn(text).length === 0 && halfPairsIn(text) === 0;

describe("PLAN-040: plans that hold anything", () => {
  const planned = (program: string): string => {
    const compiled = compileProgram(program, quayExposure);
    if (compiled.kind !== "plan") throw new Error(`${program}: ${JSON.stringify(compiled)}`);
    const text = renderPlan(compiled.plan, "pc0");
    const { nodes, summary } = compiled.plan;
    // Its header, its reasons, an empty line, its nodes, which say themselves what is an effect.
    const codes = summary.reasons.map(({ code }) => code).filter((code) => code !== "effect");
    const unused = codes.filter((code) => code === "unused_seed").length;
    const reasons = codes.length - unused + Math.min(1, unused);
    expect(text.split("\n")).toHaveLength(2 + reasons + nodes.length);
    return text;
  };

  it.each(SAID)("$name: a line a node, in which nothing acts", ({ text }) => {
    const quoted = quoteText(text);
    expect(planned(`Boat{name=${quoted}, meta={${quoted}: [${quoted}]}}.limit(5)`)).toSatisfy(
      isPlain,
    );
    expect(planned(`Boat("b1").update(note=${quoted})`)).toSatisfy(isPlain);
    expect(
      planned(`Boat.limit(2) => {${quoted}: _.name, k: {${quoted}: [_.name, ${quoted}]}}`),
    ).toSatisfy(isPlain);
    expect(planned(`x = [{${quoted}: ${quoted}}]\nx`)).toSatisfy(isPlain);
    expect(planned(`Boat~${quoted}.limit(2)`)).toSatisfy(isPlain);
  });

  it("keys of every kind", () => {
    const object = HOSTILE_KEYS.map((key) => `${quoteText(key)}: _.name`).join(", ");
    expect(planned(`Boat.limit(2) => {${object}}`)).toSatisfy(isPlain);
    expect(planned(`Boat.limit(2) => {k: {${object}}}`)).toSatisfy(isPlain);
  });
});
