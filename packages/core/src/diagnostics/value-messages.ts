import { defineMessages } from "./messages.ts";

/** What can be wrong with a value, a key or an argument (errors specification, section 3). */
export const valueMessages = defineMessages({
  placeholder: {
    code: "placeholder",
    message: "%raw% stands for a value of %slot% that is still missing.",
    fix: "%slot% takes %type%, like %sample%",
  },
  placeholderOptions: {
    code: "placeholder",
    message: ".. stands for arguments of %name% that are still missing.",
    fix: "give one or more of %slots%, or leave .. out",
  },
  placeholderOptionsNone: {
    code: "placeholder",
    message: ".. stands for arguments, but %name% takes no optional ones.",
    fix: "leave .. out",
  },
  invalid: {
    code: "argument_invalid",
    message: "%slot% takes %type%, not %found%.",
    fix: "write %forms%",
  },
  otherRow: {
    code: "argument_invalid",
    message: "%slot% is %found%, but %name% is called on %target%.",
    fix: "give %slot% that row, or call %name% on the row that is meant",
  },
  neverSent: {
    code: "capability_unsatisfied",
    message:
      "%name% requires %slots%, and its request has no place for it: it would never be sent.",
    fix: "the catalog %entry% is wrong there: tell who maintains it; no program can call %name% rightly",
  },
  textAlone: {
    code: "argument_invalid",
    message: "%slot% takes a list, and %found% is one text.",
    fix: "write %form%",
  },
  listAmong: {
    code: "argument_invalid",
    message: "%slot% takes a list whose elements are no lists, and %found% is one.",
    fix: "write %form%",
  },
  noSegment: {
    code: "argument_invalid",
    message: "%slot% is a part of the path of the request, which cannot be %found%.",
    fix: "give %slot% another value",
  },
  farDate: {
    code: "bad_literal",
    message: "%raw% is too far from today.",
    fix: "move by at most 1,900 years, or write the date itself, as 2026-01-31; for text write %quoted%",
  },
  badOption: {
    code: "argument_invalid",
    message: "%found% is no option of %slot%.",
    fix: "%nearest%Options: %options%",
  },
  nullRefused: {
    code: "argument_invalid",
    message: "%slot% cannot be null here.",
    fix: "give %slot% %type%%instead%",
  },
  nullCondition: {
    code: "bad_operator",
    message: "null is only compared with = and !=.",
    fix: "write %slot% = null, %slot% != null or exists(%slot%)",
  },
  leadingZero: {
    code: "bad_literal",
    message: "A number has no leading zero.",
    fix: "write %plain%; where text is meant, %quoted%",
  },
  numberSize: {
    code: "bad_literal",
    message: "A number has at most 100 characters and an exponent from -400 to 400.",
    fix: "write a number like 12.5; where text is meant, quote it: %quoted%",
  },
  positional: {
    code: "argument_invalid",
    message: "Arguments of %name% are given by name.",
    fix: "write %form%",
  },
  duplicateArgument: {
    code: "argument_invalid",
    message: "%slot% is given twice.",
    fix: "keep one of the two",
  },
  unknownArgument: {
    code: "argument_unknown",
    message: "%name% takes no argument %slot%.",
    fix: "%nearest%Arguments: %slots%",
  },
  missingArguments: {
    code: "argument_missing",
    message: "%name% needs %slots%.",
    fix: "add %forms%",
  },
  holeType: {
    code: "argument_invalid",
    message: "%slot% takes %type%, but %word% is %found%.",
    fix: "use a column that is %type%, or write %forms%",
  },
  holeRow: {
    code: "argument_invalid",
    message: "%slot% takes %type%, but %word% is a row of several columns.",
    fix: "name one of its columns: %columns%",
  },
  holeEntity: {
    code: "wrong_entity",
    message: "%slot% refers to %wanted%, but %word% is a row of %found%.",
    fix: "use a row of %wanted%, or write %forms%",
  },
  wrongConstructor: {
    code: "wrong_entity",
    message: "%slot% refers to %wanted%, not to %found%.",
    fix: "write %forms%",
  },
  badKey: {
    code: "bad_key",
    message: "The key of %entity% is %parts%.",
    fix: "write %form%",
  },
  badKeyPart: {
    code: "bad_key",
    message: "%name% is no part of the key of %entity%.",
    fix: "write %form%",
  },
  noKey: {
    code: "bad_key",
    message: "%entity%() names no row.",
    fix: "write %form%%gets%",
  },
  keyless: {
    code: "bad_key",
    message: "Rows of %entity% stand in other rows and have no key.",
    fix: "%form%",
  },
  labelAsKey: {
    code: "bad_key",
    message: "%label% is a label, and only an entity takes a key.",
    fix: "write %label% alone, or the entity with its key",
  },
  pathAsText: {
    code: "argument_invalid",
    message: "%slot% takes a file, and a path in quotes would be its content.",
    fix: "write %form% for the file that is there",
  },
  fileElsewhere: {
    code: "argument_invalid",
    message: "file(%name%) is what an effect sends, and nothing else is made of it.",
    fix: "write it as an argument of a create, update, delete or action, alone or in a list",
  },
  inNeedsList: {
    code: "argument_invalid",
    message: "in takes a list or a column of a label, not %found%.",
    fix: "write %slot% in [%found%], or %slot% = %found%",
  },
});
