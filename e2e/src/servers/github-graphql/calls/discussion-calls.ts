import type { Garden } from "../seed.ts";
import { type CapabilityCalls, the } from "./call.ts";
import type { Discussion } from "../data/model.ts";

const REPOSITORY = 'Repository(owner="garden-club", name="garden")';

/** The first discussion: a question with comments. */
export const question = ({ discussions }: Garden): Discussion => the(discussions[0]);

const on = (garden: Garden, call: string): string => `Discussion("${question(garden).id}").${call}`;

/** Calls of categories and discussions. */
export const DISCUSSION_CALLS: CapabilityCalls = {
  discussioncategory_query: {
    program: () => `${REPOSITORY}.categories[name, answerable, slug]`,
    rows: () => [
      { name: "Ideas", answerable: false, slug: "ideas" },
      { name: "Q&A", answerable: true, slug: "q-a" },
    ],
  },
  discussioncategory_get: {
    program: ({ ideas }) => `DiscussionCategory("${ideas.id}")[name, repository]`,
    rows: () => [{ name: "Ideas", repository: { owner: "garden-club", name: "garden" } }],
  },
  discussion_query: {
    program: ({ questions }) =>
      `Discussion{repository=${REPOSITORY}, category=DiscussionCategory("${questions.id}"), answered=false, closed=false}.sort(number)[number]`,
    count: 55,
  },
  discussion_by_number: {
    program: () =>
      `Discussion{repository=${REPOSITORY}, number=7}[number, title, category_name, repository]`,
    rows: () => [
      {
        number: 7,
        title: "Topic 7",
        category_name: "Q&A",
        repository: { owner: "garden-club", name: "garden" },
      },
    ],
  },
  discussion_started_by: {
    program: () =>
      'Discussion{author=Owner("ann"), sort=CREATED_AT, direction=ASC}.limit(2)[number]',
    rows: () => [{ number: 1 }, { number: 2 }],
  },
  discussion_search: {
    program: () => `Discussion~"topic 10"{repository=${REPOSITORY}}.sort(number)[number]`,
    rows: () =>
      [100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 10, 110]
        .toSorted((a, b) => a - b)
        .map((number) => ({ number })),
  },
  discussion_get: {
    program: (garden) =>
      `Discussion("${question(garden).id}")[title, body, author, comments_count, answered]`,
    rows: () => [
      {
        title: "Topic 1",
        body: "About frost 1",
        author: "ann",
        comments_count: 60,
        answered: false,
      },
    ],
  },
  discussion_create: {
    program: ({ ideas }) =>
      `Discussion.create(repository=${REPOSITORY}, category=DiscussionCategory("${ideas.id}"), title="Bees", body="We need bees.")[number, title, category_name, body]`,
    rows: () => [{ number: 111, title: "Bees", category_name: "Ideas", body: "We need bees." }],
    after: ({ world }) => world.discussions.at(-1)?.title,
    leaves: "Bees",
  },
  discussion_update: {
    program: (garden) =>
      on(
        garden,
        `update(title="Frost", category=DiscussionCategory("${garden.ideas.id}"))[title, category_name, answered]`,
      ),
    rows: () => [{ title: "Frost", category_name: "Ideas", answered: null }],
  },
  discussion_close: {
    program: (garden) => on(garden, "close(reason=OUTDATED)[closed, state_reason]"),
    rows: () => [{ closed: true, state_reason: "OUTDATED" }],
  },
  discussion_reopen: {
    program: (garden) =>
      `${on(garden, "close()")}\n${on(garden, "reopen()[closed, state_reason, closed_at]")}`,
    rows: () => [{ closed: false, state_reason: "REOPENED", closed_at: null }],
  },
  discussion_delete: {
    program: (garden) => on(garden, "delete()"),
    after: ({ world }) => world.discussions.length,
    leaves: 109,
  },
  discussion_lock: {
    program: (garden) => on(garden, "lock(reason=TOO_HEATED)"),
    after: (garden) => [question(garden).locked, question(garden).activeLockReason],
    leaves: [true, "TOO_HEATED"],
  },
  discussion_unlock: {
    program: (garden) => `${on(garden, "lock()")}\n${on(garden, "unlock()")}`,
    after: (garden) => question(garden).locked,
    leaves: false,
  },
  discussion_upvote: {
    program: (garden) => on(garden, "upvote()"),
    after: (garden) => question(garden).upvoteCount,
    leaves: 2,
  },
  discussion_remove_upvote: {
    program: (garden) => on(garden, "remove-upvote()"),
    after: (garden) => question(garden).upvoteCount,
    leaves: 0,
  },
  discussion_react: {
    program: (garden) => on(garden, "react(content=ROCKET)"),
    after: (garden) => [...question(garden).reactions],
    leaves: ["ROCKET"],
  },
  discussion_remove_reaction: {
    program: (garden) =>
      `${on(garden, "react(content=EYES)")}\n${on(garden, "remove-reaction(content=EYES)")}`,
    after: (garden) => [...question(garden).reactions],
    leaves: [],
  },
};
