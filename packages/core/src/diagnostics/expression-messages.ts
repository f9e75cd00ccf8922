import { defineMessages } from "./messages.ts";

/** What can be wrong with a value that is computed (LANG-048, LANG-049). */
export const expressionMessages = defineMessages({
  operands: {
    code: "bad_operator",
    message: "%op% does not take %left% and %right%.",
    fix: "%fix%",
  },
  monthsAlone: {
    code: "bad_operator",
    message: "Months and years have no fixed number of days.",
    fix: "add them to a date, as in today + 3mo; a number of days is written 90d",
  },
  operand: {
    code: "bad_operator",
    message: "%op% does not take %found%.",
    fix: "%fix%",
  },
  bareWord: {
    code: "unquoted_text",
    message: "%word% is text here, as it names no label, and no value to compute with.",
    fix: "%fix%",
  },
  unknownFunction: {
    code: "unknown_name",
    message: "%name% is neither a function nor an entity.",
    fix: "%nearest%functions: %names%",
  },
  twoMeanings: {
    code: "argument_invalid",
    message: "%name% is a column of these rows and a label.",
    fix: "write _.%name% for the column, or give the label another name",
  },
  argumentCount: {
    code: "argument_missing",
    message: "%name% takes %takes%, and %found% are given.",
    fix: "write %form%",
  },
  ofAllRows: {
    code: "argument_invalid",
    message: "%name% takes a list, not %found%: here it stands for one row.",
    fix: "bind what all rows come to, and compare with it: all = ROWS.aggregate(n=%call%), then all.n",
  },
  argumentType: {
    code: "argument_invalid",
    message: "%name% takes %takes%, not %found%.",
    fix: "write %form%",
  },
  memberPath: {
    code: "argument_invalid",
    message: "%found% is not the path of a member.",
    fix: "%fix%",
  },
  impossible: {
    code: "bad_literal",
    message: "This has no value: %why%.",
    fix: "%fix%",
  },
  condition: {
    code: "bad_operator",
    message: "%found% is no condition: it is %type%.",
    fix: "compare it, like %form%",
  },
  rowsAsValue: {
    code: "relation_as_value",
    message: "%rows% is rows, not a value.",
    fix: "write what is asked of them: %count%, %exists%, or sum, avg, min, max of a column of theirs",
  },
  noRelation: {
    code: "unknown_name",
    message: "%found% is no relation to many of the row at hand.",
    fix: "%fix%",
  },
  relatedCondition: {
    code: "unknown_method",
    message: "%found% reads more than the related rows themselves.",
    fix: "compare their own columns with values or labels here, or read the related rows in a line of their own and group them",
  },
  relatedColumn: {
    code: "unknown_method",
    message: "%found% is a column of other rows than the related ones.",
    fix: "name a column of their own, or read the related rows in a line of their own and group them",
  },
  totalColumn: {
    code: "argument_missing",
    message: "%fn% takes a column of %relation%.",
    fix: "write %form%",
  },
  slot: {
    code: "argument_invalid",
    message: "%slot% takes %type%, but this is %found%.",
    fix: "%fix%",
  },
  unnamed: {
    code: "argument_missing",
    message: "A computed key needs a name.",
    fix: "write %form%",
  },
});
