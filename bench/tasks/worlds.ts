import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { bookshopCollections, bookshopData } from "@plasm/sample-apis/shop";
import { BOOKSHOP_EFFECTS } from "./bookshop/effect-tasks.ts";
import { BOOKSHOP_JOINS } from "./bookshop/join-tasks.ts";
import { BOOKSHOP_READS } from "./bookshop/read-tasks.ts";
import { BOOKSHOP_VALUES } from "./bookshop/value-tasks.ts";
import { clinicCollections, clinicData } from "./clinic/data.ts";
import { CLINIC_READS } from "./clinic/read-tasks.ts";
import { CLINIC_VALUES } from "./clinic/value-tasks.ts";
import type { Collection } from "@plasm/sample-apis/shop";
import type { RightAnswer, Task, TaskNeed } from "./task.ts";

/** A task whose right answer is known. */
export interface CheckedTask {
  readonly id: string;
  readonly kind: TaskNeed;
  readonly ask: string;
  readonly expect: (now: Date) => RightAnswer;
}

/** An API with its catalog, and tasks for it. */
export interface TaskWorld {
  /** also the catalog's id */
  readonly name: string;
  readonly catalog: string;
  readonly intent: string;
  readonly entities: readonly string[];
  readonly collections: readonly Collection[];
  readonly tasks: readonly CheckedTask[];
}

const checked = <Data>(data: Data, tasks: readonly Task<Data>[]): readonly CheckedTask[] =>
  tasks.map(({ id, kind, ask, expect }) => ({ id, kind, ask, expect: (now) => expect(data, now) }));

/** The bookshop's is one of those that come with the program. */
const SHIPPED = dirname(fileURLToPath(import.meta.resolve("@plasm/cli/package.json")));

const catalogOf = (name: string): string => join(import.meta.dirname, "catalogs", name);

const bookshop = bookshopData();
const clinic = clinicData();

export const WORLDS: readonly TaskWorld[] = [
  {
    name: "bookshop",
    catalog: join(SHIPPED, "tasks/catalogs/bookshop"),
    intent: "look after a bookshop",
    entities: ["Customer", "Book", "Order", "Line", "Review", "Coupon"],
    collections: bookshopCollections(bookshop),
    tasks: checked(bookshop, [
      ...BOOKSHOP_READS,
      ...BOOKSHOP_JOINS,
      ...BOOKSHOP_VALUES,
      ...BOOKSHOP_EFFECTS,
    ]),
  },
  {
    name: "clinic",
    catalog: catalogOf("clinic"),
    intent: "look after a clinic",
    entities: ["Doctor", "Patient", "Appointment", "Note", "Prescription"],
    collections: clinicCollections(clinic),
    tasks: checked(clinic, [...CLINIC_READS, ...CLINIC_VALUES]),
  },
];

export function worldNamed(name: string): TaskWorld {
  const world = WORLDS.find((one) => one.name === name);
  if (world === undefined)
    throw new Error(`no world ${name}; there are ${WORLDS.map((one) => one.name).join(", ")}`);
  return world;
}
