import { cp } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { LinkChecker } from "linkinator";

const playground = join(
  dirname(fileURLToPath(import.meta.resolve("@plasm/playground/package.json"))),
  "dist",
);

/** What a site in a directory links to, and what of it leads nowhere, with the page that it is on. Asks no other place. */
export async function walkSite(directory: string) {
  const { links } = await new LinkChecker().check({
    path: "/",
    serverRoot: directory,
    recurse: true,
    checkCss: true,
    checkFragments: true,
    linksToSkip: async (link) => !/^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]):/.test(link),
  });
  const dead = links
    .filter(({ state }) => state === "BROKEN")
    .map(({ url, parent }) => `${parent ?? "?"} links to ${url}, which is not there`);
  return { links: links.length, dead };
}

/** Puts the playground into a built site, and throws if a link of the site leads nowhere. */
export async function finishSite(directory: string): Promise<void> {
  await cp(playground, join(directory, "playground"), { recursive: true });
  const { links, dead } = await walkSite(directory);
  if (links < 100) throw new Error(`${directory}: only ${links} links were found`);
  if (dead.length > 0) throw new Error(`${dead.length} dead links:\n${dead.join("\n")}`);
}
