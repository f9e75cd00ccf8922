import fc from "fast-check";
import type { Json } from "../../values/value-type.ts";

/** Data for random templates: each name always has values of its type. */
export const bindingsArbitrary: fc.Arbitrary<Readonly<Record<string, Json>>> = (() => {
  const text = fc.oneof(
    fc.stringMatching(/^[ -~]{0,8}$/),
    fc.constantFrom("", "a,b,c", " x ", "héß", "👋 a", "3", "-2.5", "now-1h", "line\nbreak"),
  );
  const whole = fc.oneof(fc.integer({ min: -20, max: 20 }), fc.integer());
  const fraction = fc
    .double({ min: -1e7, max: 1e7, noNaN: true })
    .filter((value) => !Number.isInteger(value));
  const some = <T>(items: fc.Arbitrary<T>) =>
    fc.oneof(
      { weight: 5, arbitrary: fc.array(items, { minLength: 1, maxLength: 4 }) },
      fc.constant([]),
    );
  const row = fc.record({
    id: whole,
    name: text,
    ok: fc.boolean(),
    tags: some(fc.stringMatching(/^[ !#-[\]-~]{0,4}$/)),
    meta: fc.record({ k: whole, t: fc.stringMatching(/^[a-z]{0,3}$/) }),
  });
  return fc.record({
    n: whole,
    m: fc.integer({ min: -3, max: 6 }),
    f: fraction,
    big: fc.maxSafeInteger(),
    s: text,
    t: text,
    b: fc.boolean(),
    z: fc.constant(null),
    xs: some(whole),
    ws: some(fc.stringMatching(/^[a-z]{0,3}$/)),
    o: fc.record({ a: whole, b: fc.stringMatching(/^[a-z ]{0,4}$/), "a b": fc.boolean() }),
    rows: some(row),
  });
})();

/** Types of expressions. (An interface would have no index signature, which letrec asks for.) */
type Expressions = {
  readonly number: string;
  readonly text: string;
  readonly boolean: string;
  readonly list: string;
  readonly any: string;
  readonly nullable: string;
};

const all = (template: string, ...parts: readonly fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
  fc
    .tuple(...parts)
    .map((found) => template.replaceAll(/\$(\d)/g, (_, at: string) => found[Number(at)] ?? ""));

const one = (...texts: readonly string[]): fc.Arbitrary<string> => fc.constantFrom(...texts);

const DEPTH = { depthSize: "small", withCrossShrink: true } as const;

/** Expressions of the subset whose types fit, with a few that do not. */
const expressions = fc.letrec<Expressions>((tie) => {
  const number = tie("number");
  const text = tie("text");
  const boolean = tie("boolean");
  const list = tie("list");
  const any = tie("any");
  const nullable = tie("nullable");
  const literal = one("''", '"a"', "' x y '", '"a,b"', "','", '"é\\n\\u00e9\\x41"', "'\\'q\\\"'");
  return {
    number: fc.oneof(
      DEPTH,
      // Zero has a sign there, but not here (LANG-041); adding 0 takes it away.
      one("n", "m", "f", "o.a", 'o["a"]', "0", "1", "2", "7", "12.5", "1e3", "0.1", "xs[0]"),
      all("($0 $1 $2 + 0)", number, one("+", "-", "*", "/", "//"), number),
      all("($0 % $1 + 0)", one("n", "m", "7", "(-7)"), one("m", "3", "(-3)")),
      all("(-($0) + 0)", number),
      all("($0) | int", one("n", "f", "'3'", "'-2.5'", "b", "'1e3'")),
      all("(($0) | round$1 + 0)", number, one("", "(0)", "(2)", "(1)", "(-1)")),
      all("($0) | length", fc.oneof(text, list, one("o"))),
      all("($0) | first", one("xs", "[1, 2]", "rows | default([])")),
      all("($0 if $1 else $2)", number, boolean, number),
      all("$0 | default($1)", one("o.nothing", "n", "xs[9]"), number),
    ),
    text: fc.oneof(
      DEPTH,
      fc.oneof(literal, one("s", "t", "o.b", "ws[0]", "s[0]", "s[-1]")),
      all("($0 ~ $1)", any, any),
      all("($0 + $1)", text, text),
      all("($0) * $1", text, one("0", "2", "m")),
      all("($0) | $1", text, one("lower", "upper", "trim", "lower()")),
      all("($0) | replace($1, $2)", text, fc.oneof(literal, one("t")), literal),
      all("($0) | join($1)", list, literal),
      all("($0) | $1", text, one("first", "last")),
      all("($0).split($1)[$2]", text, one("','", "' '", "'a'"), one("0", "1", "-1")),
      all("($0 if $1 else $2)", text, boolean, text),
      all("($0) | default($1, true)", text, text),
    ),
    boolean: fc.oneof(
      DEPTH,
      one("b", "true", "false", "True", "(z is none)", "(s is not none)", "(o.q is defined)"),
      all(
        "($0 is $1)",
        one("o.a", "o.zz", "rows[0]", "z", "z.y", "n"),
        one("defined", "not defined"),
      ),
      all("(not $0)", nullable),
      all("($0 $1 $2)", number, one("<", "<=", ">", ">=", "==", "!="), number),
      all("($0 $1 $2)", text, one("<", "<=", ">", ">=", "==", "!="), text),
      all("($0 $1 $2)", nullable, one("==", "!="), nullable),
      all("($0 $1 $2)", text, one("in", "not in"), text),
      all("($0 $1 $2)", nullable, one("in", "not in"), list),
      all("($0 in o)", literal),
      all("($0 $1 $2)", boolean, one("and", "or"), boolean),
    ),
    // Null prints as nothing here and as none there, so it is not among what is printed.
    nullable: fc.oneof(one("z", "none"), any),
    list: fc.oneof(
      DEPTH,
      one("xs", "ws", "[]", "[1, 2.5, 'a']", "rows[0].tags"),
      all("[$0, $1]", text, fc.oneof(text, boolean)),
      all("($0 + $1)", list, list),
      all("($0).split(',')", text),
    ),
    any: fc.oneof(
      DEPTH,
      { weight: 12, arbitrary: fc.oneof(number, text, boolean) },
      { weight: 3, arbitrary: list },
      one("nowhere", "o.nothing", "o", "big", "nowhere.deep"),
      all("($0 $1 $2)", one("n", "s", "b", "xs", "o"), one("or", "and"), any),
    ),
  };
});

const control = one("", "", "", "-");

/** A template of the subset over the names of {@link bindingsArbitrary}. */
export const templateArbitrary: fc.Arbitrary<string> = fc.letrec<{
  readonly body: string;
  readonly node: string;
}>((tie) => {
  const body = tie("body");
  const { any, number, boolean, list } = expressions;
  return {
    body: fc.array(tie("node"), { maxLength: 4 }).map((nodes) => nodes.join("")),
    node: fc.oneof(
      DEPTH,
      one(" ", "text", " a\n", "\n  ", "{ }", "}} %}", "\u00a0é ", "{# c #}", " {#- c -#} "),
      all("{{$0 $1 $2}}", control, any, control),
      all("{{ ($0) if $1 }}", any, boolean),
      all("{%$0 set v = $1 %}{{ v }}", control, fc.oneof(number, any)),
      all("{%$0 if $1 $2%}$3{% endif $2%}", control, boolean, control, body),
      all(
        "{% if $0 %}$2{% elif $1 $4%}$3{% else %}$2{% endif %}",
        boolean,
        any,
        body,
        body,
        control,
      ),
      all(
        "{% for x in $0 $1%}{{ x }}$2{% endfor %}",
        fc.oneof(list, one("o", "z", "s")),
        control,
        body,
      ),
      all(
        "{% for r in rows %}{{ r.$0 }}{{ loop.$1 }}$2{%$3 else %}$4{% endfor %}",
        one("id", "name", "ok", "meta.k", "tags[0]", "meta['t']"),
        one("index", "index0", "revindex", "revindex0", "first", "last", "length"),
        body,
        control,
        body,
      ),
    ),
  };
}).body;
