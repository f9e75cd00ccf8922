import { connection } from "./connection.ts";
import { register } from "./world.ts";
import type { Content, Field, Item, Project, Value, World } from "./model.ts";

const TYPES = { Issue: "ISSUE", PullRequest: "PULL_REQUEST", DraftIssue: "DRAFT_ISSUE" } as const;
const PREFIXES = { Issue: "I", PullRequest: "PR", DraftIssue: "DI" } as const;

/** Enters an issue or pull request of a repository, or a draft. */
export function addContent(
  world: World,
  kind: Content["__typename"],
  title: string,
  more: Readonly<Record<string, unknown>> = {},
): Content {
  const now = world.now();
  const content: Content = {
    body: "",
    people: [],
    ...more,
    __typename: kind,
    id: world.id(PREFIXES[kind]),
    title,
    createdAt: now,
    updatedAt: now,
    creator: world.viewer(),
    author: world.viewer(),
    assignees: (args) => connection(content.people, args),
    projectItems: (args) =>
      connection(
        world.items.filter((item) => item.content === content),
        args,
      ),
  };
  world.contents.push(content);
  return register(world, content);
}

/** What the built-in fields of an item hold, read from its content. */
function builtIn(item: Item, field: Field): Value | null {
  const { content } = item;
  if (content === null) return null;
  switch (field.dataType) {
    case "TITLE":
      return { __typename: "ProjectV2ItemFieldTextValue", field, item, text: content.title };
    case "ASSIGNEES": {
      if (content.people.length === 0) return null;
      return { __typename: "ProjectV2ItemFieldUserValue", field, users: content.assignees };
    }
    case "LABELS":
      return { __typename: "ProjectV2ItemFieldLabelValue", field, labels: content["labels"] };
    case "REPOSITORY":
      return {
        __typename: "ProjectV2ItemFieldRepositoryValue",
        field,
        repository: content.repository,
      };
    default:
      return null;
  }
}

/** Puts content on a project; once only. */
export function addItem(world: World, project: Project, content: Content): Item {
  const there = world.items.find((each) => each.project === project && each.content === content);
  if (there !== undefined) return there;
  const now = world.now();
  const valueOf = (field: Field): Value | null => {
    const set = item.values.get(field.id) ?? builtIn(item, field);
    return set === null ? null : { ...set, updatedAt: item.updatedAt };
  };
  const item: Item = {
    __typename: "ProjectV2Item",
    id: world.id("PVTI"),
    project,
    creator: world.viewer(),
    content,
    type: () => (item.content === null ? "REDACTED" : TYPES[item.content.__typename]),
    isArchived: false,
    createdAt: now,
    updatedAt: now,
    values: new Map(),
    fieldValues: (args) =>
      connection(
        project.ownFields.flatMap((field) => valueOf(field) ?? []),
        args,
      ),
    fieldValueByName: ({ name }) => {
      const field = project.field({ name });
      return field === null ? null : valueOf(field);
    },
  };
  world.items.push(item);
  return register(world, item);
}
