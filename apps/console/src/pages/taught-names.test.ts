import { describe, expect, it } from "vitest";
import { labelsIn, namesAt, namesInPrompt, offersAt, programNames } from "./taught-names.ts";

const PROMPT = [
  "Write programs.",
  "quay: Boat",
  "```tsv",
  "plasm_expr\tMeaning",
  "id\tstr",
  "state\tmoored|sailing|lost",
  "to / send\tstr · who gets it",
  "Boat[id,name,state]\t[Boat] · a boat",
  "Boat($)\tBoat",
  "Boat.get-twin(of=Boat($))\tBoat",
  'Boat~$\t[Boat] search · "words"',
  "Boat($).twin\tBoat · the boat built from the same plan",
  "Boat($).send(to=$)\t() · leave a message",
  "```",
  "also: logs → Log",
].join("\n");

const named = (kind: string, prompt = PROMPT) =>
  namesInPrompt(prompt)
    .filter((one) => one.kind === kind)
    .map(({ name }) => name);

describe("the names that a table teaches (SURF-41)", () => {
  it.each<[string, readonly string[]]>([
    ["entity", ["Boat"]],
    ["column", ["id", "state", "to"]],
    ["value", ["moored", "sailing", "lost"]],
    ["method", ["get-twin", "twin", "send"]],
  ])("%s: %j", (kind, names) => {
    expect(named(kind)).toEqual(names);
  });

  it("says of each what the table says", () => {
    const about = (name: string) => namesInPrompt(PROMPT).find((one) => one.name === name)?.about;
    expect(about("Boat")).toBe("[Boat] · a boat");
    expect(about("send")).toBe("() · leave a message");
    expect(about("sailing")).toBe("state: moored|sailing|lost");
  });

  it("knows those of the language where nothing is taught, whatever stands there", () => {
    expect(named("entity", "```tsv\n\t\t\n((((\n```")).toEqual([]);
    expect(named("step", "")).toContain("group_by");
  });

  it("offers steps and methods after a dot alone, and entities elsewhere alone", () => {
    const at = (before: string) => namesAt(namesInPrompt(PROMPT), before).map(({ name }) => name);
    expect(at("Boat.li")).toEqual(expect.arrayContaining(["limit", "twin", "id"]));
    expect(at("Boat.li")).not.toContain("Boat");
    expect(at("Bo")).toContain("Boat");
    expect(at("Bo")).not.toContain("limit");
  });

  it("offers what the program names itself, but no argument and no comparison", () => {
    const program = "a = Boat.limit(3)\n;; c\nb = a.group_by(state, n=count)\na{x=";
    expect(labelsIn(program).map(({ name }) => name)).toEqual(["a", "b"]);
  });

  it("offers saved programs as calls, unless the program names something s itself (SAV-13)", () => {
    const saved = [{ name: "two_boats", description: "Two", parameters: [] }];
    const names = [...namesInPrompt(PROMPT), ...programNames(saved)];
    const at = (before: string) => offersAt(names, before).map(({ label }) => label);
    expect(at("x = s.tw")).toEqual(["two_boats"]);
    expect(at("")).toContain("s.two_boats");
    expect(at("Boat.li")).not.toContain("two_boats");
    expect(at("boats.tw")).not.toContain("two_boats");
    expect(at("s = Boat\ns.tw")).not.toContain("two_boats");
  });
});
