import { defineMessages } from "./messages.ts";

/** What can be wrong with a join of rows (LANG-090 to LANG-092). */
export const joinMessages = defineMessages({
  nameTaken: {
    code: "duplicate_column",
    message: "These rows have columns called %name% already, as those of the other side would be.",
    fix: "bind the other rows to a name of their own, like %form%, and join that label",
  },
  neverEqual: {
    code: "bad_operator",
    message: "%left% is %leftType% and %right% is %rightType%: they are never equal.",
    fix: "write %fix%",
  },
  swapped: {
    code: "unknown_column",
    message: "A pair names the column of the rows before the join first.",
    fix: "write %form%",
  },
  leftColumn: {
    code: "unknown_column",
    message:
      "%label% is no part of these rows: columns of the rows before a join keep their names.",
    fix: "write %form%",
  },
  onColumn: {
    code: "unknown_column",
    message: "%word% is no column here; a pair names a column of each side.",
    fix: "write %form%",
  },
});
