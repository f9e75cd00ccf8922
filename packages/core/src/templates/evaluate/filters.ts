import type { FilterName } from "../filters/signatures.ts";
import type { Filter } from "./filter-call.ts";
import { joinSanitize, sanitizeIdentifier } from "./identifier-filters.ts";
import { first, join, last, length } from "./list-filters.ts";
import { int, round } from "./number-filters.ts";
import { wireQuerySuffix } from "./query-suffix.ts";
import {
  lower,
  replace,
  split,
  splitPart,
  stripTrailingSlash,
  trim,
  upper,
} from "./text-filters.ts";
import { jsonEncode, urlencode, wireTime } from "./wire-filters.ts";

/** What each filter does. `default` is not here: it alone takes an input that is missing. */
export const filters: Readonly<Record<Exclude<FilterName, "default">, Filter>> = {
  lower,
  upper,
  trim,
  replace,
  length,
  first,
  last,
  join,
  int,
  round,
  urlencode,
  json_encode: jsonEncode,
  strip_trailing_slash: stripTrailingSlash,
  wire_time: wireTime,
  wire_query_suffix: wireQuerySuffix,
  split,
  split_part: splitPart,
  join_sanitize: joinSanitize,
  sanitize_identifier: sanitizeIdentifier,
};
