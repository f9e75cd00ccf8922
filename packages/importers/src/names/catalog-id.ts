import { isDiscovery } from "../discovery/openapi-from-discovery.ts";
import { memberOf, textOf } from "../json.ts";

/** A text as the id of a catalog may have it: small letters, digits, and `_ . -` after the first. Empty where nothing is left. */
export const idWords = (text: string): string =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9_.]+/g, "-")
    .replaceAll(/^[^a-z0-9]+|(?<![^a-z0-9])[^a-z0-9]+$/g, "")
    .slice(0, 64);

/** Names of files that say what a document is and not of which API. */
const GENERIC =
  /^(open-?api|swagger|graphi?ql|gql|introspection|sdl|query|api|apis|rest|server|spec|schema|index|latest|bundled?|docs?|api-docs|v?\d+(?!\d)|main|master|json|yaml)([._-]?(v?\d+(?!\d)|json|yaml|spec|schema|doc))*$/;
/** What the name of a file ends in that says its form. */
const FORM = /^(json|ya?ml|openapi|swagger|graphqls?|gql|sdl|v?\d+)$/;
const HOST = /^([a-z0-9-]+\.)+[a-z]{2,}$/;
/** Labels of hosts that say nothing of whose they are. */
const NOBODYS =
  /^(www|com?|net|org|gov|edu|apis?|rest|docs?|developers?|dev|raw|cdn|app|gateway|portal|v\d+)$/;
/** Words of titles that every title may have. */
const FILLERS = /^(an?|the|of|for|apis?|rest|open-?api|swagger|specification|spec|v?\d+)$/;
const ADDRESS = /^https?:\/\//i;

/** The label of a host that says whose it is: `harbour` of `api.harbour.com`. Empty where none does. */
export function hostId(host: string): string {
  const labels = idWords(host).split(".").slice(0, -1);
  const own = labels.filter((label) => !NOBODYS.test(label));
  return own.findLast((label) => label.length > 2) ?? own.at(-1) ?? "";
}

/** The last part of a path, without what says its form: `petstore` of `/docs/petstore.v1.openapi.json`. */
function fileId(path: string): string {
  const name = idWords(path.split(/[/\\]/).findLast((part) => part !== "") ?? "");
  const parts = name.split(".");
  const bare = parts
    .slice(0, Math.max(1, parts.findLastIndex((part) => !FORM.test(part)) + 1))
    .join(".");
  if (HOST.test(bare)) return hostId(bare);
  return GENERIC.test(bare) ? "" : idWords(bare);
}

function titleId(document: unknown): string {
  const title = textOf(memberOf(memberOf(document, "info"), "title")) ?? "";
  return idWords(title)
    .split(/[.-]+/)
    .filter((word) => word !== "" && !FILLERS.test(word))
    .slice(0, 3)
    .join("-");
}

/**
 * The id of a catalog that nobody has named: what a document of Google discovery calls itself, else by the name of its
 * file, its host, or its title. `from` is a path, an address, or `-`. Empty where nothing gives one.
 */
export function catalogId(from: string, document: unknown): string {
  const url = ADDRESS.test(from) && URL.canParse(from) ? new URL(from) : null;
  const host = url !== null && HOST.test(url.hostname) ? hostId(url.hostname) : "";
  const own = isDiscovery(document) ? idWords(textOf(memberOf(document, "name")) ?? "") : "";
  return own || (from === "-" ? "" : fileId(url?.pathname ?? from)) || host || titleId(document);
}
