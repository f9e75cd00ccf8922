import { cp } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { LinkChecker } from "linkinator";

const playground = join(
  dirname(fileURLToPath(import.meta.resolve("@plasm/playground/package.json"))),
  "dist",
);

/** Links and anchors of the site in a directory that lead nowhere, with the page each is on. Asks no other place. */
async function deadLinks(directory: string): Promise<readonly string[]> {
  const { links } = await new LinkChecker().check({
    path: "/",
    serverRoot: directory,
    recurse: true,
    checkCss: true,
    checkFragments: true,
    linksToSkip: async (link) => !/^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]):/.test(link),
  });
  if (links.length < 100) throw new Error(`${directory}: only ${links.length} links were found`);
  return links
    .filter(({ state }) => state === "BROKEN")
    .map(({ url, parent }) => `${parent ?? "?"} links to ${url}, which is not there`);
}

/** Puts the playground into a built site, and throws if a link of the site leads nowhere. */
export async function finishSite(directory: string): Promise<void> {
  await cp(playground, join(directory, "playground"), { recursive: true });
  const dead = await deadLinks(directory);
  if (dead.length > 0) throw new Error(`${dead.length} dead links:\n${dead.join("\n")}`);
}
