import { connection, type Connection, type PageArguments } from "./connection.ts";
import { register } from "./world.ts";
import type { Account, Field, Option, Part, Project, World } from "./model.ts";

const KINDS: Readonly<Record<string, Field["__typename"]>> = {
  SINGLE_SELECT: "ProjectV2SingleSelectField",
  ITERATION: "ProjectV2IterationField",
};

const NO_ITERATIONS: Field["configuration"] = {
  duration: 14,
  startDay: 1,
  iterations: [],
  completedIterations: [],
};

/** Adds a field to a project. */
export function addField(
  world: World,
  project: Project,
  name: string,
  dataType: string,
  more: Partial<Pick<Field, "options" | "configuration">> = {},
): Field {
  const now = world.now();
  const field: Field = {
    __typename: KINDS[dataType] ?? "ProjectV2Field",
    id: world.id("PVTF"),
    project,
    dataType,
    name,
    options: [],
    configuration: NO_ITERATIONS,
    createdAt: now,
    updatedAt: now,
    ...more,
  };
  project.ownFields.push(field);
  return register(world, field);
}

const PREFIXES = {
  ProjectV2View: "PVTV",
  ProjectV2Workflow: "PWF",
  ProjectV2StatusUpdate: "PVTSU",
} as const;

/** Adds a view, workflow or status update to a project. */
export function addPart(
  world: World,
  project: Project,
  kind: Part["__typename"],
  more: Readonly<Record<string, unknown>>,
): Part {
  const now = world.now();
  const part: Part = {
    ...more,
    __typename: kind,
    id: world.id(PREFIXES[kind]),
    project,
    createdAt: now,
    updatedAt: now,
  };
  project.parts.push(part);
  return register(world, part);
}

const DEFAULT_OPTIONS: readonly Option[] = [
  { id: "f75ad846", name: "Todo", color: "GREEN", description: "not started" },
  { id: "47fc9ee4", name: "In Progress", color: "YELLOW", description: "being worked on" },
  { id: "98236657", name: "Done", color: "PURPLE", description: "finished" },
];

/** Enters a project with the fields that every project starts with. */
export function addProject(world: World, owner: Account, title: string): Project {
  const now = world.now();
  const numbers = world.projects.flatMap((each) => (each.owner === owner ? [each.number] : []));
  const number = Math.max(0, ...numbers) + 1;
  const parts = (kind: Part["__typename"], args: PageArguments): Connection<Part> =>
    connection(
      project.parts.filter(({ __typename }) => __typename === kind),
      args,
    );
  const project: Project = {
    __typename: "ProjectV2",
    id: world.id("PVT"),
    number,
    owner,
    creator: world.viewer(),
    url: `${owner.url}/projects/${number}`,
    title,
    shortDescription: null,
    readme: null,
    public: false,
    closed: false,
    closedAt: null,
    template: false,
    viewerCanUpdate: true,
    createdAt: now,
    updatedAt: now,
    ownFields: [],
    parts: [],
    roles: new Map(),
    items: (args) =>
      connection(
        world.items.filter((item) => item.project === project),
        args,
      ),
    fields: (args) => connection(project.ownFields, args),
    field: ({ name }) => project.ownFields.find((field) => field.name === name) ?? null,
    views: (args) => parts("ProjectV2View", args),
    workflows: (args) => parts("ProjectV2Workflow", args),
    statusUpdates: (args) => parts("ProjectV2StatusUpdate", args),
    repositories: (args) =>
      connection(
        world.repositories.filter(({ linked }) => linked.has(project.id)),
        args,
      ),
  };
  world.projects.push(project);
  addField(world, project, "Title", "TITLE");
  addField(world, project, "Assignees", "ASSIGNEES");
  addField(world, project, "Status", "SINGLE_SELECT", { options: DEFAULT_OPTIONS });
  return register(world, project);
}
