import { connection, type Connection } from "./connection.ts";
import { ordered } from "./order.ts";
import { refused, register } from "./world.ts";
import type {
  Account,
  Discussion,
  DiscussionArguments,
  Project,
  ProjectArguments,
  Repository,
  World,
} from "./model.ts";

function projectPage(projects: readonly Project[], args: ProjectArguments): Connection<Project> {
  const { query, orderBy = { field: "NUMBER", direction: "DESC" } } = args;
  const words = (query ?? "").toLowerCase();
  const found = projects.filter(({ title }) => title.toLowerCase().includes(words));
  return connection(ordered(found, orderBy), args);
}

function discussionPage(
  discussions: readonly Discussion[],
  args: DiscussionArguments,
): Connection<Discussion> {
  const {
    answered,
    categoryId,
    states,
    orderBy = { field: "UPDATED_AT", direction: "DESC" },
  } = args;
  const found = discussions.filter((each) => {
    if (typeof answered === "boolean" && each.isAnswered() !== answered) return false;
    if (typeof categoryId === "string" && each.category.id !== categoryId) return false;
    const state = each.closed ? "CLOSED" : "OPEN";
    return !states?.length || states.includes(state);
  });
  return connection(ordered(found, orderBy), args);
}

/** Enters a user or organization. */
export function addAccount(world: World, kind: Account["__typename"], login: string): Account {
  const account: Account = {
    __typename: kind,
    id: world.id(kind === "User" ? "U" : "O"),
    login,
    name: login.toUpperCase(),
    url: `https://github.test/${login}`,
    projectV2: ({ number }) =>
      world.projects.find((each) => each.owner === account && each.number === number) ?? null,
    projectsV2: (args) =>
      projectPage(
        world.projects.filter(({ owner }) => owner === account),
        args,
      ),
    repositoryDiscussions: (args) =>
      discussionPage(
        world.discussions.filter(({ author }) => author === account),
        args,
      ),
  };
  world.accounts.push(account);
  return register(world, account);
}

/** Enters a repository of an account. */
export function addRepository(world: World, owner: Account, name: string): Repository {
  const own = (): readonly Discussion[] =>
    world.discussions.filter((each) => each.repository === repository);
  const repository: Repository = {
    __typename: "Repository",
    id: world.id("R"),
    owner,
    name,
    nameWithOwner: `${owner.login}/${name}`,
    description: null,
    url: `${owner.url}/${name}`,
    isPrivate: false,
    isArchived: false,
    hasDiscussionsEnabled: true,
    linked: new Set(),
    categories: [],
    issueOrPullRequest: ({ number }) => {
      const found = world.contents.find(
        (each) => each.repository === repository && each["number"] === number,
      );
      if (found !== undefined) return found;
      throw refused(
        `Could not resolve to an issue or pull request with the number of ${number}.`,
        "NOT_FOUND",
      );
    },
    projectsV2: (args) =>
      projectPage(
        world.projects.filter(({ id }) => repository.linked.has(id)),
        args,
      ),
    discussionCategories: (args) => connection(repository.categories, args),
    discussions: (args) => discussionPage(own(), args),
    discussion: ({ number }) => own().find((each) => each.number === number) ?? null,
  };
  world.repositories.push(repository);
  return register(world, repository);
}
