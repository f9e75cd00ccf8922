import { existsSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

/** The root of the repository. */
const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** The pages of the site, as they stand in the repository. */
export const DOCS = join(ROOT, "docs");

/** Where a link of a page leads in the site: another address, or nowhere, so that its text stands alone. */
export type SiteLink = { readonly href: string } | "text";

/** The address of the repository, where the build knows it: CI does, a clone does not. */
export function repositoryOf(env: Readonly<Record<string, string | undefined>>): string | null {
  const { SITE_REPOSITORY, GITHUB_SERVER_URL, GITHUB_REPOSITORY } = env;
  if (SITE_REPOSITORY !== undefined) return SITE_REPOSITORY.replace(/\/$/, "");
  return GITHUB_SERVER_URL === undefined || GITHUB_REPOSITORY === undefined
    ? null
    : `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}`;
}

/** The README of a directory is its first page, as it is on GitHub. */
const asIndex = (path: string): string => path.replace(/(^|\/)README\.md$/, "$1index.md");

/**
 * A link as the site has it. `page` is the page's path in docs/. Links to files that are no page of docs/ lead to the repository, or
 * become text if its address is unknown. Throws where a link leads to no file.
 */
export function siteLink(page: string, link: string, repository: string | null): SiteLink {
  if (/^([a-z]+:|#|\/)/.test(link)) return { href: link };
  const end = link.search(/[?#]/);
  const file = end < 0 ? link : link.slice(0, end);
  const rest = link.slice(file.length);
  const target = join(DOCS, dirname(page), decodeURIComponent(file));
  if (!existsSync(target))
    throw new Error(`docs/${page} links to ${link}, and there is no such file`);
  const isDirectory = statSync(target).isDirectory();
  if (relative(DOCS, target).startsWith("..") || !(isDirectory || target.endsWith(".md"))) {
    const kind = isDirectory ? "tree" : "blob";
    if (repository === null) return "text";
    return { href: `${repository}/${kind}/HEAD/${relative(ROOT, target)}${rest}` };
  }
  return { href: asIndex(isDirectory ? `${file}/README.md` : file) + rest };
}

/** The anchor of a heading, as GitHub has it: the pages link to each other by these. Ids of requirements stay as they are. */
export const headingAnchor = (heading: string): string =>
  /^[A-Z]+-\d+$/.test(heading)
    ? heading
    : heading
        .trim()
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
        .replaceAll(/\s/g, "-");
