import { existsSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { type Page, pageAt, proseOf, ROOT } from "./pages.ts";

const LINK = /!?\[(?:[^\][]|\[[^\]]*\])*\]\(([^()\s]+(?:\([^()]*\))?[^()\s]*)(?:\s+"[^"]*")?\)/g;

const withoutCode = (text: string): string => text.replaceAll(/`[^`\n]*`/g, "");

/** Where the links of a page lead, as they stand there. */
export const linksOf = (page: Page): readonly string[] =>
  [...withoutCode(proseOf(page)).matchAll(LINK)].map(([, target = ""]) => target);

/** The anchor that a heading gets where such pages are shown. */
export const anchorOf = (heading: string): string =>
  heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(/\s/g, "-");

/** The anchors of a page: those that it writes itself, and its headings'; the second heading of a name has `-1`. */
export function anchorsOf(page: Page): ReadonlySet<string> {
  const anchors = new Set(
    [...proseOf(page).matchAll(/<a id="([^"]+)"><\/a>/g)].map(([, id = ""]) => id),
  );
  for (const [, heading = ""] of proseOf(page).matchAll(/^#{1,6} (.+)$/gm)) {
    const plain = anchorOf(heading);
    let anchor = plain;
    for (let again = 1; anchors.has(anchor); again += 1) anchor = `${plain}-${again}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** Why a link leads nowhere; null if it leads somewhere, or to another site. */
export function brokenLink(page: Page, link: string): string | null {
  if (/^(https:\/\/|mailto:)/.test(link)) return null;
  if (/^[a-z]+:/.test(link)) return "neither https nor a file of this repository";
  const [file = "", anchor] = link.split("#");
  const path = file === "" ? page.path : normalize(join(dirname(page.path), file));
  if (path.startsWith("..")) return "leads out of the repository";
  if (path !== page.path && !existsSync(join(ROOT, path))) return "there is no such file";
  if (anchor === undefined) return null;
  if (!path.endsWith(".md") || (path !== page.path && statSync(join(ROOT, path)).isDirectory()))
    return "no page has it";
  const target = path === page.path ? page : pageAt(path);
  return anchorsOf(target).has(anchor) ? null : `there is no heading or anchor ${anchor}`;
}
