import { defineMessages } from "./messages.ts";

/** What can be wrong with conditions and with the capability they lead to (RUN-110 to RUN-112). */
export const conditionMessages = defineMessages({
  unknownSlot: {
    code: "unknown_slot",
    message: "%name% is no condition of %entity%.",
    fix: "%nearest%Conditions: %names%",
  },
  badOperator: {
    code: "bad_operator",
    message: "%op% does not compare %name%, which is %type%.",
    fix: "%name% takes %operators%",
  },
  textOrder: {
    code: "bad_operator",
    message: '%name% is text, which %op% orders by its characters ("100" before "90").',
    fix: "write number(%name%) %op% %raw% to compare numbers; %quoted% compares as text",
  },
  sentOnly: {
    code: "predicate_unsupported",
    message: "%name% can only be sent, and only with = or in.",
    fix: "use %form%, sent to %labels%, or a column of %entity% with %op%",
  },
  sentOnlyInside: {
    code: "predicate_unsupported",
    message: "%name% can only be sent, and only as a condition of its own with =.",
    fix: "take it out of the %group%: it stands beside it as %form%, sent to %labels%",
  },
  sentOnlyLater: {
    code: "predicate_unsupported",
    message: "%name% can only be sent, and these rows are read already.",
    fix: "put %form% before %step%; %labels% takes it with =",
  },
  sentOnlyInList: {
    code: "predicate_unsupported",
    message: "%name% can only be sent, and a row that is named takes no conditions.",
    fix: "ask the list: %list%; %labels% takes it with =",
  },
  searchText: {
    code: "predicate_unsupported",
    message: "%name% is the text of a search.",
    fix: "search for it: %form%",
  },
  sentElsewhere: {
    code: "predicate_unsupported",
    message: "%name% is a parameter of %labels%, which cannot serve the other conditions.",
    fix: "leave %name% or the others out; %name% takes = with %labels%",
  },
  unlisted: {
    code: "predicate_unsupported",
    message: "%label% of %entity% gives only rows with %name%=%value%: others cannot be tested.",
    fix: "%forms%",
  },
  sentTwice: {
    code: "predicate_unsupported",
    message: "%name% is given two values, and it can only be sent.",
    fix: "keep one %name%=…; it goes to %labels%",
  },
  foreignField: {
    code: "predicate_unsupported",
    message:
      "%path%, a field of another entity, cannot be tested: nothing reads one %target% by its key.",
    fix: "read those rows first and use in: found = %target%{%field%…}, then %name% in found.%key%",
  },
  ambiguousCapability: {
    code: "capability_ambiguous",
    message: "%labels% of %entity% fit equally well.",
    fix: "say which: %forms%",
  },
  defaultDropped: {
    code: "capability_unsatisfied",
    message: "%entity% alone means its list %name%, which was not loaded: %why%",
    fix: "%forms%say that the catalog %catalog% has to be corrected",
  },
  unsatisfied: {
    code: "capability_unsatisfied",
    message: "No list of %entity% can be read with these conditions.",
    fix: "%missing%",
  },
  noList: {
    code: "capability_unsatisfied",
    message: "%entity% has no list.",
    fix: "%forms%",
  },
  noGet: {
    code: "capability_unsatisfied",
    message: "%entity% cannot be read by its key.",
    fix: "%forms%",
  },
  noSearch: {
    code: "no_search",
    message: "%name% has no search.",
    fix: "%forms%",
  },
  labelSearch: {
    code: "no_search",
    message: "%name% is a label, and only an entity is searched.",
    fix: "%form%",
  },
});
