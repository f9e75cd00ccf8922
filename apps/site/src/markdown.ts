import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { MarkdownRenderer } from "vitepress";
import { DOCS, siteLink } from "./links.ts";

type Token = ReturnType<MarkdownRenderer["parse"]>[number];

/** The path in docs/ of the page that is rendered. */
const pageOf = ({ path }: { readonly path?: string }): string => {
  if (path === undefined) throw new Error("a page is rendered without its path");
  return path.slice(DOCS.length + 1);
};

/** Links of a run of text as the site has them. */
function withSiteLinks(tokens: readonly Token[], page: string, repository: string | null): Token[] {
  let dropped = false;
  return tokens.filter((token) => {
    if (token.type === "link_close" && dropped) {
      dropped = false;
      return false;
    }
    const href = token.type === "link_open" ? token.attrGet("href") : null;
    if (href === null) return true;
    const link = siteLink(page, href, repository);
    if (link === "text") dropped = true;
    else token.attrSet("href", link.href);
    return link !== "text";
  });
}

/** A picture of the console by day with the same by night beside it; the theme shows one of them. */
function withBothThemes(token: Token, page: string): Token[] {
  const [, path] = /^(.*)-(?:light|dark)\.jpg$/.exec(token.attrGet("src") ?? "") ?? [];
  if (path === undefined) return [token];
  return ["light", "dark"].flatMap((theme) => {
    const src = `${path}-${theme}.jpg`;
    if (!existsSync(join(DOCS, dirname(page), src))) throw new Error(`${page}: there is no ${src}`);
    const one: Token = Object.assign(Object.create(Object.getPrototypeOf(token)), token);
    one.attrs = (token.attrs ?? []).filter(([name]) => name !== "src");
    one.attrSet("src", src);
    one.attrSet("class", `${theme}-only`);
    return [one];
  });
}

/** Makes VitePress read the pages as GitHub shows them. */
export function readAsWritten(md: MarkdownRenderer, repository: string | null): void {
  md.core.ruler.push("site-links", ({ tokens, env }) => {
    const page = pageOf(env as { readonly path?: string });
    for (const token of tokens) {
      if (token.children === null) continue;
      token.children = withSiteLinks(token.children, page, repository).flatMap((one) =>
        one.type === "image" ? withBothThemes(one, page) : [one],
      );
    }
  });
  // Two braces are text on these pages, and Vue would take them for code.
  for (const kind of ["text", "code_inline"] as const) {
    const rule = md.renderer.rules[kind];
    md.renderer.rules[kind] = (...args) => (rule?.(...args) ?? "").replaceAll("{{", "&#123;&#123;");
  }
}
