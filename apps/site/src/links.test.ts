import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { headingAnchor, DOCS, repositoryOf, siteLink } from "./links.ts";
import { groupsOf } from "./sidebar.ts";

describe("SURF-64: links of pages, as the site has them", () => {
  it.each([
    ["index.md", "tour.md#a-step", "tour.md#a-step"],
    ["index.md", "adr", "adr/index.md"],
    ["index.md", "transcripts/README.md", "transcripts/index.md"],
    ["spec/README.md", "../index.md", "../index.md"],
    ["index.md", "https://example.com/x", "https://example.com/x"],
    ["index.md", "#use", "#use"],
    ["security.md", "../LICENSE", "https://git.example/o/r/blob/HEAD/LICENSE"],
    ["faq.md", "../bench/results", "https://git.example/o/r/tree/HEAD/bench/results"],
    ["observability.md", "grafana.json", "https://git.example/o/r/blob/HEAD/docs/grafana.json"],
  ])("%s: %s leads to %s", (page, link, href) => {
    expect(siteLink(page, link, "https://git.example/o/r")).toEqual({ href });
  });

  it("what is no page is text where the address of the repository is unknown", () => {
    expect(siteLink("security.md", "../LICENSE", null)).toBe("text");
    expect(siteLink("observability.md", "grafana.json", null)).toBe("text");
  });

  it("a file that is not there stops the build", () => {
    expect(() => siteLink("index.md", "nowhere.md", null)).toThrow("links to nowhere.md");
  });

  it("the address is said, or is that of the run of GitHub Actions", () => {
    const actions = { GITHUB_SERVER_URL: "https://git.example", GITHUB_REPOSITORY: "o/r" };
    expect(repositoryOf(actions)).toBe("https://git.example/o/r");
    const said = { ...actions, SITE_REPOSITORY: "https://other.example/x/" };
    expect(repositoryOf(said)).toBe("https://other.example/x");
    expect(repositoryOf({})).toBeNull();
  });

  it("anchors are GitHub's, and ids of requirements stay as they are", () => {
    expect(headingAnchor("Keys & `tokens`, 2.")).toBe("keys--tokens-2");
    expect(headingAnchor("SESS-41")).toBe("SESS-41");
  });
});

describe("SURF-64: what stands beside a page", () => {
  it("is docs/index.md, row by row", () => {
    const groups = groupsOf(readFileSync(join(DOCS, "index.md"), "utf8"));
    const items = groups.flatMap((group) => group.items ?? []);
    expect(items.map(({ link }) => link)).toEqual(
      expect.arrayContaining(["/tour", "/console", "/spec/", "/adr/", "/transcripts/"]),
    );
    expect(items.length).toBeGreaterThan(30);
  });
});
