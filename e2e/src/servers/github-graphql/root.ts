import { connection, type Connection, type PageArguments } from "./data/connection.ts";
import { notFound, refused } from "./data/world.ts";
import { commentMutations, discussionMutations } from "./mutations/discussions.ts";
import { draftMutations, itemMutations } from "./mutations/items.ts";
import { partMutations, projectMutations } from "./mutations/projects.ts";
import type { Discussion, World } from "./data/model.ts";

interface Search extends PageArguments {
  readonly query: string;
}

/** Discussions that hold all words, of the repository that `repo:` names. */
function search(world: World, args: Search): Connection<Discussion> {
  const words = args.query.toLowerCase().split(/\s+/);
  const repository = words.find((word) => word.startsWith("repo:"))?.slice("repo:".length);
  const plain = words.filter((word) => !word.includes(":"));
  const found = world.discussions.filter((each) => {
    if (repository !== undefined && each.repository.nameWithOwner !== repository) return false;
    const said = `${each.title} ${each.body}`.toLowerCase();
    return plain.every((word) => said.includes(word));
  });
  return connection(found, args);
}

/** What queries and mutations start from. */
export function rootOf(world: World): object {
  return {
    node: ({ id }: { readonly id: string }) => {
      const node = world.nodes.get(id);
      if (node === undefined) throw notFound(id);
      return node;
    },
    viewer: () => world.viewer(),
    repositoryOwner: ({ login }: { readonly login: string }) =>
      world.accounts.find((each) => each.login === login) ?? null,
    repository: ({ owner, name }: { readonly owner: string; readonly name: string }) => {
      const found = world.repositories.find(
        (each) => each.owner.login === owner && each.name === name,
      );
      if (found !== undefined) return found;
      const message = `Could not resolve to a Repository with the name '${owner}/${name}'.`;
      throw refused(message, "NOT_FOUND");
    },
    search: (args: Search) => search(world, args),
    ...projectMutations(world),
    ...partMutations(world),
    ...itemMutations(world),
    ...draftMutations(world),
    ...discussionMutations(world),
    ...commentMutations(world),
  };
}
