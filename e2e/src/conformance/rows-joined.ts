import type { ListedBoat, SampleData } from "../harness/sample-data.ts";
import type { ConformanceRow } from "./conformance-row.ts";

/** Each boat beside the person whose login its owner is. */
const owned = ({ boats, people }: SampleData): readonly object[] =>
  boats.flatMap(({ id, owner }) =>
    people.filter(({ login }) => login === owner).map(({ name }) => ({ id, "p.name": name })),
  );

const boatsOf = ({ boats }: SampleData, login: string | null): readonly ListedBoat[] =>
  boats.filter(({ owner }) => owner === login);

const byId = (a: ListedBoat, b: ListedBoat): number => (a.id < b.id ? -1 : 1);

/** Rows of two reads, side by side (C-134 to C-139). */
export const JOINED_ROWS: readonly ConformanceRow[] = [
  {
    id: "C-134",
    construct: "join",
    cases: [
      {
        program: "p = Person\nBoat.join(p, owner=login)[id, p.name]",
        sameAs: "p = Person\nb = Boat\nb.join(p, p.login = b.owner)[id, p.name]",
        otherThan: "p = Person\nBoat.left_join(p, owner=login)[id, p.name]",
        live: (data) => ({ whole: owned(data) }),
      },
      {
        program: "Boat.join(Person, owner=login).sort(id).limit(1) => {who: _.Person.name}",
        live: (data) => {
          const [first] = data.boats
            .filter(({ owner }) => data.people.some(({ login }) => login === owner))
            .toSorted(byId);
          const who = data.people.find(({ login }) => login === first?.owner)?.name;
          return { results: [[{ who }]] };
        },
      },
      {
        program:
          "y = e(yard.Boat)\ne(quay.Boat).sort(id).limit(3).join(y, length=id)[id, y.id, y.dock]",
        yard: true,
        live: ({ boats, yardBoats }) => ({
          results: [
            boats
              .toSorted(byId)
              .slice(0, 3)
              .flatMap(({ id, length }) =>
                yardBoats
                  .filter((boat) => boat.id === length)
                  .map((boat) => ({ id, "y.id": boat.id, "y.dock": boat.dock })),
              ),
          ],
        }),
      },
    ],
  },
  {
    id: "C-135",
    construct: "left join",
    cases: [
      {
        program: "p = Person\nBoat.left_join(p, owner=login)[id, p.name]",
        live: ({ boats, people }) => ({
          whole: boats.map(({ id, owner }) => ({
            id,
            "p.name": people.find(({ login }) => login === owner)?.name ?? null,
          })),
        }),
      },
    ],
  },
  {
    id: "C-136",
    construct: "counts with zeros",
    cases: [
      {
        program: "p = Person\nb = Boat\np.left_join(b, login=owner).group_by(login, n=count(b.id))",
        live: (data) => ({
          whole: data.people.map(({ login }) => ({ login, n: boatsOf(data, login).length })),
        }),
      },
    ],
  },
  {
    id: "C-137",
    construct: "join of groups",
    cases: [
      {
        program: "g = Boat.group_by(owner, n=count)\nPerson.join(g, login=owner)[login, g.n]",
        live: (data) => ({
          whole: data.people.flatMap(({ login }) => {
            const n = boatsOf(data, login).length;
            return n === 0 ? [] : [{ login, "g.n": n }];
          }),
        }),
      },
    ],
  },
  {
    id: "C-138",
    construct: "first and last",
    cases: [
      {
        program: "Boat.sort(id).group_by(state, a=first(id), z=last(id))",
        live: ({ boats }) => {
          const groups = new Map<string | null, string[]>();
          for (const { id, state } of boats.toSorted(byId)) {
            groups.set(state, [...(groups.get(state) ?? []), id]);
          }
          return {
            whole: [...groups].map(([state, ids]) => ({ state, a: ids.at(0), z: ids.at(-1) })),
          };
        },
      },
    ],
  },
  {
    id: "C-139",
    construct: "join mistakes",
    cases: [
      {
        program: "Boat.join(Person, length=login)",
        errors: [{ code: "bad_operator", says: ["num", "never equal"] }],
      },
      {
        program: "Boat.join(Person, on=name)",
        errors: [{ code: "unknown_column", suggests: "Boat.join(Person, name=name)" }],
      },
      {
        program: "Boat.join(Person, login=owner)",
        errors: [{ code: "unknown_column", suggests: "Boat.join(Person, owner=login)" }],
      },
      {
        program: 'Boat.join(Person, on(Boat.owner = Person.login), how="left")',
        errors: [{ code: "syntax", suggests: "Boat.left_join(Person, Boat.owner=Person.login)" }],
      },
    ],
  },
];
