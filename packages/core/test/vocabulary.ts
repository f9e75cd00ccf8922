import fc from "fast-check";

const vocabulary = fc.constantFrom(
  ..."Boat Person Visit Log e1 e3 e99 m2 m99 p1 p8 p99 owner state id day visits logs boats papers".split(
    " ",
  ),
  ..."limit page_size sort filter get query query-owner search count aggregate distinct singleton".split(
    " ",
  ),
  ..."( ) [ ] { } , . = != > >= ~ => << <<T ;; .. $ _ a b x".split(" "),
  ..."12 -0 007 1e999 2026-01-05 today-7d in not any{ exists( desc null true lost".split(" "),
  ..."page( ann.b T é".split(" "),
  "\n",
  " ",
  '"',
  '"b1"',
  "\u0000",
);

/** Words of the language and of the fixtures in any order. */
export const vocabularySoup: fc.Arbitrary<string> = fc
  .array(vocabulary, { maxLength: 30 })
  .map((words) => words.join(""));
