import type { JsonObject } from "@plasm/core";
import { addContent, addItem } from "../data/items.ts";
import { drop, nodeOf, refused, touch } from "../data/world.ts";
import { given, ids, type Input, type Mutations, text } from "./input.ts";
import type {
  Account,
  Content,
  Field,
  Item,
  Project,
  Repository,
  Value,
  World,
} from "../data/model.ts";

const FIELDS = ["ProjectV2Field", "ProjectV2SingleSelectField", "ProjectV2IterationField"];

/** Which member of a value each kind of field takes, and what is then stored. */
const TAKES: Readonly<Record<string, keyof typeof STORED>> = {
  TEXT: "text",
  NUMBER: "number",
  DATE: "date",
  SINGLE_SELECT: "singleSelectOptionId",
  ITERATION: "iterationId",
};

const STORED = {
  text: (_: Field, value: unknown) => ({ __typename: "ProjectV2ItemFieldTextValue", text: value }),
  number: (_: Field, value: unknown) => ({
    __typename: "ProjectV2ItemFieldNumberValue",
    number: value,
  }),
  date: (_: Field, value: unknown) => ({ __typename: "ProjectV2ItemFieldDateValue", date: value }),
  singleSelectOptionId: ({ options }: Field, value: unknown) => {
    const option = options.find(({ id }) => id === value);
    if (option === undefined)
      throw refused("The single select option Id does not belong to the field");
    const { name, color } = option;
    return { __typename: "ProjectV2ItemFieldSingleSelectValue", optionId: value, name, color };
  },
  iterationId: ({ configuration }: Field, value: unknown) => {
    const { iterations, completedIterations } = configuration;
    const found = [...iterations, ...completedIterations].find(({ id }) => id === value);
    if (found === undefined) throw refused("The iteration Id does not belong to the field");
    const { title, startDate, duration } = found;
    return {
      __typename: "ProjectV2ItemFieldIterationValue",
      iterationId: value,
      title,
      startDate,
      duration,
    };
  },
};

/** What a field holds once it is set to a value of which exactly one member is given. */
function stored(field: Field, value: JsonObject): Value {
  const [only, ...more] = Object.entries(value);
  const takes = TAKES[field.dataType];
  if (only === undefined || more.length > 0 || takes === undefined || only[0] !== takes) {
    throw refused(`Did not receive a ${field.dataType.toLowerCase()} value to update the field`);
  }
  return { ...STORED[takes](field, only[1]), field };
}

const projectOf = (world: World, { input }: Input): Project =>
  nodeOf(world, text(input, "projectId"), "ProjectV2");

/** Mutations of a project's items. */
export function itemMutations(world: World): Mutations {
  const project = (args: Input): Project => projectOf(world, args);
  /** An item of the project that is named beside it. */
  const item = (args: Input): Item => {
    const found = nodeOf<Item>(world, text(args.input, "itemId"), "ProjectV2Item");
    if (found.project === project(args)) return found;
    throw refused("The item does not exist in the project");
  };
  const field = ({ input }: Input): Field => nodeOf(world, text(input, "fieldId"), ...FIELDS);
  return {
    addProjectV2ItemById: (args) => {
      const id = text(args.input, "contentId");
      const content = nodeOf<Content>(world, id, "Issue", "PullRequest");
      return { item: addItem(world, project(args), content) };
    },
    updateProjectV2ItemFieldValue: (args) => {
      const value = args.input["value"] as JsonObject;
      item(args).values.set(field(args).id, stored(field(args), value));
      return { projectV2Item: touch(world, item(args)) };
    },
    clearProjectV2ItemFieldValue: (args) => {
      item(args).values.delete(field(args).id);
      return { projectV2Item: touch(world, item(args)) };
    },
    updateProjectV2ItemPosition: (args) => {
      const moved = item(args);
      const after = args.input["afterId"];
      drop(world.items, moved);
      const at =
        typeof after === "string"
          ? world.items.indexOf(nodeOf<Item>(world, after, "ProjectV2Item")) + 1
          : world.items.findIndex((each) => each.project === moved.project);
      world.items.splice(Math.max(0, at), 0, moved);
      return { items: moved.project.items };
    },
    archiveProjectV2Item: (args) => ({ item: touch(world, item(args), { isArchived: true }) }),
    unarchiveProjectV2Item: (args) => ({ item: touch(world, item(args), { isArchived: false }) }),
    deleteProjectV2Item: (args) => {
      const gone = item(args);
      world.nodes.delete(gone.id);
      drop(world.items, gone);
      return { deletedItemId: gone.id };
    },
  };
}

/** Mutations of drafts. */
export function draftMutations(world: World): Mutations {
  const draft = ({ input }: Input): Content =>
    nodeOf(world, text(input, "draftIssueId"), "DraftIssue");
  const people = ({ input }: Input): readonly Account[] =>
    ids(input, "assigneeIds").map((id) => nodeOf(world, id, "User"));
  return {
    addProjectV2DraftIssue: (args) => {
      const title = text(args.input, "title");
      const more = { ...given(args.input, "body"), people: people(args) };
      const content = addContent(world, "DraftIssue", title, more);
      return { projectItem: addItem(world, projectOf(world, args), content) };
    },
    updateProjectV2DraftIssue: (args) => {
      const assigned = "assigneeIds" in args.input ? { people: people(args) } : {};
      const changes = { ...given(args.input, "title", "body"), ...assigned };
      return { draftIssue: touch(world, draft(args), changes) };
    },
    convertProjectV2DraftIssueItemToIssue: ({ input }) => {
      const found = nodeOf<Item>(world, text(input, "itemId"), "ProjectV2Item");
      if (found.content?.__typename !== "DraftIssue") throw refused("Only drafts can be converted");
      const { title, body } = found.content;
      const repository = nodeOf<Repository>(world, text(input, "repositoryId"), "Repository");
      const issue = { body, repository, number: 1000, url: `${repository.url}/issues/1000` };
      const content = addContent(world, "Issue", title, { ...issue, closed: false });
      return { item: touch(world, found, { content }) };
    },
  };
}
