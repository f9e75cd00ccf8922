import type { NameCode, TextCode } from "../src/diagnostics/codes.ts";

/** A program with one mistake, and what its error must say (errors specification, sections 2 and 3). */
export interface ErrorExample {
  readonly program: string;
  /** `line:column` of the error */
  readonly at: string;
  /** the text the span covers; empty where something is missing */
  readonly marks: string;
  /** what message and correction hold */
  readonly says: readonly string[];
  /** the program it suggests, null for none */
  readonly suggests: string | null;
  /** what the session holds; quay unless said */
  readonly session?: "quay and yard" | "boats" | "farm" | "no search";
}

const example = (
  program: string,
  at: string,
  marks: string,
  says: readonly string[],
  suggests: string | null = null,
): ErrorExample => ({ program, at, marks, says, suggests });

const deep = `Boat{length in ${"[".repeat(64)}1${"]".repeat(64)}}`;

/** Each code of text and syntax. */
export const TEXT_ERRORS: Readonly<Record<TextCode, readonly ErrorExample[]>> = {
  too_large: [example(deep, "1:79", "[", ["64", "65"])],
  unexpected_char: [
    example("Boat # all", "1:6", "#", ["U+0023", ";;"], "Boat ;; all"),
    example("Boat{name=“Al”}", "1:11", "“", ["U+201C", '"'], 'Boat{name="Al"}'),
    example("```\nBoat\n```", "1:1", "```", ["U+0060"], "Boat\n"),
  ],
  unterminated_string: [example('Person("a\nb")', "1:8", '"a', ['"', "\\n", "<<"])],
  bad_escape: [example('Person("\\q")', "1:9", "\\q", ["\\n", "\\\\"], 'Person("\\\\q")')],
  bad_literal: [
    example("Boat{built<2026-02-30}", "1:12", "2026-02-30", ['"2026-02-30"']),
    example("Boat{length=007}", "1:13", "007", ["7"], "Boat{length=7}"),
  ],
  unquoted_text: [
    example("Boat{name=Sea Star}", "1:11", "Sea Star", ['"Sea Star"'], 'Boat{name="Sea Star"}'),
  ],
  bad_heredoc: [example("n = <<\nn", "1:5", "<<", ["<<TAG"])],
  unterminated_heredoc: [
    example('Boat("b1").send(to=a, note=<<MSG\nhi\nthere\nMSG ok)', "1:28", "<<MSG", [
      "MSG",
      "line 4",
      "ok)",
    ]),
  ],
  unclosed_bracket: [
    example("Boat{state=lost\nPerson", "1:16", "", ["1:5", "}"], "Boat{state=lost}\nPerson"),
  ],
  line_break: [example("Boat\n[id]", "2:1", "[", ["Boat[id]"], "Boat[id]")],
  syntax: [
    example("Boat{state==lost}", "1:11", "==", ["="], "Boat{state=lost}"),
    example("Boat{state=lost && owner=ann}", "1:17", "&&", [","], "Boat{state=lost, owner=ann}"),
    example("Boat{owner=Person{}}", "1:12", "Person{}", ["="]),
  ],
  unexpected_text: [
    example("Boat limit(5)", "1:6", "limit", [".limit(5)"], "Boat.limit(5)"),
    example("return Boat", "1:1", "return", [], "Boat"),
  ],
  empty_program: [example(";; nothing", "1:11", "", ["Boat"])],
  no_result: [example("x = Boat", "1:9", "", ["x"], "x = Boat\nx")],
  empty_list: [example("Boat{any{}}", "1:6", "any{}", [])],
  not_alone: [example("page(s0_pg1)\nBoat", "1:1", "page(s0_pg1)", ["page(s0_pg1)"])],
  bad_label: [example("e1 = Boat\nPerson", "1:1", "e1", [])],
  duplicate_label: [example("a = Boat\na = Log(1)\na", "2:1", "a", ["line 1"])],
  label_is_entity: [example("Boat = Log(1)\nPerson", "1:1", "Boat", [])],
};

/** Each code of names and types. */
export const NAME_ERRORS: Readonly<Record<NameCode, readonly ErrorExample[]>> = {
  placeholder: [
    example("Boat($)", "1:6", "$", ["id", "str"]),
    example('Boat("b1").update(..)', "1:19", "..", ["name", "state", "note"]),
  ],
  unknown_symbol: [example("e99", "1:1", "e99", ["e1..e"])],
  unknown_name: [example("Bot", "1:1", "Bot", ["Boat"], "Boat")],
  unbound_label: [example("Person(x)\nx = Boat", "1:8", "x", ["line 2"])],
  ambiguous_entity: [
    { ...example("Boat", "1:1", "Boat", ["e1", "quay", "yard"]), session: "quay and yard" },
  ],
  not_exposed: [
    { ...example("Log(1)", "1:1", "Log", ["plasm_context", "quay", "Log"]), session: "boats" },
  ],
  unknown_slot: [example("Boat{colour=red}", "1:6", "colour", ["owner", "state"])],
  unknown_column: [
    example("Boat[nme]", "1:6", "nme", ["name"], "Boat[name]"),
    example("Boat[id].sort(length)", "1:15", "length", ["[id]", "before"]),
  ],
  argument_unknown: [example('Boat("b1").send(to=a, txt=b)', "1:23", "txt", ["note"])],
  unknown_method: [
    example('Boat("b1").pong()', "1:12", "pong", ["ping"], 'Boat("b1").ping()'),
    example("Boat.count()", "1:6", "count", ["aggregate(n=count)"], "Boat.aggregate(n=count)"),
  ],
  missing_call: [example('Boat("b1").ping', "1:12", "ping", ["ping()"])],
  not_navigable: [example('Boat("b1").name', "1:12", "name", ["[name]"])],
  relation_as_value: [example("Boat.sort(visits)", "1:11", "visits", [".visits"])],
  relation_lost: [example("Boat.group_by(owner).visits", "1:22", "visits", ["visits"])],
  relation_unavailable: [
    { ...example("Farm(7).crops", "1:9", "crops", ["Crop.one(farm=…)"]), session: "farm" },
  ],
  needs_target: [example("Boat.ping()", "1:6", "ping", ["Boat(", ".ping("])],
  not_singleton: [
    example(
      "late = Boat{state=lost}\nlate.ping()",
      "2:1",
      "late",
      ["row"],
      "late = Boat{state=lost}\nlate => Boat(_.id).ping()",
    ),
  ],
  no_cursor: [example("Boat(_.id)", "1:6", "_.id", ["=>"])],
  bad_key: [example('Visit("x")', "1:7", '"x"', ["boat", "day"])],
  wrong_entity: [example('Visit(boat=Person("a"), day=2026-01-05)', "1:12", "Person", ["Boat("])],
  no_search: [example("Person~x", "1:1", "Person", ["name~x"])],
  argument_missing: [example('Boat.create(name="x")', "1:21", "", ["owner Person(str)"])],
  argument_invalid: [
    example("Boat{state=losst}", "1:12", "losst", ["state", "lost"], "Boat{state=lost}"),
  ],
  bad_operator: [example("Boat{flags>1}", "1:11", ">", ["=", "!=", "~"])],
  predicate_unsupported: [example("Boat{near!=x}", "1:6", "near", ["="])],
  capability_ambiguous: [
    { ...example("Farm{x=1}", "1:1", "Farm", ["Farm.by-x(…)", "Farm.at-x(…)"]), session: "farm" },
  ],
  capability_unsatisfied: [example("Visit", "1:1", "Visit", ["boat"])],
  bad_count: [example("Boat.limit(0)", "1:12", "0", ["1", "100000"])],
  duplicate_column: [example("Boat[id,id]", "1:9", "id", ["1:6"])],
  bad_column_type: [example("Boat.sort(flags)", "1:11", "flags", ["name"])],
  effect_in_value: [
    example("a = Boat.limit(2)\na => {x: Boat(_.id).ping()}", "2:20", ".ping()", [
      "found = a => Boat(_.id).ping()",
    ]),
  ],
  template_error: [
    example(
      "Boat <<T\n{{ rows[0].nme }}\nT",
      "2:12",
      "nme",
      ["name"],
      "Boat <<T\n{{ rows[0].name }}\nT",
    ),
  ],
  policy_denied: [{ ...example('Boat~"Al"', "1:1", "Boat", ["quay"]), session: "no search" }],
};
