import type { Garden } from "../seed.ts";
import { type CapabilityCalls, the } from "./call.ts";
import { question } from "./discussion-calls.ts";
import type { Comment } from "../data/model.ts";

const first = ({ comments }: Garden): Comment => the(comments[0]);
const on = (garden: Garden, call: string): string =>
  `DiscussionComment("${first(garden).id}").${call}`;

/** Calls of comments. */
export const COMMENT_CALLS: CapabilityCalls = {
  discussioncomment_query: {
    program: (garden) => `Discussion("${question(garden).id}").comments.sort(created_at)[id]`,
    count: 60,
  },
  discussioncomment_replies: {
    program: (garden) => `DiscussionComment("${first(garden).id}").replies[body, reply_to]`,
    rows: (garden) => [{ body: "A reply", reply_to: first(garden).id }],
  },
  discussioncomment_get: {
    program: (garden) =>
      `DiscussionComment("${first(garden).id}")[body, discussion, reply_to, replies_count]`,
    rows: (garden) => [
      { body: "Comment 1", discussion: question(garden).id, reply_to: null, replies_count: 1 },
    ],
  },
  discussioncomment_create: {
    program: (garden) =>
      `DiscussionComment.create(discussion=Discussion("${question(garden).id}"), body="Cover them.", reply_to=DiscussionComment("${first(garden).id}"))[body, reply_to]`,
    rows: (garden) => [{ body: "Cover them.", reply_to: first(garden).id }],
    after: (garden) => question(garden).posts.length,
    leaves: 62,
  },
  discussioncomment_update: {
    program: (garden) => on(garden, 'update(body="Better")[body]'),
    rows: () => [{ body: "Better" }],
  },
  discussioncomment_delete: {
    program: (garden) => on(garden, "delete()"),
    after: (garden) => question(garden).posts.length,
    leaves: 60,
  },
  discussioncomment_mark_answer: {
    program: (garden) => on(garden, "mark-answer()"),
    after: (garden) => question(garden).answer === first(garden),
    leaves: true,
  },
  discussioncomment_unmark_answer: {
    program: (garden) => `${on(garden, "mark-answer()")}\n${on(garden, "unmark-answer()")}`,
    after: (garden) => question(garden).answer,
    leaves: null,
  },
  discussioncomment_upvote: {
    program: (garden) => on(garden, "upvote()"),
    after: (garden) => first(garden).upvoteCount,
    leaves: 2,
  },
  discussioncomment_remove_upvote: {
    program: (garden) => on(garden, "remove-upvote()"),
    after: (garden) => first(garden).upvoteCount,
    leaves: 0,
  },
  discussioncomment_react: {
    program: (garden) => on(garden, "react(content=HEART)"),
    after: (garden) => [...first(garden).reactions],
    leaves: ["HEART"],
  },
  discussioncomment_remove_reaction: {
    program: (garden) =>
      `${on(garden, "react(content=HEART)")}\n${on(garden, "remove-reaction(content=HEART)")}`,
    after: (garden) => [...first(garden).reactions],
    leaves: [],
  },
  discussioncomment_minimize: {
    program: (garden) => on(garden, "minimize(reason=SPAM)"),
    after: (garden) => first(garden).isMinimized,
    leaves: true,
  },
  discussioncomment_unminimize: {
    program: (garden) => `${on(garden, "minimize(reason=SPAM)")}\n${on(garden, "unminimize()")}`,
    after: (garden) => first(garden).isMinimized,
    leaves: false,
  },
};
