import type { Plugin } from "vitepress";

/**
 * What the search box of the theme says of itself to screen readers, and what it says instead: a dialog with a list of
 * links. As it comes it is a button around fields, and its options are links, both of which WCAG 2.2 excludes.
 */
const INSTEAD: readonly (readonly [string, string])[] = [
  ['role="button"', 'role="dialog" aria-modal="true"'],
  [":aria-owns=\"results?.length ? 'localsearch-list' : undefined\"", ""],
  ['aria-labelledby="localsearch-label"', 'aria-label="Search"'],
  ['aria-expanded="true"', ""],
  ['aria-haspopup="listbox"', ""],
  [":role=\"results?.length ? 'listbox' : undefined\"", ""],
  ['role="option"', ""],
  [":aria-selected=\"selectedIndex === index ? 'true' : 'false'\"", ""],
  [
    ":aria-label=\"[...p.titles, p.title].join(' > ')\"",
    ":aria-current=\"selectedIndex === index ? 'true' : undefined\"",
  ],
];

/** Writes the search box anew. Throws if a version of VitePress has another one: look whether it still needs this. */
export const searchBox: Plugin = {
  name: "search-box",
  enforce: "pre",
  transform: (code, id) => {
    if (!id.endsWith("VPLocalSearchBox.vue")) return null;
    const box = INSTEAD.reduce((text, [was, is]) => {
      if (!text.includes(was)) throw new Error(`VitePress's search box has no ${was}`);
      return text.replace(was, is);
    }, code);
    return box.replaceAll("<kbd :aria-label", '<kbd role="img" :aria-label');
  },
};
