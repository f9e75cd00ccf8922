import { defineMessages } from "./messages.ts";

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
