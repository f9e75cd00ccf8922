import type { Connection, PageArguments } from "./connection.ts";
import type { Order } from "./order.ts";

interface ListArguments extends PageArguments {
  readonly orderBy?: Order;
}

export interface ProjectArguments extends ListArguments {
  readonly query?: string | null;
}

export interface DiscussionArguments extends ListArguments {
  readonly answered?: boolean | null;
  readonly categoryId?: string | null;
  readonly states?: readonly ("OPEN" | "CLOSED")[] | null;
}

export interface Account {
  readonly __typename: "User" | "Organization";
  readonly id: string;
  readonly login: string;
  readonly name: string;
  readonly url: string;
  readonly projectV2: (args: { readonly number: number }) => Project | null;
  readonly projectsV2: (args: ProjectArguments) => Connection<Project>;
  readonly repositoryDiscussions: (args: DiscussionArguments) => Connection<Discussion>;
}

export interface Repository {
  readonly __typename: "Repository";
  readonly id: string;
  readonly owner: Account;
  readonly name: string;
  readonly nameWithOwner: string;
  readonly description: string | null;
  readonly url: string;
  readonly isPrivate: boolean;
  readonly isArchived: boolean;
  readonly hasDiscussionsEnabled: boolean;
  /** ids of the projects linked to it */
  readonly linked: Set<string>;
  readonly categories: Category[];
  readonly issueOrPullRequest: (args: { readonly number: number }) => Content;
  readonly projectsV2: (args: ProjectArguments) => Connection<Project>;
  readonly discussionCategories: (args: PageArguments) => Connection<Category>;
  readonly discussions: (args: DiscussionArguments) => Connection<Discussion>;
  readonly discussion: (args: { readonly number: number }) => Discussion | null;
}

export interface Option {
  readonly id: string;
  readonly name: string;
  readonly color: string;
  readonly description: string;
}

export interface Sprint {
  readonly id: string;
  readonly title: string;
  readonly startDate: string;
  readonly duration: number;
}

export interface Field {
  readonly __typename: "ProjectV2Field" | "ProjectV2SingleSelectField" | "ProjectV2IterationField";
  readonly id: string;
  readonly project: Project;
  readonly dataType: string;
  name: string;
  options: readonly Option[];
  configuration: {
    readonly duration: number;
    readonly startDay: number;
    readonly iterations: readonly Sprint[];
    readonly completedIterations: readonly Sprint[];
  };
  readonly createdAt: string;
  updatedAt: string;
}

/** A view, workflow or status update: what a project has besides items and fields. */
export interface Part {
  readonly __typename: "ProjectV2View" | "ProjectV2Workflow" | "ProjectV2StatusUpdate";
  readonly id: string;
  readonly project: Project;
  readonly createdAt: string;
  updatedAt: string;
  [key: string]: unknown;
}

export interface Project {
  readonly __typename: "ProjectV2";
  readonly id: string;
  readonly number: number;
  readonly owner: Account;
  readonly creator: Account;
  readonly url: string;
  title: string;
  shortDescription: string | null;
  readme: string | null;
  public: boolean;
  closed: boolean;
  closedAt: string | null;
  template: boolean;
  readonly viewerCanUpdate: boolean;
  readonly createdAt: string;
  updatedAt: string;
  readonly ownFields: Field[];
  readonly parts: Part[];
  /** roles given, by the id of a user */
  readonly roles: Map<string, string>;
  readonly items: (args: PageArguments) => Connection<Item>;
  readonly fields: (args: PageArguments) => Connection<Field>;
  readonly field: (args: { readonly name: string }) => Field | null;
  readonly views: (args: PageArguments) => Connection<Part>;
  readonly workflows: (args: PageArguments) => Connection<Part>;
  readonly statusUpdates: (args: PageArguments) => Connection<Part>;
  readonly repositories: (args: PageArguments) => Connection<Repository>;
}

/** An issue, a pull request or a draft. */
export interface Content {
  readonly __typename: "Issue" | "PullRequest" | "DraftIssue";
  readonly id: string;
  title: string;
  body: string;
  people: readonly Account[];
  readonly createdAt: string;
  updatedAt: string;
  readonly assignees: (args: PageArguments) => Connection<Account>;
  /** of an issue or pull request */
  readonly repository?: Repository;
  readonly projectItems?: (args: PageArguments) => Connection<Item>;
  [key: string]: unknown;
}

/** What a field of an item holds. */
export interface Value {
  readonly __typename: string;
  readonly field: Field;
  [key: string]: unknown;
}

export interface Item {
  readonly __typename: "ProjectV2Item";
  readonly id: string;
  readonly project: Project;
  readonly creator: Account;
  content: Content | null;
  readonly type: () => string;
  isArchived: boolean;
  readonly createdAt: string;
  updatedAt: string;
  /** what was set, by the id of a field */
  readonly values: Map<string, Value>;
  readonly fieldValues: (args: PageArguments) => Connection<Value>;
  readonly fieldValueByName: (args: { readonly name: string }) => Value | null;
}

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

export interface Post {
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

/** Anything with a global id. */
export interface Node {
  readonly __typename: string;
  readonly id: string;
}

/** All that the server knows. Objects are GraphQL's sources as they are: lists are functions of them. */
export interface World {
  readonly nodes: Map<string, Node>;
  readonly contents: Content[];
  readonly accounts: Account[];
  readonly repositories: Repository[];
  readonly projects: Project[];
  readonly items: Item[];
  readonly discussions: Discussion[];
  /** whose token is used */
  readonly viewer: () => Account;
  /** a new id with a prefix */
  readonly id: (prefix: string) => string;
  /** a later instant with each call */
  readonly now: () => string;
}
