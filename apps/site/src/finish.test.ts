import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { walkSite } from "./finish.ts";

it("SURF-64: pages, pictures and anchors that are not there are found, and nobody else is asked", async () => {
  const directory = await mkdtemp(join(tmpdir(), "plasm-site-"));
  const write = (name: string, text: string) => writeFile(join(directory, name), text);
  await write(
    "index.html",
    `<h1 id="top">A</h1> <a href="b.html#there">b</a> <a href="b.html#gone">b</a>
     <a href="gone.html">c</a> <img src="gone.png"> <a href="https://nowhere.example/">d</a>`,
  );
  await write("b.html", '<h2 id="there">B</h2> <a href="index.html#top">a</a>');
  const { links, dead } = await walkSite(directory);
  await rm(directory, { recursive: true });
  expect(links).toBeGreaterThan(5);
  // The first page is walked by each of its two addresses.
  const targets = new Set(dead.map((one) => / links to ([^,]+),/.exec(one)?.[1]));
  expect(targets).toEqual(new Set(["b.html#gone", "gone.html", "gone.png"]));
});
