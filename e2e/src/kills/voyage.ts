import type { Harbour, Register } from "./harbour.ts";
import type { PerRow } from "./told.ts";

/** Effects and reads of a voyage. */
export const EFFECTS = 6;
export const READS = 40;

/** What one effect of a voyage is called, and whether it shows. */
export interface Trace {
  /** as its request is: `ping b7`; what a create that never was would have made is `?` */
  readonly name: string;
  /** how often it was performed as far as the register can tell */
  readonly count: number;
}

/** A program whose plan has six effects and 40 reads, of which some feed effects. */
export interface Voyage {
  readonly program: string;
  /** rows of its one for_each */
  readonly rows: number;
  /** each effect, in order */
  traces(register: Register): readonly Trace[];
}

const pingsOf = ({ boats }: Register, id: string): number =>
  boats.find((boat) => boat.id === id)?.pings ?? 0;

const sentTo = ({ messages }: Register, to: string): number =>
  messages.filter((message) => message.to === to).length;

const several = async <T>(
  count: number,
  make: (n: number) => Promise<T>,
): Promise<readonly T[]> => {
  const made: T[] = [];
  for (let n = 0; n < count; n += 1) made.push(await make(n));
  return made;
};

/** Boats that nobody changes, one for each read but the search. */
export const enterBuoys = (harbour: Harbour): Promise<readonly string[]> =>
  several(READS - 1, (n) => harbour.enter(`buoy ${n}`));

const readOf = (id: string, n: number): string => `r${n} = Boat("${id}")`;

/** A voyage past all buoys; `mark` is a word that nothing else has. */
export async function planVoyage(
  harbour: Harbour,
  buoys: readonly string[],
  mark: string,
): Promise<Voyage> {
  const word = `row${mark}`;
  const rows = await several(2, (n) => harbour.enter(`${word} ${n}`));
  const [other, victim] = [await harbour.enter("other"), await harbour.enter("victim")];
  const past = (from: number, to: number): readonly string[] =>
    buoys.slice(from, to).map((id, n) => readOf(id, from + n));
  const program = [
    ...past(0, 10),
    `new = Boat.create(name="${mark}", owner=ann)`,
    ...past(10, 20),
    `Boat(new.id).update(note=r3.name)`,
    ...past(20, 30),
    `Boat("${other}").send(to=new.id, note=r11.name)`,
    `Boat~"${word}" => Boat(_.id).ping()`,
    ...past(30, buoys.length),
    `Boat("${victim}").delete()`,
    // What nobody asks for is not read.
    buoys.map((_, n) => `r${n}`).join(", "),
  ].join("\n");
  const traces = (register: Register): readonly Trace[] => {
    const made = register.boats.filter(({ name }) => name === mark);
    const [first] = made;
    const id = first?.id ?? "?";
    return [
      { name: "create", count: made.length },
      { name: `update ${id}`, count: first?.note === "buoy 3" ? 1 : 0 },
      { name: `send ${other}`, count: sentTo(register, id) },
      ...rows.map((row) => ({ name: `ping ${row}`, count: pingsOf(register, row) })),
      {
        name: `delete ${victim}`,
        count: register.boats.some((boat) => boat.id === victim) ? 0 : 1,
      },
    ];
  };
  return { program, rows: rows.length, traces };
}

/** The for_each of a plan, as its text names it. */
export function perRowOf(planText: string, rows: number): PerRow {
  const [, node] = /^(n\d+) for_each /m.exec(planText) ?? [];
  if (node === undefined) throw new Error("A voyage has a for_each");
  return { node, effects: rows };
}
