import { defineMessages } from "./messages.ts";

/** The words for mistakes of calls of saved programs (SAV-13, SAV-14). */
export const savedMessages = defineMessages({
  unknown: {
    code: "unknown_name",
    message: "s.%name% is not a saved program that this program carries.",
    fix: "plan it where programs are saved. There are: %names%",
  },
  argument: {
    code: "argument_unknown",
    message: "s.%program% takes no argument %name%.",
    fix: "%nearest%Arguments: %names%",
  },
  unnamed: {
    code: "argument_unknown",
    message: "s.%program% takes its arguments by name.",
    fix: "write name=value. Arguments: %names%",
  },
  twice: {
    code: "argument_unknown",
    message: "s.%program% is given %name% twice.",
    fix: "leave one of them out",
  },
  value: {
    code: "argument_invalid",
    message: "%name% of s.%program% cannot be %found%.",
    fix: "give %form%, or a label that is bound to one, or leave it out for %default%",
  },
  relative: {
    code: "argument_invalid",
    message: "%name% of s.%program% cannot be the relative date %found%.",
    fix: "give a date such as 2026-01-31: the program uses %name% for more than a comparison",
  },
  placeholder: {
    code: "placeholder",
    message: "%found% stands for a value of %name% that is still missing.",
    fix: "%name% takes %form%; leave it out for %default%",
  },
  results: {
    code: "unexpected_text",
    message: "s.%program% has %count% results.",
    fix: "call it on a line of its own, without label or steps; they are %labels%",
  },
  deep: {
    code: "too_large",
    message: "The calls of saved programs are too many.",
    fix: "at most %limit% are allowed, this has %actual%",
  },
  inside: {
    code: "argument_invalid",
    message: "s.%program% does not plan here: %message%",
    fix: "%correction%",
  },
});
