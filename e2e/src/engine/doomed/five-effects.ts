import type { Harbour, Register } from "../../harness/harbour.ts";
import type { PerRow } from "./told.ts";

/** A program whose plan has exactly five effects, and what the register says if they are performed. */
export interface FiveEffects {
  readonly kind: string;
  readonly program: string;
  readonly perRow: PerRow | null;
  /** how often each effect was performed as far as the register can tell, in order */
  counts(register: Register): readonly number[];
}

type Make = (harbour: Harbour, mark: string) => Promise<FiveEffects>;

const pingsOf = ({ boats }: Register, id: string): number =>
  boats.find((boat) => boat.id === id)?.pings ?? 0;

const named = ({ boats }: Register, name: string): number =>
  boats.filter((boat) => boat.name === name).length;

const gone = ({ boats }: Register, id: string): number =>
  boats.some((boat) => boat.id === id) ? 0 : 1;

const sentTo = ({ messages }: Register, to: string): number =>
  messages.filter((message) => message.to === to).length;

/** One of each kind, none of which needs another. */
const apart: Make = async (harbour, mark) => {
  const target = await harbour.enter("target");
  const victim = await harbour.enter("victim");
  return {
    kind: "apart",
    perRow: null,
    program: `Boat.create(name="${mark}", owner=ann)
Boat("${target}").update(note="${mark}")
Boat("${target}").send(to="${mark}")
Boat("${target}").ping()
Boat("${victim}").delete()`,
    counts: (register) => [
      named(register, mark),
      register.boats.find(({ id }) => id === target)?.note === mark ? 1 : 0,
      sentTo(register, mark),
      pingsOf(register, target),
      gone(register, victim),
    ],
  };
};

/** All of them on what the first one made. */
const chained: Make = async (harbour, mark) => {
  const other = await harbour.enter("other");
  return {
    kind: "chained",
    perRow: null,
    program: `new = Boat.create(name="${mark}", owner=ann)
Boat(new.id).update(note="${mark}")
Boat("${other}").send(to=new.id, note="${mark}")
Boat(new.id).ping()
Boat("${other}").update(note=new.name)`,
    counts: (register) => {
      const made = register.boats.find(({ name }) => name === mark);
      return [
        named(register, mark),
        made?.note === mark ? 1 : 0,
        made === undefined ? 0 : sentTo(register, made.id),
        made?.pings ?? 0,
        register.boats.find(({ id }) => id === other)?.note === mark ? 1 : 0,
      ];
    },
  };
};

/** Three of them one per row, between two others. */
const perRow: Make = async (harbour, mark) => {
  const word = `row${mark}`;
  const rows: string[] = [];
  for (const number of [1, 2, 3]) rows.push(await harbour.enter(`${word} ${number}`));
  const victim = await harbour.enter("victim");
  return {
    kind: "per row",
    perRow: { node: "n3", effects: 3 },
    program: `Boat.create(name="${mark}", owner=ann)
Boat~"${word}" => Boat(_.id).ping()
Boat("${victim}").delete()`,
    counts: (register) => [
      named(register, mark),
      ...rows.map((id) => pingsOf(register, id)),
      gone(register, victim),
    ],
  };
};

/** The three kinds of plans; `mark` is a word that nothing else has. */
export const FIVE_EFFECTS: readonly Make[] = [apart, chained, perRow];
