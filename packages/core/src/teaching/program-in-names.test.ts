import { describe, expect, it } from "vitest";
import {
  e,
  fixtureExposure,
  m,
  p,
  quayAndYard,
  quayExposure,
} from "../../test/fixture-exposure.ts";
import { compileProgram } from "../plan/compile.ts";
import type { Exposure } from "../symbols/exposure.ts";
import { programInNames } from "./program-in-names.ts";

const inNames = fixtureExposure(["quay"], { notation: "names" });

const commitOf = (program: string, exposure: Exposure): string => {
  const compiled = compileProgram(program, exposure);
  return compiled.kind === "plan" ? compiled.plan.commit : JSON.stringify(compiled);
};

const [boat, state, name, length] = [e("quay", "Boat"), p("state"), p("name"), p("length")];

describe("LANG-023 a program in names", () => {
  it.each([
    [
      `${boat}{${state}=moored, ${length}>5}.sort(${length}, desc)[${name}]`,
      "Boat{state=moored, length>5}.sort(length, desc)[name]",
    ],
    [
      `b = ${boat}{${state}=moored}\nb => ${boat}(_.${p("id")}).${m("Boat", "send")}(${p("to")}="harbour", ${p("note")}=_.${name})`,
      'b = Boat{state=moored}\nb => Boat(_.id).send(to="harbour", note=_.name)',
    ],
    [
      `${boat}[${name}] <<T\n{% for r in rows %}{{ r.${name} }} p1{% endfor %}\nT`,
      "Boat[name] <<T\n{% for r in rows %}{{ r.name }} p1{% endfor %}\nT",
    ],
    [`${boat}{${name}=${name}}`, `Boat{name=${name}}`],
    [`${boat}{${name}="${name}"} ;; ${name}`, `Boat{name="${name}"} ;; ${name}`],
    [`${boat}{${length} * 2 > 5}`, "Boat{length * 2 > 5}"],
  ])("%s", (program, expected) => {
    expect(programInNames(program, quayExposure, inNames)).toBe(expected);
    expect(commitOf(expected, inNames)).toBe(commitOf(program, quayExposure));
    expect(commitOf(expected, inNames)).toMatch(/^sha256:/);
  });

  it("keeps a symbol, that of the other session, where a name means another entity", () => {
    const other = fixtureExposure(["quay", "yard"], { notation: "names" });
    const program = e("yard", "Boat", quayAndYard);
    const written = programInNames(program, quayAndYard, other);
    expect(written).toBe(e("yard", "Boat", other));
    expect(commitOf(written, other)).toBe(commitOf(program, quayAndYard));
  });

  it("leaves what is no program as it is", () => {
    expect(programInNames("))) e99 p9999 {", quayExposure, inNames)).toBe("))) e99 p9999 {");
  });
});
