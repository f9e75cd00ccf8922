import type { Garden } from "../seed.ts";
import { type CapabilityCalls, the } from "./call.ts";
import type { Field } from "../data/model.ts";

/** A field of the roadmap. */
export const fieldOf = ({ roadmap }: Garden, name: string): Field =>
  the(roadmap.ownFields.find((field) => field.name === name));

/** Calls of fields, options and iterations. */
export const FIELD_CALLS: CapabilityCalls = {
  projectfield_query: {
    program: ({ roadmap }) => `Project("${roadmap.id}").fields[name, data_type]`,
    rows: () => [
      { name: "Title", data_type: "TITLE" },
      { name: "Assignees", data_type: "ASSIGNEES" },
      { name: "Status", data_type: "SINGLE_SELECT" },
      { name: "A TEXT", data_type: "TEXT" },
      { name: "A NUMBER", data_type: "NUMBER" },
      { name: "A DATE", data_type: "DATE" },
      { name: "Iteration", data_type: "ITERATION" },
      { name: "Labels", data_type: "LABELS" },
      { name: "Repository", data_type: "REPOSITORY" },
    ],
  },
  projectfield_by_name: {
    program: ({ roadmap }) =>
      `f = ProjectField{project=Project("${roadmap.id}"), name="Status"}\nf.options[id, name, color]`,
    rows: () => [
      { id: "f75ad846", name: "Todo", color: "GREEN" },
      { id: "47fc9ee4", name: "In Progress", color: "YELLOW" },
      { id: "98236657", name: "Done", color: "PURPLE" },
    ],
  },
  projectfield_get: {
    program: (garden) =>
      `f = ProjectField("${fieldOf(garden, "Iteration").id}")\nf.completed_iterations[field, id, title, days]`,
    rows: (garden) => [
      { field: fieldOf(garden, "Iteration").id, id: "it_0", title: "Winter", days: 14 },
    ],
  },
  projectfield_create: {
    program: ({ roadmap }) =>
      `ProjectField.create(project=Project("${roadmap.id}"), name="Sun", data_type=SINGLE_SELECT, options=[{name: Full, color: YELLOW, description: "six hours"}, {name: Shade, color: GRAY, description: ""}])[name, data_type]`,
    rows: () => [{ name: "Sun", data_type: "SINGLE_SELECT" }],
    after: (garden) => fieldOf(garden, "Sun").options.map(({ name, color }) => [name, color]),
    leaves: [
      ["Full", "YELLOW"],
      ["Shade", "GRAY"],
    ],
  },
  projectfield_update: {
    program: (garden) =>
      `ProjectField("${fieldOf(garden, "Iteration").id}").update(name="Season", schedule={start_date: 2026-03-02, duration: 7, iterations: [{title: "One", start_date: 2026-03-02, duration: 7}]})[name, iteration_days]`,
    rows: () => [{ name: "Season", iteration_days: 7 }],
    after: (garden) => fieldOf(garden, "Season").configuration.iterations,
    leaves: [{ id: "it_1", title: "One", startDate: "2026-03-02", duration: 7 }],
  },
  projectfield_delete: {
    program: (garden) => `ProjectField("${fieldOf(garden, "A DATE").id}").delete()`,
    after: ({ roadmap }) => roadmap.field({ name: "A DATE" }),
    leaves: null,
  },
  fieldoption_query: {
    program: (garden) =>
      `FieldOption{field=ProjectField("${fieldOf(garden, "Status").id}"), name="Done"}[field, id, description]`,
    rows: (garden) => [
      { field: fieldOf(garden, "Status").id, id: "98236657", description: "finished" },
    ],
  },
  iteration_query: {
    program: (garden) => `Iteration{field=ProjectField("${fieldOf(garden, "Iteration").id}")}`,
    rows: (garden) => [
      {
        field: fieldOf(garden, "Iteration").id,
        id: "it_next",
        title: "Spring 1",
        start_date: "2026-03-02",
        days: 14,
      },
    ],
  },
};
