import type { Account, Repository } from "./accounts.ts";
import { connection, type Connection, type PageArguments } from "./connection.ts";
import { register, type World } from "./world.ts";

export interface Category {
  readonly __typename: "DiscussionCategory";
  readonly id: string;
  readonly repository: Repository;
  readonly name: string;
  readonly slug: string;
  readonly emoji: string;
  readonly description: string;
  readonly isAnswerable: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
}

interface Post {
  readonly id: string;
  readonly author: Account;
  readonly url: string;
  body: string;
  upvoteCount: number;
  /** reactions of the viewer */
  readonly reactions: Set<string>;
  readonly createdAt: string;
  updatedAt: string;
}

export interface Discussion extends Post {
  readonly __typename: "Discussion";
  readonly repository: Repository;
  readonly number: number;
  category: Category;
  title: string;
  closed: boolean;
  closedAt: string | null;
  stateReason: string | null;
  locked: boolean;
  activeLockReason: string | null;
  answer: Comment | null;
  answerChosenAt: string | null;
  readonly posts: Comment[];
  readonly isAnswered: () => boolean | null;
  readonly comments: (args: PageArguments) => Connection<Comment>;
  readonly labels: (args: PageArguments) => Connection<{ readonly name: string }>;
}

export interface Comment extends Post {
  readonly __typename: "DiscussionComment";
  readonly discussion: Discussion;
  readonly replyTo: Comment | null;
  isMinimized: boolean;
  readonly isAnswer: () => boolean;
  readonly replies: (args: PageArguments) => Connection<Comment>;
}

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
