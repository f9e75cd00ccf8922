import { defineMessages } from "./messages.ts";

/** What can be wrong with columns and row steps (LANG-060 to LANG-066). */
export const stepMessages = defineMessages({
  unknownColumn: {
    code: "unknown_column",
    message: "%name% is no column of %rows%.",
    fix: "%nearest%Columns: %columns%",
  },
  lostColumn: {
    code: "unknown_column",
    message: "%name% is no column any more: %step% left it out.",
    fix: "put this before %step%, or name %name% there. Columns now: %columns%",
  },
  noParts: {
    code: "unknown_column",
    message: "%name% is %type% and has no part %part%.",
    fix: "read %name% itself; only json and references have parts",
  },
  datePart: {
    code: "unknown_column",
    message: "%name% is %type% and has no part %part%.",
    fix: "write %part%(…) of it, as in %part%(_.%name%)",
  },
  tooFar: {
    code: "unknown_column",
    message: "%path% follows more than %most% references.",
    fix: "bind the rows on the way and go on from there",
  },
  foreignColumn: {
    code: "unknown_column",
    message: "%path%, a field of another entity, cannot be planned as a column by this version.",
    fix: "follow the reference as a step: .%name%[%field%]",
  },
  unreadableColumn: {
    code: "relation_unavailable",
    message: "%path% cannot be read: nothing reads %target%.",
    fix: "read the reference alone, [%name%]",
  },
  columnOfLists: {
    code: "relation_unavailable",
    message: "%path% cannot be read: nothing reads one %target% by its key.",
    fix: "read the reference alone, [%name%], or its lists by themselves: %lists%",
  },
  countPlaceholder: {
    code: "placeholder",
    message: "%raw% stands for a number that is still missing.",
    fix: "%step% takes a whole number from 1 to %most%, like .%step%(10)",
  },
  duplicateColumn: {
    code: "duplicate_column",
    message: "The column %name% is there twice, at %first% and %second%.",
    fix: "leave one of them out",
  },
  groupsInOne: {
    code: "unknown_method",
    message: "%step% makes one row of all groups, not a row of each.",
    fix: "for a row of each group write .group_by(%keys%, %aggs%); to count the groups .distinct(%keys%).aggregate(n=count)",
  },
  badColumnType: {
    code: "bad_column_type",
    message: "Rows cannot be %what% by %name%, which is %type%.",
    fix: "use one of %columns%",
  },
  badAggregateType: {
    code: "bad_column_type",
    message: "%fn% cannot be taken of %name%, which is %type%.",
    fix: "use one of %columns%; count(%name%) counts its values",
  },
});

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

/** What can be wrong inside an argument that is an object, list or union, or among arguments (RUN-016). */
export const inputMessages = defineMessages({
  invalid: {
    code: "argument_invalid",
    message: "%slot% takes %type%, not %found%.",
    fix: "write a value like %sample%",
  },
  unknownMember: {
    code: "argument_unknown",
    message: "%slot% has no member %name%.",
    fix: "%nearest%Members: %members%",
  },
  missingMembers: {
    code: "argument_missing",
    message: "%slot% lacks %members%.",
    fix: "add %forms%",
  },
  duplicateMember: {
    code: "argument_invalid",
    message: "%name% is given twice in %slot%.",
    fix: "keep one of the two",
  },
  listLength: {
    code: "argument_invalid",
    message: "%slot% has %found% elements.",
    fix: "give %wanted%",
  },
  unknownVariant: {
    code: "argument_invalid",
    message: "%found% is no variant of %slot%.",
    fix: "%nearest%Variants by %field%: %variants%",
  },
  openVariant: {
    code: "argument_invalid",
    message: "%slot% is told apart by %field%, which must be written out.",
    fix: "write %field% with one of its variants: %variants%",
  },
  noVariant: {
    code: "argument_invalid",
    message: "%slot% lacks %field%, which tells its variants apart.",
    fix: "add %field% with one of its variants: %variants%",
  },
  brokenRule: {
    code: "argument_invalid",
    message: "%slot% breaks a rule of %name%: %rule%.",
    fix: "%rule%",
  },
  brokenRules: {
    code: "argument_invalid",
    message: "The arguments break a rule of %name%: %rule%.",
    fix: "%rule%",
  },
});
