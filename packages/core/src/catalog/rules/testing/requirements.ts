/**
 * How a violated requirement is told: `error` and `warning` are diagnostics of the files; `run` is an
 * error of the request, `behaviour` is nothing a file can violate.
 */
export type Told = "error" | "warning" | "run" | "behaviour";

const numbers = (format: "CAT" | "MAP", all: string): readonly string[] =>
  all.split(" ").map((each) => `${format}-${each}`);

const TOLD: readonly (readonly [Told, readonly string[]])[] = [
  ["warning", numbers("CAT", "001 004 021 022 032 075 079 081 082")],
  ["error", numbers("CAT", "002 003 005 010 011 012 013 016 017 020 023 024")],
  ["error", numbers("CAT", "030 031 033 034 035 040 041 042 043 044 045 046")],
  ["error", numbers("CAT", "060 061 062 063 070 071 072 074 076 077 078 080")],
  ["error", numbers("CAT", "090 091 092 093 094 110 111 112 113 114 115")],
  [
    "error",
    numbers(
      "CAT",
      "120 121 122 123 124 125 126 140 141 142 143 144 145 146 147 148 150 151 152 153 160",
    ),
  ],
  ["behaviour", numbers("CAT", "014 015")],
  ["warning", numbers("MAP", "001 003 004 018")],
  ["error", numbers("MAP", "002 005 010 011 013 014 015 016 017 020 021 024 026 030 031 034")],
  ["error", numbers("MAP", "040 041 042 043 044 045 050 051 052")],
  ["run", numbers("MAP", "012 022 053")],
  ["behaviour", numbers("MAP", "023 032 033 046 054")],
];

/** Every requirement of both formats by number, and how its violation is told. */
export const requirements: ReadonlyMap<string, Told> = new Map(
  TOLD.flatMap(([told, rules]) => rules.map((rule) => [rule, told] as const)),
);

/** Those that a file can violate: each is a diagnostic under its own number. */
export const violable: readonly string[] = [...requirements]
  .filter(([, told]) => told === "error" || told === "warning")
  .map(([rule]) => rule);
