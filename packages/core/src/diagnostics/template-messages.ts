import { defineMessages } from "./messages.ts";

/**
 * What can be wrong with a template of a program (LANG-080, LANG-081). `place` is the line and column in
 * the template, `columns` what a row of `rows` has.
 */
export const templateMessages = defineMessages({
  grammar: {
    code: "template_error",
    message: "%problem%",
    fix: "%place%; columns of rows: %columns%",
  },
  unknownName: {
    code: "template_error",
    message: "%name% is no name of this template.",
    fix: "%place%: %nearest%Names: %names%; columns of rows: %columns%",
  },
  laterLabel: {
    code: "template_error",
    message: "%name% is bound on line %line%, below this template.",
    fix: "%place%: move line %line% above this one. Names: %names%; columns of rows: %columns%",
  },
  ownLabel: {
    code: "template_error",
    message: "%name% is what this template makes, it cannot read itself.",
    fix: "%place%: use another name. Names: %names%; columns of rows: %columns%",
  },
  twoMeanings: {
    code: "template_error",
    message: "%name% is a name of this program, and one that the template may set.",
    fix: "%place%: set another name, like %free%. Names: %names%; columns of rows: %columns%",
  },
  column: {
    code: "template_error",
    message: "%problem%",
    fix: "%place%: %fix%",
  },
  columnAmong: {
    code: "template_error",
    message: "%problem%",
    fix: "%place%: %fix%. Columns: %columns%",
  },
  memberOfList: {
    code: "template_error",
    message: "%name% is a list of rows and has no %key%.",
    fix: "%place%: loop over it, or read one row, like %form%. Columns: %columns%",
  },
  itemOfRow: {
    code: "template_error",
    message: "%name% is one row, not a list.",
    fix: "%place%: read its columns, like %form%. Columns: %columns%",
  },
  brokenPath: {
    code: "template_error",
    message: "%name% is a reference; what it refers to is read with its path in one piece.",
    fix: "%place%: write the whole path where it is read, like %form%. Columns: %columns%",
  },
  foreignColumn: {
    code: "template_error",
    message:
      "%path%, a field of another entity, cannot be read: nothing reads one %target% by its key.",
    fix: "%place%: read the reference alone, %name%. Columns: %columns%",
  },
});
