import { type DocumentObject, memberOf, sortedEntries, textOf } from "../json.ts";
import { folded } from "../names/words.ts";
import type { Parameter } from "./operation.ts";

/** Where answers hold what asks for the next page, by the folded name of the parameter that takes it. */
export type SaidTokens = ReadonlyMap<string, readonly string[]>;

/** A member for the next page and the one within it, each in backticks or both as one: `next_page` with an `offset`. */
const HELD = /`(next_?(?:page)?)`(?:\s+\w+){0,4}\s+`(\w+)`|`(next_?(?:page)?)\.(\w+)`/gi;

/**
 * Returns where answers hold what asks for the next page, by the parameter that takes it, as far as the document says
 * so in its text alone: of some documents no schema has it, though every list is read so. A parameter that the text
 * places in two ways has none.
 */
export function saidTokens(root: DocumentObject): SaidTokens {
  const found = new Map<string, readonly string[] | null>();
  for (const text of textsOf(root)) {
    for (const [, holder, member, dottedHolder, dottedMember] of text.matchAll(HELD)) {
      const path = [holder ?? dottedHolder ?? "", member ?? dottedMember ?? ""];
      const name = folded(path[1] ?? "");
      const known = found.get(name);
      found.set(name, known === undefined || known?.join() === path.join() ? path : null);
    }
  }
  return new Map([...found].flatMap(([name, path]) => (path === null ? [] : [[name, path]])));
}

/** A parameter with the place that the document's text gives what it takes, if it does. */
export function withToken(parameter: Parameter, tokens: SaidTokens): Parameter {
  const heldAt = tokens.get(folded(parameter.name));
  return heldAt === undefined ? parameter : { ...parameter, heldAt };
}

const METHODS = ["get", "post"];

function textsOf(root: DocumentObject): readonly string[] {
  const operations = sortedEntries(memberOf(root, "paths")).flatMap(([, item]) =>
    METHODS.map((method) => memberOf(item, method)),
  );
  return [memberOf(root, "info"), ...operations].flatMap(
    (one) => textOf(memberOf(one, "description")) ?? [],
  );
}
