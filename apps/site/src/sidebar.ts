import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { DefaultTheme } from "vitepress";
import { DOCS, siteLink } from "./links.ts";

type Group = DefaultTheme.SidebarItem;

const textOf = (path: string): string => readFileSync(join(DOCS, path), "utf8");

const titleOf = (path: string): string =>
  /^# (.+)$/m.exec(textOf(path))?.[1]?.replaceAll("`", "") ?? path;

/** `x/index.md` as an address of the site: `/x/`. */
const addressOf = (href: string): string => `/${href.replace(/(?:(^|\/)index)?\.md$/, "$1")}`;

/** The groups of docs/index.md: its headings, and below each the first link of every row of its table. */
export function groupsOf(index: string): readonly Group[] {
  return index
    .split("\n## ")
    .slice(1)
    .map((section): Group => {
      const [heading = "", ...lines] = section.split("\n");
      const items = lines
        .filter((line) => line.startsWith("| "))
        .flatMap((line) => [...line.matchAll(/\[([^\][]+)\]\(([^()]+)\)/g)].slice(0, 1))
        .flatMap(([, text = "", link = ""]) => {
          const target = siteLink("index.md", link, null);
          return target === "text" ? [] : [{ text, link: addressOf(target.href) }];
        });
      return { text: heading, items };
    });
}

/** The pages of a directory of docs/, below its README. */
function groupOf(directory: string): Group {
  const pages = readdirSync(join(DOCS, directory))
    .filter((name) => name.endsWith(".md") && name !== "README.md")
    .toSorted();
  const items = pages.map((name) => ({
    text: titleOf(`${directory}/${name}`),
    link: addressOf(`${directory}/${name}`),
  }));
  return { text: titleOf(`${directory}/README.md`), link: `/${directory}/`, items };
}

/** What stands beside a page: the index beside guides, its neighbours beside what is in a directory of many pages. */
export const sidebar = (): DefaultTheme.SidebarMulti => ({
  "/spec/": [groupOf("spec")],
  "/api/": [groupOf("api")],
  "/adr/": [groupOf("adr")],
  "/": [...groupsOf(textOf("index.md"))],
});
