import type { WorkEvent } from "../work/use-work.ts";

/** One step of the tour: what to know, what to do, and how the page notices that it was done. */
export interface TourStep {
  readonly title: string;
  readonly text: string;
  /** a program that the page puts into the editor; `changed` is the ref of the last plan that changed something */
  readonly program?: (changed: string) => string;
  /** what the page asks context for */
  readonly seed?: TourSeed;
  readonly until: WorkEvent["kind"] | "context";
}

/** An entity of a sample API. */
export interface TourSeed {
  readonly api: string;
  readonly entity: string;
}

const BOTH = `lost = Boat{state=lost}
docks = e2{exists(dock)}
lost <<T
{% for b in rows %}{% for d in docks %}{% if b.id == "b" ~ d.id %}
- {{ b.name }} ({{ b.id }}): {{ d.dock }}{% endif %}{% endfor %}{% endfor %}
T`;

/** What the agent of the tour is asked. */
export const GOAL =
  "Some boats are registered as lost. Which are the longest? Does any of them stand in the boat yard? Then correct the register.";

/** The tour, in order (SURF-60). */
export const STEPS: readonly TourStep[] = [
  {
    title: "Ask for context",
    text: "An agent knows nothing of an API at first. It names its goal and an entity, here the boats of a harbour, and gets the language in short and a table: on the left code to copy, on the right what it gives.",
    seed: { api: "quay", entity: "Boat" },
    until: "context",
  },
  {
    title: "Write a program, and have it planned",
    text: "With the table an agent writes one program instead of many calls. A dry run sends nothing: it says which requests the program makes, what it reads at most, and whether it changes anything. Put the program into the editor and press Dry run.",
    program: () => "Boat{state=lost}.sort(length desc).limit(3)[id, name, length, owner.name]",
    until: "planned",
  },
  {
    title: "Run what only reads",
    text: "The verdict is ok, so the program runs as it stands. The state goes to the API as a parameter, the sort happens here, and each owner is read once. Press Run.",
    until: "ran",
  },
  {
    title: "Ask for context of a second API",
    text: "The boat yard has an API of its own. The same session grows by a table of it. A name that is taken already gets a short one: the yard's Boat is e2.",
    seed: { api: "yard", entity: "Boat" },
    until: "context",
  },
  {
    title: "Run one program over both",
    text: "The harbour says b3 where the yard says 3, so a template puts the two lists side by side, however many pages each has. Put the program into the editor and press Run.",
    program: () => BOTH,
    until: "ran",
  },
  {
    title: "Plan a change",
    text: "Sea Star, b3, is on the slip: the register is to be corrected. The dry run reads the boat, shows each value before and after, and gives the verdict review. Put the program into the editor and press Dry run.",
    program: () => 'Boat("b3").update(state=moored, note="in the yard, on the slip")[id, state]',
    until: "planned",
  },
  {
    title: "Let the agent ask",
    text: "The policy of this page leaves changes to a person. Press Run, as an agent would: nothing is sent, and the plan waits.",
    until: "waiting",
  },
  {
    title: "Approve",
    text: "The person decides on exactly this plan: another program, or another value, would have to ask anew. Press Approve.",
    until: "approved",
  },
  {
    title: "Run the approved plan",
    text: "Press Run once more. The plan runs once; asked again, it answers what was done.",
    until: "ran",
  },
  {
    title: "Read what became of it",
    text: "Put the program into the editor and press Run: the register has the new values.",
    program: () => 'Boat("b3")[id, name, state, note]',
    until: "ran",
  },
  {
    title: "Plan to take it back",
    text: "The catalog says that an update is undone by writing what stood there before. undo plans that, with the values that were read before the change. Put the program into the editor and press Dry run.",
    program: (changed) => `undo(${changed})`,
    until: "planned",
  },
  {
    title: "Undo",
    text: "An undo is a change like any other: press Run, Approve, and Run again.",
    until: "ran",
  },
];
