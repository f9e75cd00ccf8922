import { defineMessages } from "./messages.ts";

/** The words for `syntax`: the general one, and those for forms of other languages (section 2). */
export const syntaxMessages = defineMessages({
  expected: {
    code: "syntax",
    message: "%found% cannot stand here.",
    fix: "here may stand %expected%, as in %example%",
  },
  endsEarly: {
    code: "syntax",
    message: "The statement ends early.",
    fix: "here may stand %expected%, as in %example%",
  },
  literalStatement: {
    code: "syntax",
    message: "A statement begins with a name.",
    fix: "bind the literal and name it on the next line, as in: %form%",
  },
  foreignOperator: {
    code: "syntax",
    message: "%found% is no operator of the language.",
    fix: "write %form%; operators are = != > >= < <= ~ in",
  },
  assignment: {
    code: "syntax",
    message: "%found% binds nothing.",
    fix: "write %form%",
  },
  missingComma: {
    code: "syntax",
    message: "A comma is missing before %next%.",
    fix: "write a comma, which means and: %form%",
  },
  missingSeparator: {
    code: "syntax",
    message: "A comma is missing before %next%.",
    fix: "write a comma between them: %form%",
  },
  lambda: {
    code: "syntax",
    message: "A function is no argument.",
    fix: "choose rows with conditions, rows{length>10}; make new rows with rows => {name: _.name}; call once per row with rows => Boat(_.id).ping()",
  },
  sortArgument: {
    code: "syntax",
    message: "sort takes columns without a name in front.",
    fix: "write %form%",
  },
  rowIndex: {
    code: "syntax",
    message: "Rows are not taken by their number.",
    fix: "write %form%; in brackets stand columns, as in [id, owner.name]",
  },
  foreignStatement: {
    code: "syntax",
    message: "%found% begins no statement.",
    fix: "%form%",
  },
  listMark: {
    code: "syntax",
    message: "A statement begins with a name.",
    fix: "write each statement without numbers or marks before it",
  },
  wrappedProgram: {
    code: "syntax",
    message: "A program stands by itself, not inside %what%.",
    fix: "send its text alone: %form%",
  },
  argumentSign: {
    code: "syntax",
    message: "%found% names no argument.",
    fix: "write %form%",
  },
  wordAnd: {
    code: "syntax",
    message: "%word% is no operator of the language.",
    fix: "write a comma, which means and: %form%",
  },
  wordOr: {
    code: "syntax",
    message: "%word% is no operator of the language.",
    fix: "write any{…}: %form%",
  },
  wordNot: {
    code: "syntax",
    message: "%word% needs braces.",
    fix: "write not{…}: %form%",
  },
  notIn: {
    code: "syntax",
    message: "not in is no operator of the language.",
    fix: "write not{…} around it: %form%",
  },
  isNull: {
    code: "syntax",
    message: "is is no operator of the language.",
    fix: "write %form%",
  },
  bareCondition: {
    code: "syntax",
    message: "%path% alone is no condition.",
    fix: "compare it, as in %path%=true, or test it with exists(%path%)",
  },
  bracesNotParens: {
    code: "syntax",
    message: "%word% takes braces.",
    fix: "write %word%{…}: %form%",
  },
  foreignGroup: {
    code: "syntax",
    message: "%found% is no group of conditions.",
    fix: "write %form%; the groups are any{…} for or, all{…} for and, not{…}",
  },
  groupedCondition: {
    code: "syntax",
    message: "Conditions are not grouped with parentheses.",
    fix: "write all{…}, any{…} or not{…}, as in any{a=1, all{b=2, c=3}}",
  },
  filterParens: {
    code: "syntax",
    message: ".filter takes braces.",
    fix: "write .filter{…}, as in .filter{state=lost}",
  },
  insideValue: {
    code: "syntax",
    message: "A query or step cannot stand inside a value.",
    fix: "bind it on a line above, %form%, and write %label% here",
  },
  descendingSign: {
    code: "syntax",
    message: "A minus sorts nothing.",
    fix: "write %form%",
  },
  sortWord: {
    code: "syntax",
    message: "%word% is no direction.",
    fix: "write asc or desc: %form%",
  },
  twoDirections: {
    code: "syntax",
    message: "%path% has a direction already.",
    fix: "write one of asc and desc after each key, as in .sort(name, length desc)",
  },
  unknownFunction: {
    code: "syntax",
    message: "%found% is no aggregate.",
    fix: "write count, count(x), sum(x), avg(x), min(x) or max(x), as in n=count",
  },
  aggregateName: {
    code: "syntax",
    message: "An aggregate is named in front.",
    fix: "write %form%",
  },
  groupFirst: {
    code: "syntax",
    message: "group_by begins with a column.",
    fix: "name a column first, as in .group_by(owner, n=count); for all rows in one use .aggregate(…)",
  },
  colonNotEquals: {
    code: "syntax",
    message: "A colon stands only between the key and the value of an object.",
    fix: "write %form%",
  },
  equalsNotColon: {
    code: "syntax",
    message: "The key of an object is followed by a colon.",
    fix: "write %form%",
  },
  quotedName: {
    code: "syntax",
    message: "Names stand without quotes.",
    fix: "write %name%",
  },
  listParens: {
    code: "syntax",
    message: "A list stands in square brackets.",
    fix: "write %form%",
  },
  hyphenKey: {
    code: "syntax",
    message: "A key with this character needs quotes.",
    fix: "write %form%",
  },
  dollarName: {
    code: "syntax",
    message: "%found% is no value: $ alone is a placeholder, and labels stand without it.",
    fix: "write the label, as %name%, or the text in quotes",
  },
  limitOfPage: {
    code: "syntax",
    message: "%op% takes the handle only.",
    fix: "write %form%; limit belongs to page",
  },
});
