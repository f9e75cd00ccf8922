import { defineMessages } from "./messages.ts";

/** What can be wrong with a name: entity, label, symbol, step or method (errors specification, section 3). */
export const nameMessages = defineMessages({
  unknownSymbol: {
    code: "unknown_symbol",
    message: "%symbol% is not in the table.",
    fix: "use %range%",
  },
  wrongFamily: {
    code: "unknown_symbol",
    message: "%symbol% is %is%, %wanted% stands here.",
    fix: "use %range%",
  },
  unknownName: {
    code: "unknown_name",
    message: "%name% is neither a label nor an entity.",
    fix: "%nearest%Labels: %labels%. Entities: %entities%",
  },
  misplacedHandle: {
    code: "unknown_name",
    message: "%name% is neither a label nor an entity.",
    fix: "%place%",
  },
  foreignHead: {
    code: "unknown_name",
    message: "%name% is neither a label nor an entity.",
    fix: "%form%",
  },
  unboundLabel: {
    code: "unbound_label",
    message: "%label% is bound on line %line%, below its use.",
    fix: "move line %line% above this one, or quote the word: %quoted%",
  },
  ownLabel: {
    code: "unbound_label",
    message: "%label% is bound by this very line, line %line%.",
    fix: "bind it on a line above, or use another name",
  },
  ambiguousEntity: {
    code: "ambiguous_entity",
    message: "%name% is an entity of several catalogs.",
    fix: "write %entities%",
  },
  notExposed: {
    code: "not_exposed",
    message: "%name% is an entity of %catalog% that this session does not have yet.",
    fix: 'call plasm_context with the seed {"api": "%catalog%", "entity": "%entity%"}',
  },
  labelIsEntity: {
    code: "label_is_entity",
    message: "%label% is the name of an entity.",
    fix: "use another label, like %free%; the entity is %entity%",
  },
  labelIsEntityAlias: {
    code: "label_is_entity",
    message: "%label% is another name of the entity %entity%.",
    fix: "use another label, like %free%",
  },
  unknownMethod: {
    code: "unknown_method",
    message: "%name% is no method, relation or operator of %receiver%.",
    fix: "%nearest%%methods%",
  },
  droppedMethod: {
    code: "unknown_method",
    message: "The %kind% %name% of %entity% was not loaded: %why%",
    fix: "do without it, and say that the catalog %catalog% has to be corrected",
  },
  droppedRelation: {
    code: "relation_unavailable",
    message: "The %kind% %name% of %entity% was not loaded: %why%",
    fix: "do without it, and say that the catalog %catalog% has to be corrected",
  },
  droppedField: {
    code: "unknown_column",
    message: "The %kind% %name% of %entity% was not loaded: %why%",
    fix: "do without it, and say that the catalog %catalog% has to be corrected",
  },
  methodIsRelation: {
    code: "unknown_method",
    message: "%name% is a relation of %receiver%, not a method.",
    fix: "follow it without parentheses: .%name%",
  },
  methodIsOperator: {
    code: "unknown_method",
    message: "%name% is no operator here.",
    fix: "write %operator%",
  },
  notYet: {
    code: "unknown_method",
    message: "%what% cannot be planned by this version.",
    fix: "%instead%",
  },
  missingCall: {
    code: "missing_call",
    message: "%name% is a method of %receiver% and needs parentheses.",
    fix: "write %call%",
  },
  notNavigable: {
    code: "not_navigable",
    message: "%name% is a plain field of %receiver%, no step leads there.",
    fix: "read it as a column, [%name%]. Relations: %relations%",
  },
  relationAsValue: {
    code: "relation_as_value",
    message: "%name% is a relation of %receiver%, not a value of its row.",
    fix: "follow it as a step: .%name%",
  },
  relationLost: {
    code: "relation_lost",
    message: "These rows have lost their identity, so .%name% cannot be followed.",
    fix: "follow .%name% before %step%",
  },
  rowsOfNoEntity: {
    code: "relation_lost",
    message: "These rows are written in the program and of no entity, so .%name% leads nowhere.",
    fix: "read their columns: %columns%; or start from the rows of an entity",
  },
  relationUnavailable: {
    code: "relation_unavailable",
    message: "The relation %name% of %receiver% cannot be read.",
    fix: "%queries%",
  },
  needsTarget: {
    code: "needs_target",
    message: "%name% is called on one row of %receiver%.",
    fix: "name the row: %call%",
  },
  notSingletonCall: {
    code: "not_singleton",
    message: "%label% holds many rows; %name% takes one.",
    fix: "narrow it to one row: %label%.limit(1) or %label%.singleton()",
  },
  notSingletonEach: {
    code: "not_singleton",
    message: "%label% holds many rows; %name% takes one.",
    fix: "run it once per row: %form%. For one row alone: %label%.limit(1)",
  },
  notSingletonValue: {
    code: "not_singleton",
    message: "%label% holds many rows; one value is needed here.",
    fix: "narrow it to one row: %label%.limit(1) or %label%.singleton()",
  },
  notSingletonCondition: {
    code: "not_singleton",
    message: "%label% holds many rows; one value is needed here.",
    fix: "ask for those of all its rows: %form%. For one row alone: %label%.limit(1)",
  },
  noCursor: {
    code: "no_cursor",
    message: "_ is the row of a => body and means nothing here.",
    fix: "%form%",
  },
  policyDenied: {
    code: "policy_denied",
    message: "%name% of %entity% may no longer be used by this tenant.",
    fix: "whoever sets the tenant's policy for %catalog% decides; do without it",
  },
  onlyReads: {
    code: "policy_denied",
    message: "%name% of %entity% changes data, and this session only reads.",
    fix: "read here; to change data, open a session without read_only, with another intent",
  },
  duplicateLabel: {
    code: "duplicate_label",
    message: "%label% is bound already, on line %line%.",
    fix: "use another label, like %free%",
  },
  wrongReceiver: {
    code: "unknown_method",
    message: "%name% is called on %entity% itself, not on a row.",
    fix: "write %call%",
  },
});
