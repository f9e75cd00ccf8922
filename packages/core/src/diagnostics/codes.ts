/** Codes of text and syntax (errors specification, section 2). */
export const textCodes = [
  "too_large",
  "unexpected_char",
  "unterminated_string",
  "bad_escape",
  "bad_literal",
  "unquoted_text",
  "bad_heredoc",
  "unterminated_heredoc",
  "unclosed_bracket",
  "line_break",
  "syntax",
  "unexpected_text",
  "empty_program",
  "no_result",
  "empty_list",
  "not_alone",
  "bad_label",
  "duplicate_label",
  "label_is_entity",
] as const;

/** Codes of names and types (section 3). */
export const nameCodes = [
  "placeholder",
  "unknown_symbol",
  "unknown_name",
  "unbound_label",
  "ambiguous_entity",
  "not_exposed",
  "unknown_slot",
  "unknown_column",
  "argument_unknown",
  "unknown_method",
  "missing_call",
  "not_navigable",
  "relation_as_value",
  "relation_lost",
  "relation_unavailable",
  "needs_target",
  "not_singleton",
  "no_cursor",
  "bad_key",
  "wrong_entity",
  "no_search",
  "argument_missing",
  "argument_invalid",
  "bad_operator",
  "predicate_unsupported",
  "capability_ambiguous",
  "capability_unsatisfied",
  "bad_count",
  "duplicate_column",
  "bad_column_type",
  "effect_in_value",
  "template_error",
  "policy_denied",
] as const;

/** Codes of a run (section 4). */
export const runCodes = [
  "singleton_count",
  "no_row",
  "null_value",
  "not_found",
  "partial_source",
  "precondition_failed",
  "budget_exceeded",
  "template_failed",
  "identity_missing",
  "upstream_error",
  "rate_limited",
  "timeout",
  "decode",
  "response_not_json",
  "response_too_large",
  "origin_refused",
  "auth_missing",
  "auth_refused",
  "effect_in_doubt",
  "replay_miss",
  "catalog_changed",
  "internal",
] as const;

export type TextCode = (typeof textCodes)[number];
export type NameCode = (typeof nameCodes)[number];
/** A code of an error that only a run can have (ERR-011). */
export type RunCode = (typeof runCodes)[number];

/** Every code an error may carry; a code never changes its meaning (ERR-011). */
export type ErrorCode = TextCode | NameCode | RunCode;
