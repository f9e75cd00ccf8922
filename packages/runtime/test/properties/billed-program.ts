import fc from "fast-check";

const one = (...options: readonly string[]): fc.Arbitrary<string> => fc.constantFrom(...options);

const count = fc.integer({ min: 1, max: 25 }).map(String);
const column = one("id", "name", "owner", "length", "state", "built", "note", "flags", "meta");

const condition = one(
  ..."state=lost|state!=moored|state in [lost, sailing]|owner=ann|owner!=bob|owner in [ann, bob]".split(
    "|",
  ),
  ..."length>10|length=null|exists(built)|exists(note)|not{state=lost}|name~1|near=north".split(
    "|",
  ),
  ..."id=b1|id in [b1, b2, none]|owner.name~Name|exists(papers.office)|twin.state=lost".split("|"),
);
const conditions = fc.array(condition, { maxLength: 2 }).map((all) => all.join(", "));

const boats = fc.oneof(
  { weight: 2, arbitrary: one("Boat", 'Boat~"Boat"', 'Person("ann").boats') },
  { weight: 2, arbitrary: conditions.map((all) => `Boat{${all}}`) },
  { weight: 2, arbitrary: one('Boat("b1")', 'Boat("b2")', "Boat{id=b3}") },
  { weight: 1, arbitrary: conditions.map((all) => `Boat~"Boat"{${all}}`) },
);

const step = fc.oneof(
  { weight: 3, arbitrary: count.map((n) => `.limit(${n})`) },
  { weight: 2, arbitrary: count.map((n) => `.page_size(${n})`) },
  { weight: 1, arbitrary: column.map((name) => `.sort(${name} desc)`) },
  { weight: 1, arbitrary: column.map((name) => `.distinct(${name})`) },
  { weight: 1, arbitrary: conditions.map((all) => `.filter{${all}}`) },
  { weight: 1, arbitrary: one(".limit(1).singleton()") },
);

const end = fc.oneof(
  { weight: 3, arbitrary: one("", "[id, name]") },
  {
    weight: 2,
    arbitrary: fc
      .uniqueArray(fc.oneof(column, one("owner.name", "papers.office", "meta.berth")), {
        minLength: 1,
        maxLength: 3,
      })
      .map((all) => `[${all.join(", ")}]`),
  },
  one(".owner", ".visits", ".visits{fee>10}", ".logs[text]", ".papers", ".papers.office[city]"),
  one(
    ".twin",
    ".twin.visits[day, fee]",
    ".owner.boats[id]",
    ".visits.boat[name]",
    ".visits.limit(3)",
  ),
  one(
    ".aggregate(n=count)",
    ".aggregate(sum(length), min(note))",
    ".group_by(owner.name, n=count)",
  ),
  column.map((name) => ` <<T\n{% for r in rows %}{{ r.${name} }},{% endfor %}\nT`),
);

const chain = fc
  .tuple(boats, fc.array(step, { maxLength: 2 }), end)
  .map(([from, steps, last]) => `${from}${steps.join("")}${last}`);

const other = one(
  "Person",
  "Person.limit(2)",
  'Person("ann")',
  'Person("ann").boats[id, name]',
  "Visit{boat=b1}",
  "Visit{boat=b1}.limit(22)",
  "Visit{boat=b2}.sort(fee desc).limit(2)",
  "Visit{boat in [b1, b2]}",
  "Visit(boat=b1, day=2026-01-05)",
  "Boat(nope)",
  "Log(11)",
  'Paper("p-b1").office',
  "Digest{boat=b1}[boat, slug]",
  'Digest("b1").visits[day, fee]',
  "Stats{boat=b2}[person, n]",
);

const effect = (value: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof(
    one("ping()", "delete()", "update(state=lost)"),
    value.map((to) => `send(to=${to})`),
    value.map((name) => `update(name=${name})`),
  );

const perRow = fc.oneof(
  effect(one("x", "_.name")).map((call) => `Boat(_.id).${call}`),
  one(
    "Boat(_.id)",
    "Person(_.owner)",
    "Visit{boat=_.id}",
    "Digest{boat=_.id}",
    "{n: _.name, t: _.note}",
  ),
  one("Boat.create(name=_.name, owner=_.owner)"),
);

const next = fc.oneof(
  perRow.map((body) => `a => ${body}`),
  effect(one("x")).map((call) => `Boat("b2").${call}`),
  one("Boat.create(name=x, owner=ann)", 'Boat("b1").update(state=lost)[id, note]'),
  step.map((each) => `a${each}`),
  end.map((each) => `a${each}`),
  one(
    "Person{login in a.owner}",
    "Boat{owner in a.owner}.limit(3)",
    "Visit{boat in a.id}.limit(5)",
  ),
  chain,
  other,
);

/** A program over boats of one to three statements; a few are refused, as it should be. */
export const billedProgram: fc.Arbitrary<string> = fc.oneof(
  { weight: 2, arbitrary: chain },
  { weight: 1, arbitrary: other },
  { weight: 1, arbitrary: fc.tuple(chain, other).map((both) => both.join("\n")) },
  { weight: 1, arbitrary: fc.tuple(other, other).map((both) => both.join("\n")) },
  {
    weight: 4,
    arbitrary: fc
      .tuple(boats, step, fc.array(next, { minLength: 1, maxLength: 2 }))
      .map(([from, each, more]) => [`a = ${from}${each}`, ...more].join("\n")),
  },
);
