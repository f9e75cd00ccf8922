import { existsSync, globSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { watch } from "../console/watched-page.ts";
import { openBrowser } from "../harness/open-browser.ts";
import { serveFiles } from "../harness/serve-files.ts";

/** The files of the playground as they are built. */
export const FILES = join(
  dirname(fileURLToPath(import.meta.resolve("@plasm/playground/package.json"))),
  "dist",
);

/** Bytes of each file. */
export const fileSizes = (): ReadonlyMap<string, number> =>
  new Map(
    globSync("**/*", { cwd: FILES })
      .map((name): [string, number] => [name, statSync(join(FILES, name)).size])
      .filter(([name]) => statSync(join(FILES, name)).isFile()),
  );

/** A published document of the census, as text. */
export const censusDocument = async (name: string): Promise<string> =>
  gunzipSync(
    await readFile(join(import.meta.dirname, `../census/documents/${name}.json.gz`)),
  ).toString("utf8");

/** The playground on a static file server, and a browser. */
export interface PlaygroundWorld {
  readonly url: string;
  /** Opens it at an address; `wrong` is what the page did that none may do. */
  open(url: string): Promise<{ readonly page: Page; readonly wrong: readonly string[] }>;
  close(): Promise<void>;
}

export async function openPlaygroundWorld(): Promise<PlaygroundWorld> {
  if (!existsSync(join(FILES, "index.html")))
    throw new Error("The playground is not built: node scripts/build.mjs builds it.");
  const [files, browser] = await Promise.all([serveFiles(FILES, "/some/where/"), openBrowser()]);
  return {
    url: files.url,
    open: async (url) => {
      const context = await browser.visitor();
      const page = await context.newPage();
      const wrong = watch(page, url.replace(/[^/]*$/, ""));
      await page.goto(url);
      return { page, wrong };
    },
    close: async () => {
      await browser.close();
      await files.close();
    },
  };
}

/** Writes a program in place of what stands in the editor. */
export async function write(page: Page, program: string): Promise<void> {
  await page.locator(".cm-content").locator("visible=true").click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.press("Delete");
  await page.keyboard.insertText(program);
}
