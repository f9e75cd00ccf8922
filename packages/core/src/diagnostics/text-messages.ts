import { defineMessages } from "./messages.ts";

/** The words for mistakes of text: characters, literals, heredocs, brackets, lines, labels (section 2). */
export const textMessages = defineMessages({
  tooLarge: {
    code: "too_large",
    message: "%what% is too large.",
    fix: "at most %limit% are allowed, this has %actual%",
  },

  strangeChar: {
    code: "unexpected_char",
    message: "%char% is no character of the language.",
    fix: "%point% may stand only inside quotes: write %plain% in its place",
  },
  strangeCharOutside: {
    code: "unexpected_char",
    message: "%char% is no character of the language.",
    fix: '%point% may stand only inside quotes or a heredoc: take it out, or write the text as "…"',
  },
  strangeCharInValue: {
    code: "unexpected_char",
    message: "%char% may stand only inside quotes.",
    fix: "%point% needs quotes: write %quoted%",
  },
  strangeCharInLiteral: {
    code: "unexpected_char",
    message: "%char% may stand only inside quotes.",
    fix: "%point% is typographic: write %plain%, or quotes around it for text",
  },
  strangeBlank: {
    code: "unexpected_char",
    message: "%point% is no blank of the language.",
    fix: "%point% may stand only inside quotes: write a plain blank (U+0020) in its place",
  },
  noBlank: {
    code: "unexpected_char",
    message: "%point% is no blank of the language.",
    fix: "%point% may stand only inside quotes: take it out",
  },
  strangeLineEnd: {
    code: "unexpected_char",
    message: "%point% ends no line of the language.",
    fix: "%point% may stand only inside quotes: write a line end (U+000A) in its place",
  },
  controlInString: {
    code: "unexpected_char",
    message: "%point% may not stand raw in a string.",
    fix: "write %point% as the escape %escape%",
  },
  forbiddenUnit: {
    code: "unexpected_char",
    message: "%point% may stand nowhere in a program.",
    fix: "take %point% out",
  },
  otherCommentSign: {
    code: "unexpected_char",
    message: "%sign% starts no comment.",
    fix: "%sign% (%point%) is no comment sign: start a comment with ;;",
  },
  semicolon: {
    code: "unexpected_char",
    message: "A single ; means nothing.",
    fix: "leave ; (U+003B) out: a statement ends with its line, ;; starts a comment",
  },
  semicolonBetween: {
    code: "unexpected_char",
    message: "A single ; means nothing.",
    fix: "write a new line in place of ; (U+003B): one statement per line, ;; starts a comment",
  },
  semicolonComment: {
    code: "unexpected_char",
    message: "A single ; means nothing.",
    fix: "a comment starts with ;; in place of ; (U+003B), a statement with a line of its own",
  },
  semicolonItem: {
    code: "unexpected_char",
    message: "A single ; separates nothing.",
    fix: "write a comma in place of ; (U+003B); ;; starts a comment",
  },
  commentedCloser: {
    code: "unexpected_char",
    message: "%sign% starts no comment.",
    fix: "%sign% (%point%) is no comment sign: a comment starts with ;; and takes the rest of its line, so write it behind %close%; text that holds %sign% needs quotes",
  },
  fence: {
    code: "unexpected_char",
    message: "A program stands without a fence.",
    fix: "send the program alone, without the lines of %sign% (U+0060)",
  },

  unterminatedString: {
    code: "unterminated_string",
    message: "The string has no closing quote on its line.",
    fix: "close it with %quote%; for several lines write \\n, or a heredoc: <<TEXT, newline, the lines, newline, TEXT",
  },
  badEscape: {
    code: "bad_escape",
    message: "%escape% is no escape.",
    fix: "legal are \\n \\t \\r \\b \\f \\/ \\\\ \\\" \\' \\uXXXX, surrogates in pairs; for a backslash itself write %doubled%",
  },
  nullEscape: {
    code: "bad_escape",
    message: "%escape% stands for U+0000, which text may not hold.",
    fix: "leave %escape% out; legal are \\n \\t \\r \\b \\f \\/ \\\\ \\\" \\' \\uXXXX; for a backslash itself write %doubled%",
  },
  badDate: {
    code: "bad_literal",
    message: "%raw% is no date.",
    fix: "write an existing date, as 2026-01-31 or 2026-01-31T09:30:00Z; for text write %quoted%",
  },
  badNumber: {
    code: "bad_literal",
    message: "%raw% is no number.",
    fix: "write %plain%; for text write %quoted%",
  },

  unquotedWords: {
    code: "unquoted_text",
    message: "Text with blanks needs quotes.",
    fix: "write %quoted%",
  },
  wordsOr: {
    code: "unquoted_text",
    message: "Text with blanks needs quotes.",
    fix: "write %quoted% for one text; for one of several values write %form%",
  },
  unquotedText: {
    code: "unquoted_text",
    message: "This text needs quotes.",
    fix: "write %quoted%",
  },
  calculation: {
    code: "unquoted_text",
    message: "Signs without blanks around them are part of a text.",
    fix: "write %spaced%; for text write %quoted%",
  },
  shiftedDate: {
    code: "unquoted_text",
    message: "A date is not calculated; one relative to now is a single word.",
    fix: "write %form%: now, today, yesterday or tomorrow, then + or - and a number of m, h, d, w, mo or y; for text write %quoted%",
  },
  monthAlone: {
    code: "unquoted_text",
    message: "A date has a day.",
    fix: "write %first%, or start_of(column, month) = %first% for all of the month; for text write %quoted%",
  },
  ternary: {
    code: "unquoted_text",
    message: "A choice is written as a function.",
    fix: "write if(condition, value, other); for text write %quoted%",
  },
  durationWords: {
    code: "unquoted_text",
    message: "A length of time is one word.",
    fix: "write %form%; units are m, h, d, w, mo (months) and y",
  },
  foreignSign: {
    code: "unquoted_text",
    message: "%sign% is no operator of the language.",
    fix: "write %form%; for text write %quoted%",
  },
  loop: {
    code: "unquoted_text",
    message: "Rows are not looped over inside a value.",
    fix: "choose rows with conditions⟦, as in ‹found›⟧; make values of rows with =>⟦, as in ‹derive›⟧; for text write %quoted%",
  },
  options: {
    code: "unquoted_text",
    message: "Several options are a list.",
    fix: "write %form%; text that holds | needs quotes",
  },
  dateAndTime: {
    code: "unquoted_text",
    message: "A date and its time are one word.",
    fix: "write %date%; for text write %quoted%",
  },
  dottedSearch: {
    code: "unquoted_text",
    message: "%raw% is read as one word, and %head% is no label bound on an earlier line.",
    fix: "keep words and steps apart with quotes: %split%, or %whole% to search for the whole",
  },
  searchBeforeCall: {
    code: "unquoted_text",
    message: "%raw% is read as one word, so no step can follow.",
    fix: "keep words and steps apart with quotes: %split%",
  },

  heredocTripled: {
    code: "bad_heredoc",
    message: "%raw% opens no heredoc.",
    fix: "write <<%tag%, newline, the text, newline, %tag%",
  },
  heredocNoTag: {
    code: "bad_heredoc",
    message: "<< needs a tag right behind it.",
    fix: "write <<TAG, newline, the text, newline, TAG; a TAG is letters, digits and _",
  },
  heredocTrailing: {
    code: "bad_heredoc",
    message: "Nothing may follow <<%tag% on its line.",
    fix: "write <<%tag%, newline, the text, newline, %tag%; what follows, a second opener too, stands after that %tag% or on a new line",
  },
  unterminatedHeredoc: {
    code: "unterminated_heredoc",
    message: "No line closes %tag%.",
    fix: "after the text of <<%tag% on line %line% write a line %closer%%near%",
  },

  missingCloser: {
    code: "unclosed_bracket",
    message: "The %open% at %place% is not closed.",
    fix: "close %form%",
  },
  crossedCloser: {
    code: "unclosed_bracket",
    message: "%found% does not close the %open% at %place%.",
    fix: "write %close%, which closes the %open% at %place%, before %found%",
  },
  wrongCloser: {
    code: "unclosed_bracket",
    message: "%found% does not close the %open% at %place%.",
    fix: "write %close%, which closes the %open% at %place%, in place of %found%",
  },
  extraCloser: {
    code: "unclosed_bracket",
    message: "%found% closes nothing.",
    fix: "leave %found% out: no bracket is open at %place%, so no closer is expected",
  },

  lineBegins: {
    code: "line_break",
    message: "%sign% cannot begin a line.",
    fix: "write it on the line above: %joined%",
  },
  lineEnds: {
    code: "line_break",
    message: "%sign% cannot end a statement.",
    fix: "write it on one line: %joined%",
  },
  textEnds: {
    code: "line_break",
    message: "Something must follow %sign% on its line.",
    fix: "write what belongs after %sign% on the same line⟦, as in %example%⟧",
  },

  commaEnds: {
    code: "line_break",
    message: ", cannot end a statement.",
    fix: "leave the comma out, or write another root behind it on the same line⟦, as in ‹E›.limit(1), ‹E›.limit(2)⟧",
  },

  textAfterNode: {
    code: "unexpected_text",
    message: "%found% cannot follow here.",
    fix: "write one statement per line; only steps as .limit(5), [column], => or a heredoc continue one",
  },
  operatorForm: {
    code: "unexpected_text",
    message: "%found% cannot follow here.",
    fix: "write it as a step: %form%",
  },
  commaInBinding: {
    code: "unexpected_text",
    message: "A binding holds one node.",
    fix: "write one statement per line",
  },
  literalsInBinding: {
    code: "unexpected_text",
    message: "A binding holds one node.",
    fix: "write several values as a list: %form%; else one statement per line",
  },
  bindingAmongRoots: {
    code: "unexpected_text",
    message: "A binding needs a line of its own.",
    fix: "write one statement per line",
  },
  bracesAfterStep: {
    code: "unexpected_text",
    message: "Braces cannot follow here.",
    fix: "write .filter{…}",
  },
  afterBody: {
    code: "unexpected_text",
    message: "%found% cannot follow %what%.",
    fix: "bind the rows first: %form%",
  },
  afterBodyBound: {
    code: "unexpected_text",
    message: "%found% cannot follow %what%.",
    fix: "bind the rows first, and go on with their label on a line of its own",
  },
  afterContinuation: {
    code: "unexpected_text",
    message: "Nothing follows %op%(…).",
    fix: "send %form% by itself, without steps or other statements",
  },
  keyword: {
    code: "unexpected_text",
    message: "%word% is no word of the language.",
    fix: "leave %word% out: ⟦x = ‹E› binds, ⟧a line that binds nothing is a result; one statement per line",
  },

  emptyProgram: {
    code: "empty_program",
    message: "The program has no statement.",
    fix: "write at least one root, a line that binds nothing⟦: ‹E›.limit(5)⟧",
  },
  noResult: {
    code: "no_result",
    message: "Nothing is returned and nothing is done.",
    fix: "name a result on a line of its own: %label%",
  },
  emptyList: {
    code: "empty_list",
    message: "%what% cannot be empty.",
    fix: "write %inside%",
  },
  notAlone: {
    code: "not_alone",
    message: "%op%(…) must be the whole program.",
    fix: "send %continuation% by itself",
  },
  reservedLabel: {
    code: "bad_label",
    message: "%label% is a word of the language and cannot be a label.",
    fix: "use a free name, as %free%",
  },
  symbolLabel: {
    code: "bad_label",
    message: "%label% has the form of a symbol (e#, m#, p#) and cannot be a label.",
    fix: "use a free name, as %free%",
  },

  badCount: {
    code: "bad_count",
    message: "%found% is no count for %where%.",
    fix: "write an integer from 1 to %max%, as %example%",
  },
  effectInValue: {
    code: "effect_in_value",
    message: "A value cannot call %call%.",
    fix: "bind the call on a line above, %form%, and write %label% here",
  },
  effectBefore: {
    code: "effect_in_value",
    message: "A value cannot call %call%.",
    fix: "bind the call on a line above, and write its label here",
  },
  effectInRow: {
    code: "effect_in_value",
    message: "A value cannot call %call%.",
    fix: "bind the calls on a line above, %form%, and go on with their answers, %label%",
  },
});
