import { defineMessages } from "./messages.ts";

/** The words for `syntax`: the general one, and those for forms of other languages (section 2). */
export const syntaxMessages = defineMessages({
  method: {
    code: "syntax",
    message: "A value has no method %name%.",
    fix: "functions stand in front: write %form%",
  },
  expected: {
    code: "syntax",
    message: "%found% cannot stand here.",
    fix: "here may stand %expected%⟦, as in %example%⟧",
  },
  endsEarly: {
    code: "syntax",
    message: "The statement ends early.",
    fix: "here may stand %expected%⟦, as in %example%⟧",
  },
  extraComma: {
    code: "syntax",
    message: "A comma stands here without anything before it.",
    fix: "leave it out; here may stand %expected%⟦, as in %example%⟧",
  },
  literalStatement: {
    code: "syntax",
    message: "A statement begins with a name.",
    fix: "bind the literal, %form%, and name %label% on the next line",
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
    message: "A function is not an argument.",
    fix: "choose rows with conditions⟦, as in ‹found›⟧; make new rows with =>⟦, as in ‹derive›⟧⟦; call a method once per row, as in ‹each›⟧",
  },
  lambdaFilter: {
    code: "syntax",
    message: "A function is not an argument.",
    fix: "write %form%: conditions name the columns of the rows themselves",
  },
  sortArgument: {
    code: "syntax",
    message: "sort takes columns without a name in front.",
    fix: "write %form%",
  },
  rowIndex: {
    code: "syntax",
    message: "Rows are not taken by their number.",
    fix: "write %form%; in brackets stand columns⟦, as in [‹p›, ‹path›]⟧",
  },
  rowsByNumber: {
    code: "syntax",
    message: "Rows are not taken by their number.",
    fix: "write .limit(n) for the first n rows, behind .sort(column, desc) if their order matters; in brackets stand columns⟦, as in [‹p›, ‹path›]⟧",
  },
  allColumns: {
    code: "syntax",
    message: "* names no column.",
    fix: "leave [*] out for all columns; in brackets stand columns⟦, as in [‹p›, ‹path›]⟧",
  },
  madeColumn: {
    code: "syntax",
    message: "A projection takes columns as they are.",
    fix: "make rows of other names and of computed values: %form%",
  },
  foreignStep: {
    code: "syntax",
    message: "%found% is no step of the language.",
    fix: "write %form%",
  },
  starCounted: {
    code: "syntax",
    message: "* names no column.",
    fix: "write count, which counts rows, as in .aggregate(n=count)",
  },
  starColumn: {
    code: "syntax",
    message: "* names no column.",
    fix: "write a column⟦, as in %fn%(‹n›)⟧",
  },
  aggregateSign: {
    code: "syntax",
    message: "%found% names no aggregate.",
    fix: "write %form%, as in .aggregate(n=count)",
  },
  noArguments: {
    code: "syntax",
    message: "%step% takes nothing inside its parentheses.",
    fix: "write %step%()",
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
  jsonStatement: {
    code: "syntax",
    message: "A program stands by itself, not inside JSON.",
    fix: "write it as text⟦, as in ‹E›.limit(5)⟧; to return a literal, bind it first, as in found = [1, 2]",
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
  joinedValues: {
    code: "syntax",
    message: "%word% joins no values.",
    fix: "write %form%",
  },
  joinedArguments: {
    code: "syntax",
    message: "%word% joins no arguments.",
    fix: "arguments stand side by side, as in (p=v, p=v); only conditions can be alternatives⟦, as in ‹either›⟧",
  },
  joinedKeys: {
    code: "syntax",
    message: "%word% joins no keys.",
    fix: "an object holds all its keys, as in {a: 1, b: 2}; alternatives are two objects",
  },
  bareNot: {
    code: "syntax",
    message: "%word% needs braces and a condition.",
    fix: "write %path%=false, or not{exists(%path%)}",
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
    message: "%found% is no operator of the language.",
    fix: "write %form%",
  },
  bareCondition: {
    code: "syntax",
    message: "%path% alone is no condition.",
    fix: "compare it, as in %path%=true, or test it with exists(%path%)",
  },
  bareWord: {
    code: "syntax",
    message: "%word% alone is no condition.",
    fix: "write %form%",
  },
  existsBraces: {
    code: "syntax",
    message: "exists takes parentheses.",
    fix: "write %form%",
  },
  groupParens: {
    code: "syntax",
    message: "Conditions are not grouped with parentheses.",
    fix: "write %form%",
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
    fix: "write all{…}, any{…} or not{…}⟦, as in any{‹cond›, all{‹cond2›, ‹cond3›}}⟧",
  },
  filterParens: {
    code: "syntax",
    message: ".filter takes braces.",
    fix: "write %form%",
  },
  insideValue: {
    code: "syntax",
    message: "A query or step cannot stand inside a value.",
    fix: "bind it on a line above, %form%, and write %label% here",
  },
  valueHere: {
    code: "syntax",
    message: "A query or step cannot stand inside a value.",
    fix: "bind it on a line above, %form%, and write a literal or one column of %label% here",
  },
  valueBefore: {
    code: "syntax",
    message: "A query or step cannot stand inside a value.",
    fix: "bind it on a line above; a literal, the label or one of its columns can stand here",
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
    fix: "write one of asc and desc after each key⟦, as in .sort(‹p›, ‹n› desc)⟧",
  },
  unknownFunction: {
    code: "syntax",
    message: "%found% is no aggregate.",
    fix: "write count, count(x), sum(x), avg(x), min(x), max(x), first(x) or last(x), as in n=count",
  },
  joinForm: {
    code: "syntax",
    message: "A join names the other rows, then equal columns of both sides.",
    fix: "write %form%",
  },
  joinWithoutPair: {
    code: "syntax",
    message: "A join names the columns that are equal.",
    fix: "write .join(rows, left=right), a column of each side",
  },
  joinName: {
    code: "syntax",
    message: "This step is called %step% here.",
    fix: "write .%step% for .%name%",
  },
  otherJoin: {
    code: "syntax",
    message: "%name% is not a step.",
    fix: "write .left_join from the rows that are all to stay, or .join for those that meet",
  },
  joinedSteps: {
    code: "syntax",
    message: "The other rows of a join are a label, or a read without steps.",
    fix: "bind them first, %line%, and name %label%",
  },
  aggregateName: {
    code: "syntax",
    message: "An aggregate is named in front.",
    fix: "write %form%",
  },
  groupFirst: {
    code: "syntax",
    message: "group_by begins with a column.",
    fix: "name a column first⟦, as in .group_by(‹p›, n=count)⟧; for all rows in one use .aggregate(…)",
  },
  colonNotEquals: {
    code: "syntax",
    message: "A colon stands only between the key and the value of an object.",
    fix: "write %form%",
  },
  shortKey: {
    code: "syntax",
    message: "%key% has no value.",
    fix: "write %form%; behind each key stand a colon and a value⟦, as in {a: 1, b: _.‹p›}⟧",
  },
  conditionInParens: {
    code: "syntax",
    message: "%sign% compares nothing in parentheses.",
    fix: "conditions stand in braces: {%condition%}; in parentheses stand keys and arguments, as in (p=v, p=v)",
  },
  conditionCall: {
    code: "syntax",
    message: "%sign% compares nothing in parentheses.",
    fix: "conditions stand in braces: write %form%",
  },
  insideRow: {
    code: "syntax",
    message: "A query or step cannot stand inside a value.",
    fix: "a row of => is made of its own columns: read the other rows by themselves, on a line of their own⟦, as in ‹found›⟧",
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
  oneValue: {
    code: "syntax",
    message: "%found% is no list.",
    fix: "write %form%; behind in stands a list or a label's column⟦, as in ‹oneOf›⟧",
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
  dollarLabel: {
    code: "syntax",
    message: "Labels stand without $.",
    fix: "write %name% in place of %found%",
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
