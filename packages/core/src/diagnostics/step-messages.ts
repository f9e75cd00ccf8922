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
