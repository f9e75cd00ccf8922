import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { build } from "vite";
import { openBrowser } from "../harness/open-browser.ts";

const TYPES: Readonly<Record<string, string>> = { ".html": "text/html", ".js": "text/javascript" };

/** Bundles a file of a project for the browser with Vite, which knows nothing of it but where it is. */
export async function bundle(project: string, file: string): Promise<string> {
  const html = `<!doctype html><body><script type="module" src="./${file}"></script></body>`;
  await writeFile(join(project, "index.html"), html);
  const outDir = join(project, "site");
  await build({ root: project, configFile: false, logLevel: "error", build: { outDir } });
  return outDir;
}

async function serve(directory: string) {
  const server = createServer((request, response) => {
    const path = request.url === "/" ? "/index.html" : (request.url ?? "/");
    readFile(join(directory, path)).then(
      (bytes) => {
        response.setHeader("content-type", TYPES[extname(path)] ?? "application/octet-stream");
        response.end(bytes);
      },
      () => {
        response.statusCode = 404;
        response.end();
      },
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { url: `http://127.0.0.1:${port}/`, close };
}

/** What a page of a site shows in its `pre` elements, in Debian's Chromium, and what went wrong in it. */
export async function shownBy(
  directory: string,
): Promise<{ readonly shown: readonly string[]; readonly errors: readonly string[] }> {
  const site = await serve(directory);
  const browser = await openBrowser();
  try {
    const page = await (await browser.visitor()).newPage();
    page.setDefaultTimeout(0);
    const errors: string[] = [];
    page.on("pageerror", ({ message }) => errors.push(message));
    // Modules of a page have run when it is loaded.
    await page.goto(site.url, { waitUntil: "load" });
    return { shown: await page.locator("pre").allTextContents(), errors };
  } finally {
    await browser.close();
    await site.close();
  }
}
