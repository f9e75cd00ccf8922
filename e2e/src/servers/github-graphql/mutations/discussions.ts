import { addComment, addDiscussion } from "../data/discussions.ts";
import { drop, nodeOf, refused, touch } from "../data/world.ts";
import { given, type Input, type Mutations, text } from "./input.ts";
import type { Category, Comment, Discussion, Repository, World } from "../data/model.ts";

const KINDS = ["Discussion", "DiscussionComment"];

/** Mutations of discussions. */
export function discussionMutations(world: World): Mutations {
  const one = ({ input }: Input, name = "discussionId"): Discussion =>
    nodeOf(world, text(input, name), "Discussion");
  const category = ({ input }: Input): Category =>
    nodeOf(world, text(input, "categoryId"), "DiscussionCategory");
  const set = (args: Input, changes: object): object => ({
    discussion: touch(world, one(args), changes),
  });
  return {
    createDiscussion: (args) => {
      const repository = nodeOf<Repository>(world, text(args.input, "repositoryId"), "Repository");
      if (category(args).repository !== repository) {
        throw refused("The category does not belong to the repository");
      }
      const { input } = args;
      const made = addDiscussion(world, category(args), text(input, "title"), text(input, "body"));
      return { discussion: made };
    },
    updateDiscussion: (args) => {
      const moved = "categoryId" in args.input ? { category: category(args) } : {};
      return set(args, { ...given(args.input, "title", "body"), ...moved });
    },
    closeDiscussion: (args) => {
      const stateReason = args.input["reason"] ?? "RESOLVED";
      return set(args, { closed: true, closedAt: world.now(), stateReason });
    },
    reopenDiscussion: (args) =>
      set(args, { closed: false, closedAt: null, stateReason: "REOPENED" }),
    deleteDiscussion: (args) => {
      const gone = one(args, "id");
      world.nodes.delete(gone.id);
      drop(world.discussions, gone);
      return { discussion: gone };
    },
    lockLockable: (args) => {
      const activeLockReason = args.input["lockReason"] ?? null;
      const changes = { locked: true, activeLockReason };
      return { lockedRecord: touch(world, one(args, "lockableId"), changes) };
    },
    unlockLockable: (args) => {
      const changes = { locked: false, activeLockReason: null };
      return { unlockedRecord: touch(world, one(args, "lockableId"), changes) };
    },
  };
}

/** Mutations of comments, and those that discussions and comments share. */
export function commentMutations(world: World): Mutations {
  const one = ({ input }: Input, name = "id"): Comment =>
    nodeOf(world, text(input, name), "DiscussionComment");
  const subject = ({ input }: Input): Discussion | Comment =>
    nodeOf<Discussion | Comment>(world, text(input, "subjectId"), ...KINDS);
  const answer = (args: Input, chosen: Comment | null): object => {
    const { discussion } = one(args);
    if (!discussion.category.isAnswerable) throw refused("The category takes no answers");
    const answerChosenAt = chosen === null ? null : world.now();
    return { discussion: touch(world, discussion, { answer: chosen, answerChosenAt }) };
  };
  return {
    addDiscussionComment: ({ input }) => {
      const discussion = nodeOf<Discussion>(world, text(input, "discussionId"), "Discussion");
      const to = input["replyToId"];
      const replyTo =
        typeof to === "string" ? nodeOf<Comment>(world, to, "DiscussionComment") : null;
      if (replyTo !== null && replyTo.replyTo !== null) throw refused("Parent comment is a reply");
      return { comment: addComment(world, discussion, text(input, "body"), replyTo) };
    },
    updateDiscussionComment: (args) => ({
      comment: touch(world, one(args, "commentId"), given(args.input, "body")),
    }),
    deleteDiscussionComment: (args) => {
      const gone = one(args);
      world.nodes.delete(gone.id);
      drop(gone.discussion.posts, gone);
      return { comment: gone };
    },
    markDiscussionCommentAsAnswer: (args) => answer(args, one(args)),
    unmarkDiscussionCommentAsAnswer: (args) => answer(args, null),
    minimizeComment: (args) => ({
      minimizedComment: touch(world, one(args, "subjectId"), { isMinimized: true }),
    }),
    unminimizeComment: (args) => ({
      unminimizedComment: touch(world, one(args, "subjectId"), { isMinimized: false }),
    }),
    addUpvote: (args) => {
      subject(args).upvoteCount += 1;
      return { subject: subject(args) };
    },
    removeUpvote: (args) => {
      subject(args).upvoteCount -= 1;
      return { subject: subject(args) };
    },
    addReaction: (args) => {
      subject(args).reactions.add(text(args.input, "content"));
      return { subject: subject(args) };
    },
    removeReaction: (args) => {
      subject(args).reactions.delete(text(args.input, "content"));
      return { subject: subject(args) };
    },
  };
}
