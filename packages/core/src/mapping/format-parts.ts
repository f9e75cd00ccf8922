/** A piece of a `format` template: text as it stands, or a variable in braces. */
export type FormatPart = { readonly text: string } | { readonly name: string };

/**
 * The pieces of a `format` template, or what is wrong with it (MAP-021). A `}` without `{` is text.
 */
export function formatParts(
  template: string,
):
  | { readonly parts: readonly FormatPart[] }
  | { readonly problem: "unclosed" | "empty"; readonly at: number } {
  const parts: FormatPart[] = [];
  let from = 0;
  for (;;) {
    const open = template.indexOf("{", from);
    if (open === -1) break;
    const close = template.indexOf("}", open);
    if (close === -1) return { problem: "unclosed", at: open };
    const name = template.slice(open + 1, close);
    if (name.trim() === "") return { problem: "empty", at: open };
    if (open > from) parts.push({ text: template.slice(from, open) });
    parts.push({ name });
    from = close + 1;
  }
  if (from < template.length) parts.push({ text: template.slice(from) });
  return { parts };
}
