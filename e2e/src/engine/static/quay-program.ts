import fc from "fast-check";

const one = (...options: readonly string[]): fc.Arbitrary<string> => fc.constantFrom(...options);

const column = one("id", "name", "owner", "length", "state", "built", "note", "flags", "meta");
const count = fc.integer({ min: 1, max: 5 }).map(String);

const condition = one(
  ..."state=lost|state!=moored|state in [lost, sailing]|owner=ann|owner!=bob|owner=Person(eva)".split(
    "|",
  ),
  ..."length>10|length<=12.5|length=null|length in [7, 9.5]|built<2015-01-01|built>today-7d".split(
    "|",
  ),
  ..."exists(built)|exists(note)|not{state=lost}|any{state=lost, length>10}|all{owner=ann, state!=lost}".split(
    "|",
  ),
  ...'name~a|name="Alma"|name>=B|note~x|flags~old|meta~a|near=north|id=b1|id in [b1, b2, none]'.split(
    "|",
  ),
  ..."owner.name=Ann|exists(papers.office)|note=null|state=lost, state=moored|papers.office.city=Kiel".split(
    "|",
  ),
  ...'meta.m1="x"|exists(meta.m1)|not{any{length<5, exists(note)}}|twin.state=lost|flags=null'.split(
    "|",
  ),
);
const conditions = fc.array(condition, { maxLength: 2 }).map((all) => all.join(", "));

const boats = fc.oneof(
  { weight: 3, arbitrary: conditions.map((all) => `Boat{${all}}`) },
  { weight: 2, arbitrary: one("Boat", 'Boat("b1")', 'Boat("b2")', "Boat(nope)", 'Boat~"Al"') },
  { weight: 1, arbitrary: conditions.map((all) => `Boat~a{${all}}`) },
);

const boatStep = fc.oneof(
  count.map((n) => `.limit(${n})`),
  count.map((n) => `.page_size(${n})`),
  fc
    .tuple(column, one("", " desc", " asc"), column)
    .map(([first, way, second]) => `.sort(${first}${way}, ${second})`),
  conditions.map((all) => `.filter{${all}}`),
  column.map((name) => `.distinct(${name})`),
  one(".singleton()", ".distinct()", ".sort(owner.name)", ".limit(1)"),
);

const boatEnd = fc.oneof(
  { weight: 4, arbitrary: one("") },
  fc
    .uniqueArray(fc.oneof(column, one("owner.name", "papers.office", "meta.m1")), {
      minLength: 1,
      maxLength: 3,
    })
    .map((all) => `[${all.join(", ")}]`),
  one(".owner", ".visits", ".visits{fee>10}", ".logs[text]", ".papers", ".papers.office[city]"),
  one(".twin", ".twin.visits[day, fee]", ".owner.boats[id]", ".visits.boat[name]"),
  one(".aggregate(n=count)", ".aggregate(sum(length), max(built), min(name), avg(length))"),
  one(".aggregate(sum(meta.m1), count(note))", ".group_by(owner.name, n=count, min(length))"),
  column.map((name) => `.group_by(${name}, n=count, s=sum(length))`),
  column.map((name) => ` <<T\n{% for r in rows %}{{ r.${name} }},{% endfor %}\nT`),
  one(
    " <<T\n{{ rows | length }} {{ rows[0].name }}\nT",
    " <<T\n{{ (rows | first).owner.name }}\nT",
  ),
);

/** A chain over boats, of which most steps leave few. */
const chainTo = (ends: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(boats, fc.array(boatStep, { maxLength: 2 }), ends)
    .map(([from, steps, end]) => `${from}${steps.join("")}.limit(4)${end}`);

const other = one(
  "Person",
  "Person{boats>2}",
  'Person("ann")',
  'Person("ann").boats[id, name]',
  "Visit{boat=b1}.sort(fee desc).limit(2)",
  "Visit(boat=b1, day=2026-01-05)",
  "Log(1)",
  "Paper(q1).office",
  "Digest{boat=b1}[boat, echo, slug]",
  'Digest("b1").visits[day, fee]',
  "Stats{boat=b1}[person, n]",
  '["b1", "b9"]',
  "{name: Alma, length: 12.50, day: 2026-01-05}",
  "[[1, 2], {a: 1, b: {c: x}}]",
  "12345678901234567890",
  '"text of one line"',
);

const anywhere = one(
  ..."x|a.id|a.name|a.length|a.note|12.50|null|true|today-1d|a".split("|"),
  '"b1"',
  "<<V\nheld {{ x }}\nV",
);
const ofRow = one(..."_.name|_.id|_.owner|_.length|_.state|_.note|_.built|_.meta.m1".split("|"));
const perRowValue = fc.oneof({ weight: 3, arbitrary: ofRow }, anywhere);

const callOf = (value: fc.Arbitrary<string>, state: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof(
    fc.tuple(value, value).map(([to, note]) => `send(to=${to},\nnote=${note})`),
    fc.tuple(state, value).map(([held, name]) => `update(state=${held},\nname=${name})`),
    one("ping()", "delete()"),
  );
const call = callOf(anywhere, one("lost", "moored", "a.state"));
const rowCall = callOf(perRowValue, one("lost", "_.state", "a.state"));

const createOf = (value: fc.Arbitrary<string>, owner: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(value, owner, one("12.50", "null", "a.length"))
    .map(([name, by, length]) => `Boat.create(name=${name},\nowner=${by},\nlength=${length})`);
const create = createOf(anywhere, one("ann", "a.owner", 'Person("eva")'));
const rowCreate = createOf(perRowValue, one("ann", "_.owner"));

const derived = fc
  .uniqueArray(fc.tuple(one("n", "m", "k"), perRowValue), {
    minLength: 1,
    maxLength: 3,
    selector: ([key]) => key,
  })
  .map((all) => `{${all.map(([key, held]) => `${key}: ${held}`).join(",\n")}}`);

const perRow = fc.oneof(
  derived,
  rowCall.map((each) => `Boat(_.id).${each}`),
  rowCall.map((each) => `Boat(_).${each}`),
  rowCall.map((each) => `a.${each}`),
  one("Boat(_.id)", "Person(_.owner)", "Visit{boat=_.id}", "Boat{owner=_.owner, length>10}"),
  rowCreate,
);

const next = fc.oneof(
  perRow.map((body) => `a => ${body}`),
  perRow.map((body) => `x = a => ${body}\nx`),
  perRow.map((body) => `x = a => ${body}\nx.aggregate(count)`),
  call.map((each) => `Boat("b2").${each}`),
  call.map((each) => `a.${each}`),
  create,
  boatStep.map((step) => `a${step}`),
  boatEnd.map((end) => `a${end}`),
  conditions.map((all) => `a{${all}}`),
  one("Person{login in a.owner}", "Boat{owner in a.login}", "Boat{id in a.id}[id]", "a.boats[id]"),
  one(
    "Boat{owner=a.owner}.limit(2)",
    "Boat(a.id)",
    "Person(a.owner).boats.limit(2)",
    "a => {s: a}",
  ),
  one("Boat.limit(2) <<T\n{{ a }} {{ a | length }}\nT", "Boat~a.name", "Visit{boat=a}.limit(2)"),
  other,
);

const alone = fc.oneof({ weight: 4, arbitrary: chainTo(boatEnd) }, other);
const first = fc.oneof(
  { weight: 6, arbitrary: chainTo(one("", "", "", ".limit(1)", ".twin")) },
  { weight: 1, arbitrary: other },
);

/**
 * A program over quay of one to three statements, with holes, effects and templates. Most plan; the others
 * are refused for their types or columns, which is as it should be.
 */
export const quayProgram: fc.Arbitrary<string> = fc.oneof(
  alone.map((line) => `a = ${line}\na`),
  fc
    .tuple(first, fc.array(next, { minLength: 1, maxLength: 2 }))
    .map(([start, more]) => [`a = ${start}`, ...more.map(renamed)].join("\n")),
);

/** The labels of a line, told apart from those of the other. */
function renamed(line: string, at: number): string {
  return line.replaceAll(/^x\b/gm, `x${at}`);
}
