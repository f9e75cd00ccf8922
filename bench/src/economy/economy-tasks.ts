import { type EconomyTask, type Facts, PAGE, pagesOf } from "./economy-task.ts";

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);
const one = (): number => 1;
const none = (): number => 0;

const allBoats = {
  least: ({ boats }: Facts) => pagesOf(boats),
  listed: ({ boats }: Facts) => boats,
};
const firstPage = { least: one, listed: () => PAGE };

/** Tasks over the sample APIs, as an agent would write them. */
export const ECONOMY_TASKS: readonly EconomyTask[] = [
  {
    name: "list and project",
    program: "Boat.limit(20)[id, name, length]",
    rows: () => 20,
    ...firstPage,
  },
  {
    name: "list with a field that only gets have",
    program: "Boat.limit(10)[id, note]",
    rows: () => 10,
    least: one,
    hydration: () => 10,
    listed: () => 10,
  },
  {
    name: "list, then a relation of 20 rows",
    program: "boats = Boat.limit(20)\nboats.visits",
    rows: ({ visits }) => sum(visits),
    least: ({ visits }) => 1 + sum(visits.map(pagesOf)),
    listed: ({ visits }) => 20 + sum(visits),
  },
  {
    name: "list, then the name behind a reference",
    program: "Boat.limit(20)[id, owner.name]",
    rows: () => 20,
    least: one,
    hydration: ({ owners }) => owners,
    listed: () => 40,
  },
  {
    name: "local filter to 5",
    program: "Boat{length>10}.limit(5)[id, name, length]",
    rows: () => 5,
    ...firstPage,
  },
  {
    name: "local filter to 5, with a field that only gets have",
    program: "Boat{length>20}.limit(5)[id, note]",
    rows: () => 5,
    ...firstPage,
    hydration: () => 5,
  },
  {
    name: "local filter to 3 by a field that only gets have",
    program: 'Boat{note~"line 1"}.limit(3)[id]',
    rows: () => 3,
    ...firstPage,
    // The notes of the first, tenth and eleventh boat say so.
    hydration: () => 11,
  },
  {
    name: "sort all",
    program: "Boat.sort(length, desc).limit(5)[id, length]",
    rows: () => 5,
    ...allBoats,
  },
  {
    name: "two catalogs joined",
    program: "docks = e2\ne1{length in docks.id}[id, length]",
    both: true,
    rows: ({ asLong }) => asLong,
    least: ({ boats, yardBoats }) => pagesOf(boats) + pagesOf(yardBoats),
    listed: ({ boats, yardBoats }) => boats + yardBoats,
  },
  {
    name: "count",
    program: "Boat{state=lost}.aggregate(n=count)",
    rows: one,
    least: ({ lost }) => pagesOf(lost),
    listed: ({ lost }) => lost,
  },
  {
    name: "count of one owner",
    program: "Boat{owner=ann}.aggregate(n=count)",
    rows: one,
    least: ({ anns }) => pagesOf(anns),
    listed: ({ anns }) => anns,
  },
  { name: "group", program: "Boat.group_by(state, n=count)", rows: () => 4, ...allBoats },
  { name: "get by id", program: 'Boat("b1")[name, note]', rows: one, least: one, listed: none },
  { name: "first page of a search", program: 'Boat~"a"[id, name]', rows: () => PAGE, ...firstPage },
  {
    name: "two pages",
    program: "Boat.page_size(20)[id, name]",
    morePages: 1,
    rows: () => 40,
    least: () => 2,
    listed: () => 40,
  },
  {
    name: "update after a list",
    program: 'lost = Boat{state=lost}.limit(3)\nlost => Boat(_.id).update(note="seen")',
    rows: () => 3,
    least: () => 1 + 3,
    listed: () => 3,
  },
  {
    name: "one list, three results",
    program:
      "lost = Boat{state=lost}\nlost.aggregate(n=count)\nlost.sort(name)[id, name]\nlost.limit(3)[id]",
    rows: () => 3,
    least: ({ lost }) => pagesOf(lost),
    listed: ({ lost }) => lost,
  },
  {
    name: "five rows of a relation of three",
    program: "boats = Boat.limit(3)\nboats.visits.limit(5)",
    rows: () => 5,
    least: () => 2,
    listed: () => 8,
  },
  {
    name: "a relation that comes with its row",
    program: 'Boat("b1").logs',
    rows: () => 3,
    least: one,
    listed: () => 3,
  },
  {
    name: "three references in a row",
    program: 'Boat("b1").papers.office[city]',
    rows: one,
    least: () => 3,
    listed: none,
  },
  {
    name: "a relation of more than a page",
    program: 'Boat("b1").visits.sort(day, desc).limit(2)[day, fee]',
    rows: () => 2,
    least: ({ stays }) => pagesOf(stays),
    listed: ({ stays }) => stays,
  },
];
