import { addContent } from "../data/items.ts";
import type { Garden } from "../seed.ts";
import { type CapabilityCalls, the } from "./call.ts";
import { fieldOf } from "./field-calls.ts";
import type { Content, Item } from "../data/model.ts";

/** The first item of a kind; the fourth one is the second issue, and so on. */
const itemOf = ({ items }: Garden, kind: string): Item =>
  the(items.find(({ content }) => content?.__typename === kind));

const on = (garden: Garden, item: Item, call: string): string =>
  `ProjectItem("${item.id}").${call.replace("PROJECT", `project=Project("${garden.roadmap.id}")`)}`;

/** Issue 900, on no project yet. */
function lateIssue({ world, repository }: Garden): Content {
  const issue = { repository, number: 900, url: "https://github.test/i/900", closed: false };
  return addContent(world, "Issue", "Late", { ...issue, labels: () => null, milestone: null });
}

/** Calls of issues, items, their values and drafts. */
export const ITEM_CALLS: CapabilityCalls = {
  projectitem_query: {
    program: ({ roadmap }) => `Project("${roadmap.id}").items.sort(title)[title]`,
    count: 120,
  },
  projectitem_with_content: {
    program: (garden) =>
      `ProjectItem{content_id="${the(itemOf(garden, "Issue").content ?? undefined).id}"}[id, type, project]`,
    rows: (garden) => [
      { id: itemOf(garden, "Issue").id, type: "ISSUE", project: garden.roadmap.id },
    ],
  },
  projectitem_get: {
    program: (garden) =>
      `ProjectItem("${itemOf(garden, "PullRequest").id}")[type, title, body, number, repository, assignees, labels, closed, merged, draft]`,
    rows: (garden) => {
      const content = the(itemOf(garden, "PullRequest").content ?? undefined);
      return [
        {
          type: "PULL_REQUEST",
          title: content.title,
          body: content.body,
          number: content["number"],
          repository: "garden-club/garden",
          assignees: content.people.map(({ login }) => login),
          labels: [{ name: "soil" }],
          closed: content["closed"],
          merged: false,
          draft: null,
        },
      ];
    },
  },
  issue_get: {
    program: () =>
      'i = Issue(owner="garden-club", name="garden", number=1)\ni[owner, name, number, kind, title, closed], i.items[title, number, type]',
    rows: () => [{ title: "Bed 1", number: 1, type: "PULL_REQUEST" }],
  },
  projectitem_add: {
    program: (garden) => {
      lateIssue(garden);
      return `ProjectItem.add(project=Project("${garden.roadmap.id}"), issue=Issue(owner="garden-club", name="garden", number=900))[title, number, type]`;
    },
    rows: () => [{ title: "Late", number: 900, type: "ISSUE" }],
    after: ({ world }) => world.items.length,
    leaves: 121,
  },
  projectitem_add_content: {
    program: (garden) =>
      `ProjectItem.add-content(project=Project("${garden.roadmap.id}"), content_id="${lateIssue(garden).id}")[title, number, type]`,
    rows: () => [{ title: "Late", number: 900, type: "ISSUE" }],
    after: ({ world }) => world.items.length,
    leaves: 121,
  },
  projectitem_add_draft: {
    program: ({ roadmap, ann }) =>
      `ProjectItem.add-draft(project=Project("${roadmap.id}"), title="Buy seeds", body="Soon", assignee_ids=["${ann.id}"])[title, type, assignees]`,
    rows: () => [{ title: "Buy seeds", type: "DRAFT_ISSUE", assignees: ["ann"] }],
    after: ({ world }) => world.items.at(-1)?.content?.body,
    leaves: "Soon",
  },
  projectitem_set_value: {
    program: (garden) =>
      on(
        garden,
        itemOf(garden, "Issue"),
        `set-value(PROJECT, field=ProjectField("${fieldOf(garden, "Status").id}"), option_id="47fc9ee4")[id, status]`,
      ),
    rows: (garden) => [{ id: itemOf(garden, "Issue").id, status: "In Progress" }],
  },
  projectitem_clear_value: {
    program: (garden) => {
      const field = `field=ProjectField("${fieldOf(garden, "A TEXT").id}")`;
      const item = itemOf(garden, "Issue");
      return `${on(garden, item, `set-value(PROJECT, ${field}, text="x")`)}\n${on(garden, item, `clear-value(PROJECT, ${field})[id]`)}`;
    },
    rows: (garden) => [{ id: itemOf(garden, "Issue").id }],
    after: (garden) => itemOf(garden, "Issue").values.size,
    leaves: 0,
  },
  projectitem_move: {
    program: (garden) => on(garden, the(garden.items[9]), "move(PROJECT)"),
    after: ({ world, items }) => world.items[0] === items[9],
    leaves: true,
  },
  projectitem_archive: {
    program: (garden) => on(garden, itemOf(garden, "Issue"), "archive(PROJECT)[archived]"),
    rows: () => [{ archived: true }],
  },
  projectitem_unarchive: {
    program: (garden) => {
      const item = itemOf(garden, "Issue");
      return `${on(garden, item, "archive(PROJECT)")}\n${on(garden, item, "unarchive(PROJECT)[archived]")}`;
    },
    rows: () => [{ archived: false }],
  },
  projectitem_delete: {
    program: (garden) => on(garden, itemOf(garden, "DraftIssue"), "delete(PROJECT)"),
    after: ({ world }) => world.items.length,
    leaves: 119,
  },
  projectitem_convert_to_issue: {
    program: (garden) =>
      `ProjectItem("${itemOf(garden, "DraftIssue").id}").convert-to-issue(repository=Repository(owner="garden-club", name="garden"))[type, repository, number]`,
    rows: () => [{ type: "ISSUE", repository: "garden-club/garden", number: 1000 }],
  },
  itemvalue_query: {
    program: (garden) =>
      `ProjectItem("${itemOf(garden, "Issue").id}").values{field_name in ["Title", "Repository", "Labels"]}[item, field_name, text, repository, labels]`,
    rows: (garden) => {
      const item = itemOf(garden, "Issue").id;
      const none = { text: null, repository: null, labels: null };
      return [
        { item, field_name: "Title", ...none, text: itemOf(garden, "Issue").content?.title },
        { item, field_name: "Labels", ...none, labels: [{ name: "soil" }] },
        { item, field_name: "Repository", ...none, repository: "garden-club/garden" },
      ];
    },
  },
  draftissue_get: {
    program: (garden) =>
      `ProjectItem("${itemOf(garden, "DraftIssue").id}").draft[title, body, creator]`,
    rows: (garden) => {
      const draft = the(itemOf(garden, "DraftIssue").content ?? undefined);
      return [{ title: draft.title, body: draft.body, creator: "ann" }];
    },
  },
  draftissue_update: {
    program: (garden) =>
      `DraftIssue("${the(itemOf(garden, "DraftIssue").content ?? undefined).id}").update(body="dig deep", assignee_ids=["${garden.ann.id}"])[body, assignees]`,
    rows: () => [{ body: "dig deep", assignees: ["ann"] }],
  },
};
