import { joinAhead } from "./brackets.ts";
import { matchAt } from "../grammar/limits.ts";
import { scanString } from "../grammar/strings.ts";

/** Conditions as other languages join them: with words or signs, parentheses and `not`. */
type Joined =
  | { readonly kind: "atom"; readonly text: string }
  | { readonly kind: "not"; readonly item: Joined }
  | { readonly kind: "and" | "or"; readonly items: readonly Joined[] };

const MAX_NESTING = 20;
const NEGATION = /not\b(?=\s*[A-Za-z_(!])(?!\s+in\b)|!(?!=)/iy;
const BARE_PATH = /^[A-Za-z_]\w*(?:\.\w+)*$/;

/**
 * Conditions joined as in other languages, `a=1 and (b=2 or not c=3)`, in the form of this one: comma,
 * any{…}, all{…}, not{…}; `and` binds closer than `or`. Null if the text cannot be read so.
 */
export function joinedForm(text: string): string | null {
  if (/;;|<</.test(text)) return null;
  const reader = new JoinedReader(text);
  const joined = reader.readAll();
  return joined === null ? null : printed(joined, "all");
}

/** What a word or sign that joins begins with: most characters need no closer look. */
const JOIN_BEGINS = "aAoO&|";

class JoinedReader {
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  readAll(): Joined | null {
    const joined = this.#joinedBy("or");
    this.#blanks();
    return this.#at === this.#text.length ? joined : null;
  }

  #joinedBy(kind: "or" | "and"): Joined | null {
    const items: Joined[] = [];
    do {
      const item = kind === "or" ? this.#joinedBy("and") : this.#unit();
      if (item === null) return null;
      items.push(item);
    } while (this.#takeJoin(kind));
    const [only] = items;
    return items.length === 1 && only !== undefined ? only : { kind, items };
  }

  #takeJoin(kind: "or" | "and"): boolean {
    const join = joinAhead(this.#text, this.#blanks());
    const comma = kind === "and" && this.#depth > 0 && this.#text[this.#at] === ",";
    if (comma) this.#at++;
    else if (join?.join === kind) this.#at = join.start;
    return comma || join?.join === kind;
  }

  #unit(): Joined | null {
    const at = this.#blanks();
    const negation = matchAt(NEGATION, this.#text, at)?.[0];
    if (negation === undefined && this.#text[at] !== "(") return this.#atom();
    if (this.#depth++ === MAX_NESTING) return null;
    this.#at += negation?.length ?? 1;
    const item = negation === undefined ? this.#joinedBy("or") : this.#unit();
    this.#depth--;
    if (item === null) return null;
    if (negation !== undefined) return { kind: "not", item };
    if (this.#text[this.#blanks()] !== ")") return null;
    this.#at++;
    return item;
  }

  /** One condition: up to what joins it to the next, a comma or a closing parenthesis. */
  #atom(): Joined | null {
    const start = this.#at;
    let open = 0;
    while (this.#at < this.#text.length) {
      const char = this.#text[this.#at] ?? "";
      if (char === '"' || char === "'") {
        this.#at = Math.max(this.#at + 1, scanString(this.#text, this.#at).end);
        continue;
      }
      if (open === 0 && (char === ")" || char === ",")) break;
      if (open === 0 && this.#at > start && this.#joinsHere()) break;
      if ("([{".includes(char)) open++;
      else if (")]}".includes(char)) open--;
      this.#at++;
    }
    const text = this.#text.slice(start, this.#at).trim();
    return text === "" ? null : { kind: "atom", text };
  }

  #joinsHere(): boolean {
    if (!JOIN_BEGINS.includes(this.#text[this.#at] ?? "x")) return false;
    if (/\w/.test(this.#text[this.#at - 1] ?? "") && /\w/.test(this.#text[this.#at] ?? "")) {
      return false;
    }
    return joinAhead(this.#text, this.#at) !== null;
  }

  #blanks(): number {
    while (/\s/.test(this.#text[this.#at] ?? "")) this.#at++;
    return this.#at;
  }
}

/** `inside` says how the braces around it join: `all` at the top and in all{…} and not{…}. */
function printed(joined: Joined, inside: "all" | "any"): string {
  switch (joined.kind) {
    case "atom":
      return BARE_PATH.test(joined.text) ? `${joined.text}=true` : ownCondition(joined.text);
    case "not": {
      const { item } = joined;
      if (item.kind === "atom" && BARE_PATH.test(item.text)) return `${item.text}=false`;
      return `not{${printed(item, "all")}}`;
    }
    case "and": {
      const items = joined.items.map((item) => printed(item, "all")).join(", ");
      return inside === "all" ? items : `all{${items}}`;
    }
    case "or": {
      return `any{${joined.items.map((item) => printed(item, "any")).join(", ")}}`;
    }
  }
}

const PATH = String.raw`([A-Za-z_]\w*(?:\.\w+)*)`;
/** A condition on one column as other languages write it, and the form of this one. */
const FORMS: readonly (readonly [RegExp, string])[] = [
  [new RegExp(`^${PATH}\\s+not\\s+in\\s+(.+)$`, "is"), "not{$1 in $2}"],
  [new RegExp(`^${PATH}\\s+is\\s+not\\s+(.+)$`, "is"), "$1!=$2"],
  [new RegExp(`^${PATH}\\s+is\\s+(.+)$`, "is"), "$1=$2"],
  [new RegExp(`^${PATH}\\s+(?:i?like|contains|matches|includes)\\s+(.+)$`, "is"), "$1~$2"],
  [new RegExp(`^${PATH}\\s*(?:===?|:)\\s*(.+)$`, "s"), "$1=$2"],
  [new RegExp(`^${PATH}\\s*(?:!==|<>)\\s*(.+)$`, "s"), "$1!=$2"],
];

/** A condition in the form of this language, if another language's form is told; else as it stands. */
function ownCondition(text: string): string {
  for (const [pattern, form] of FORMS) {
    if (pattern.test(text)) {
      return text.replace(pattern, form).replace(/=null$/i, "=null");
    }
  }
  return text;
}
