/** One link of a `Link` header: `<target>; name=value; …` */
const LINK = /<([^<>]*)>((?:\s*;\s*[\w!#$&+.^`|~*-]+\s*(?:=\s*(?:"[^"]*"|[^\s;,"]+))?)*)/g;
const REL = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i;

const NEXT = /next/i;

/** The target of the link with relation `next` in a `Link` header, or null (RUN-074). */
export function nextLink(header: string): string | null {
  // Most answers are the last page, and name none.
  if (!NEXT.test(header)) return null;
  for (const [, target, parameters = ""] of header.matchAll(LINK)) {
    const rel = REL.exec(parameters);
    const relations = (rel?.[1] ?? rel?.[2] ?? "").toLowerCase().split(/\s+/);
    if (relations.includes("next") && target !== undefined) return target;
  }
  return null;
}
