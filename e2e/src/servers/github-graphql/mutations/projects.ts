import { addField, addPart, addProject } from "../data/projects.ts";
import { drop, nodeOf, refused, touch } from "../data/world.ts";
import { given, type Input, type Mutations, text } from "./input.ts";
import type {
  Account,
  Field,
  Option,
  Part,
  Project,
  Repository,
  Sprint,
  World,
} from "../data/model.ts";

const PROJECT_PARTS = ["title", "shortDescription", "readme", "public"] as const;

/** Mutations of projects. */
export function projectMutations(world: World): Mutations {
  const project = ({ input }: Input): Project =>
    nodeOf(world, text(input, "projectId"), "ProjectV2");
  const owner = ({ input }: Input): Account =>
    nodeOf(world, text(input, "ownerId"), "User", "Organization");
  const repository = ({ input }: Input): Repository =>
    nodeOf(world, text(input, "repositoryId"), "Repository");
  const template = (args: Input, is: boolean): object => {
    const found = project(args);
    if (found.owner.__typename === "User") throw refused("Only organizations have templates");
    return { projectV2: touch(world, found, { template: is }) };
  };
  return {
    createProjectV2: (args) => ({
      projectV2: addProject(world, owner(args), text(args.input, "title")),
    }),
    updateProjectV2: (args) => {
      const { closed } = args.input;
      const state =
        typeof closed === "boolean" ? { closed, closedAt: closed ? world.now() : null } : {};
      const changes = { ...given(args.input, ...PROJECT_PARTS), ...state };
      return { projectV2: touch(world, project(args), changes) };
    },
    deleteProjectV2: (args) => {
      const gone = project(args);
      world.nodes.delete(gone.id);
      drop(world.projects, gone);
      return { projectV2: gone };
    },
    copyProjectV2: (args) => {
      const copy = addProject(world, owner(args), text(args.input, "title"));
      copy.readme = project(args).readme;
      return { projectV2: copy };
    },
    markProjectV2AsTemplate: (args) => template(args, true),
    unmarkProjectV2AsTemplate: (args) => template(args, false),
    linkProjectV2ToRepository: (args) => {
      repository(args).linked.add(project(args).id);
      return { repository: repository(args) };
    },
    unlinkProjectV2FromRepository: (args) => {
      repository(args).linked.delete(project(args).id);
      return { repository: repository(args) };
    },
    updateProjectV2Collaborators: (args) => {
      const given = args.input["collaborators"] as readonly { userId: string; role: string }[];
      for (const { userId, role } of given) {
        const user = nodeOf<Account>(world, userId, "User");
        project(args).roles.set(user.id, role);
      }
      return {};
    },
  };
}

type NewOption = Omit<Option, "id">;

interface Schedule {
  readonly duration: number;
  readonly iterations: readonly Omit<Sprint, "id">[];
}

/** Options and iterations of a field as an input has them, each with a new id. */
function choices(
  world: World,
  { input }: Input,
): Partial<Pick<Field, "options" | "configuration">> {
  const options = input["singleSelectOptions"] as readonly NewOption[] | undefined;
  const schedule = input["iterationConfiguration"] as Schedule | undefined;
  const iterations = schedule?.iterations.map((each) => ({ ...each, id: world.id("it") }));
  return {
    ...(options && { options: options.map((each) => ({ ...each, id: world.id("opt") })) }),
    ...(schedule &&
      iterations && {
        configuration: {
          duration: schedule.duration,
          startDay: 1,
          iterations,
          completedIterations: [],
        },
      }),
  };
}

/** Mutations of fields, status updates and workflows. */
export function partMutations(world: World): Mutations {
  const project = ({ input }: Input): Project =>
    nodeOf(world, text(input, "projectId"), "ProjectV2");
  const field = ({ input }: Input): Field => {
    const kinds = ["ProjectV2Field", "ProjectV2SingleSelectField", "ProjectV2IterationField"];
    return nodeOf(world, text(input, "fieldId"), ...kinds);
  };
  const remove = (id: string, kind: Part["__typename"]): Part => {
    const part = nodeOf<Part>(world, id, kind);
    world.nodes.delete(id);
    drop(part.project.parts, part);
    return part;
  };
  const UPDATE = ["status", "body", "startDate", "targetDate"];
  return {
    createProjectV2Field: (args) => {
      const name = text(args.input, "name");
      const dataType = text(args.input, "dataType");
      if (project(args).field({ name }) !== null) throw refused("Name has already been taken");
      return {
        projectV2Field: addField(world, project(args), name, dataType, choices(world, args)),
      };
    },
    updateProjectV2Field: (args) => {
      const changes = { ...given(args.input, "name"), ...choices(world, args) };
      return { projectV2Field: touch(world, field(args), changes) };
    },
    deleteProjectV2Field: (args) => {
      const gone = field(args);
      world.nodes.delete(gone.id);
      drop(gone.project.ownFields, gone);
      return { projectV2Field: gone };
    },
    createProjectV2StatusUpdate: (args) => {
      const update = given(args.input, ...UPDATE);
      const more = { ...update, creator: world.viewer() };
      return { statusUpdate: addPart(world, project(args), "ProjectV2StatusUpdate", more) };
    },
    updateProjectV2StatusUpdate: ({ input }) => {
      const part = nodeOf<Part>(world, text(input, "statusUpdateId"), "ProjectV2StatusUpdate");
      return { statusUpdate: touch(world, part, given(input, ...UPDATE)) };
    },
    deleteProjectV2StatusUpdate: ({ input }) => {
      const gone = remove(text(input, "statusUpdateId"), "ProjectV2StatusUpdate");
      return { deletedStatusUpdateId: gone.id, projectV2: gone.project };
    },
    deleteProjectV2Workflow: ({ input }) => {
      const gone = remove(text(input, "workflowId"), "ProjectV2Workflow");
      return { deletedWorkflowId: gone.id, projectV2: gone.project };
    },
  };
}
