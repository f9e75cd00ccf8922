import { describe, expect, it } from "vitest";
import { anchorOf, anchorsOf, brokenLink, linksOf } from "./links.ts";
import { PAGES, pageAt } from "./pages.ts";

describe("links lead somewhere: files and headings", () => {
  it.each(PAGES)("$path", (page) => {
    const broken = linksOf(page)
      .map((link) => ({ link, why: brokenLink(page, link) }))
      .filter(({ why }) => why !== null);
    expect(broken).toEqual([]);
  });

  it("many are found", () => {
    expect(PAGES.flatMap(linksOf).length).toBeGreaterThan(100);
  });

  it("every page under docs/ is reached from its index", () => {
    const reached = new Set<string>(["docs/index.md"]);
    for (const path of reached) {
      for (const link of linksOf(pageAt(path))) {
        const [file = ""] = link.split("#");
        if (!file.endsWith(".md") || link.startsWith("https:")) continue;
        const next = new URL(file, `file:///${path}`).pathname.slice(1);
        if (next.startsWith("docs/")) reached.add(next);
      }
    }
    const guides = PAGES.map(({ path }) => path).filter((path) =>
      /^docs\/(?:(?:transcripts|spec|guides)\/)?[^/]+\.md$/.test(path),
    );
    expect(guides.filter((path) => !reached.has(path))).toEqual([]);
  });
});

describe("what is broken is found", () => {
  const page = {
    path: "docs/x.md",
    text: '# A *b*\n\n## A `c` d\n\n## A `c` d\n\n<a id="X-1"></a>x\n',
  };

  it.each([
    ["#a-b", null],
    ["#a-c-d-1", null],
    ["#X-1", null],
    ["#a-c-d-2", "there is no heading or anchor a-c-d-2"],
    ["index.md", null],
    ["nowhere.md", "there is no such file"],
    ["../../x", "leads out of the repository"],
    ["../docs#x", "no page has it"],
    ["http://x.example", "neither https nor a file of this repository"],
    ["https://x.example/y#z", null],
  ])("%s: %s", (link, why) => {
    expect(brokenLink(page, link)).toBe(why);
  });

  it("links are found in prose alone", () => {
    const text = '[a](b.md) ![c](d.svg) `[e](f.md)` [`g`](h.md#i "j")\n\n```text\n[k](l.md)\n```\n';
    expect(linksOf({ path: "x.md", text })).toEqual(["b.md", "d.svg", "h.md#i"]);
  });

  it("anchors are as pages show them", () => {
    expect(anchorOf("Keys & [tokens](x.md), 2.")).toBe("keys--tokens-2");
    expect([...anchorsOf(page)]).toEqual(["X-1", "a-b", "a-c-d", "a-c-d-1"]);
  });
});
