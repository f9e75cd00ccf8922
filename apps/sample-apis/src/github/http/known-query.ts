import { invalid } from "./api-error.ts";

const ORDER = ["sort", "direction"];
const PAGES = ["page", "per_page"];

/** What lists are narrowed and ordered by here, by the end of their path; all else takes pages alone. */
const KNOWN: readonly (readonly [end: RegExp, names: readonly string[]])[] = [
  [/^\/search\/\w+$/, ["q", "sort", "order"]],
  [/^\/(user|users\/[^/]+|orgs\/[^/]+)\/repos$/, [...ORDER, "type"]],
  [/\/issues\/comments$/, [...ORDER, "since"]],
  [/\/issues\/\d+\/comments$/, ["since"]],
  [/^\/orgs\/[^/]+\/issues$/, [...ORDER, "filter", "state", "labels", "since"]],
  [
    /\/issues$/,
    [...ORDER, "state", "labels", "assignee", "creator", "mentioned", "milestone", "since"],
  ],
  [/\/pulls$/, [...ORDER, "state", "head", "base"]],
  [/\/milestones$/, [...ORDER, "state"]],
  [/\/check-runs$/, ["check_name", "status", "filter"]],
  [/\/jobs$/, ["filter"]],
  [/\/commits$/, ["author", "committer", "path", "since", "until", "sha"]],
  [/\/branches$/, ["protected"]],
  [/\/contents(\/.*)?$/, ["ref"]],
  // Runs here have no pull requests that could be left out.
  [/\/runs$/, ["actor", "branch", "event", "status", "head_sha", "exclude_pull_requests"]],
];

/** Throws 422 for a parameter that a read does not heed here: GitHub may, and whoever sends it would be answered as if it had said nothing. */
export function refuseUnknownQuery(url: URL): void {
  const names = KNOWN.find(([end]) => end.test(url.pathname))?.[1] ?? [];
  // Whoever asks for all has asked for nothing to be left out.
  const [unknown] =
    [...url.searchParams].find(
      ([name, value]) => value !== "all" && !names.includes(name) && !PAGES.includes(name),
    ) ?? [];
  if (unknown !== undefined)
    throw invalid({ resource: url.pathname, field: unknown, code: "unprocessable" });
}
