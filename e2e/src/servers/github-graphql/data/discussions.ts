import { connection } from "./connection.ts";
import { register } from "./world.ts";
import type { Category, Comment, Discussion, Post, Repository, World } from "./model.ts";

export function addCategory(
  world: World,
  repository: Repository,
  name: string,
  isAnswerable: boolean,
): Category {
  const now = world.now();
  const category: Category = {
    __typename: "DiscussionCategory",
    id: world.id("DIC"),
    repository,
    name,
    slug: name.toLowerCase().replaceAll(/\W+/g, "-"),
    emoji: ":speech_balloon:",
    description: `for ${name}`,
    isAnswerable,
    createdAt: now,
    updatedAt: now,
  };
  repository.categories.push(category);
  return register(world, category);
}

function post(world: World, prefix: string, body: string): Omit<Post, "url"> {
  const now = world.now();
  return {
    id: world.id(prefix),
    author: world.viewer(),
    body,
    upvoteCount: 1,
    reactions: new Set(),
    createdAt: now,
    updatedAt: now,
  };
}

export function addDiscussion(
  world: World,
  category: Category,
  title: string,
  body: string,
): Discussion {
  const { repository } = category;
  const number = world.discussions.filter((each) => each.repository === repository).length + 1;
  const discussion: Discussion = {
    ...post(world, "D", body),
    __typename: "Discussion",
    url: `${repository.url}/discussions/${number}`,
    repository,
    number,
    category,
    title,
    closed: false,
    closedAt: null,
    stateReason: null,
    locked: false,
    activeLockReason: null,
    answer: null,
    answerChosenAt: null,
    posts: [],
    isAnswered: () => (discussion.category.isAnswerable ? discussion.answer !== null : null),
    comments: (args) =>
      connection(
        discussion.posts.filter(({ replyTo }) => replyTo === null),
        args,
      ),
    labels: (args) => connection([{ name: "garden" }], args),
  };
  world.discussions.push(discussion);
  return register(world, discussion);
}

export function addComment(
  world: World,
  discussion: Discussion,
  body: string,
  replyTo: Comment | null,
): Comment {
  const comment: Comment = {
    ...post(world, "DC", body),
    __typename: "DiscussionComment",
    url: `${discussion.url}#comment-${discussion.posts.length + 1}`,
    discussion,
    replyTo,
    isMinimized: false,
    isAnswer: () => discussion.answer === comment,
    replies: (args) =>
      connection(
        discussion.posts.filter((each) => each.replyTo === comment),
        args,
      ),
  };
  discussion.posts.push(comment);
  discussion.updatedAt = comment.createdAt;
  return register(world, comment);
}
