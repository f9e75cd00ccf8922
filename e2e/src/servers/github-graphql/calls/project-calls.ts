import { type CapabilityCalls, the } from "./call.ts";

const ROADMAP = { number: 1, title: "Roadmap", owner: "garden-club", closed: false };
const REPOSITORY = 'Repository(owner="garden-club", name="garden")';

/** Calls of owners, repositories and projects. */
export const PROJECT_CALLS: CapabilityCalls = {
  owner_get: {
    program: () => 'Owner("garden-club")',
    rows: ({ club }) => [
      { login: "garden-club", node_id: club.id, kind: "Organization", name: "GARDEN-CLUB" },
    ],
  },
  owner_current: {
    program: () => "Owner.current()[login, kind]",
    rows: () => [{ login: "ann", kind: "User" }],
  },
  repository_get: {
    program: () => `${REPOSITORY}[owner, name, node_id, has_discussions]`,
    rows: ({ repository }) => [
      { owner: "garden-club", name: "garden", node_id: repository.id, has_discussions: true },
    ],
  },
  project_query: {
    program: () => 'Project{owner=Owner("garden-club")}.sort(number, asc)[number]',
    count: 105,
  },
  project_by_number: {
    program: () => 'Project{owner=Owner("garden-club"), number=1}',
    rows: ({ items, roadmap }) => [
      { ...ROADMAP, id: roadmap.id, items_count: items.length, creator: "ann" },
    ],
  },
  project_of_repository: {
    program: () => `Project{repository=${REPOSITORY}}[number, title, owner, closed]`,
    rows: () => [ROADMAP],
  },
  project_mine: {
    program: () => "Project{permission=WRITE, sort=TITLE}[title]",
    rows: () => [{ title: "Mine" }],
  },
  project_search: {
    program: () => 'Project~"roadm"{owner=Owner("garden-club")}[title]',
    rows: () => [{ title: "Roadmap" }],
  },
  project_get: {
    program: ({ roadmap }) => `p = Project("${roadmap.id}")\np.repositories[owner, name]`,
    rows: () => [{ owner: "garden-club", name: "garden" }],
  },
  project_create: {
    program: () => 'Project.create(owner=Owner("garden-club"), title="New")[title, owner, number]',
    rows: () => [{ title: "New", owner: "garden-club", number: 106 }],
    after: ({ world }) => world.projects.at(-1)?.title,
    leaves: "New",
  },
  project_update: {
    program: ({ roadmap }) =>
      `Project("${roadmap.id}").update(short_description=null, readme="# Why", public=true)[title, readme, public]`,
    rows: () => [{ title: "Roadmap", readme: "# Why", public: true }],
    after: ({ roadmap }) => [roadmap.shortDescription, roadmap.readme],
    leaves: [null, "# Why"],
  },
  project_close: {
    program: ({ roadmap }) => `Project("${roadmap.id}").close()`,
    after: ({ roadmap }) => roadmap.closed,
    leaves: true,
  },
  project_reopen: {
    program: ({ roadmap }) => `Project("${roadmap.id}").close()\nProject("${roadmap.id}").reopen()`,
    after: ({ roadmap }) => [roadmap.closed, roadmap.closedAt],
    leaves: [false, null],
  },
  project_delete: {
    program: ({ roadmap }) => `Project("${roadmap.id}").delete()`,
    after: ({ world, roadmap }) => world.projects.includes(roadmap),
    leaves: false,
  },
  project_copy: {
    program: ({ roadmap }) =>
      `Project("${roadmap.id}").copy(owner=Owner("ann"), title="Copy", include_drafts=true)[title, owner]`,
    rows: () => [{ title: "Copy", owner: "ann" }],
    after: ({ world }) => world.projects.at(-1)?.owner.login,
    leaves: "ann",
  },
  project_mark_template: {
    program: ({ roadmap }) => `Project("${roadmap.id}").mark-template()`,
    after: ({ roadmap }) => roadmap.template,
    leaves: true,
  },
  project_unmark_template: {
    program: ({ roadmap }) =>
      `Project("${roadmap.id}").mark-template()\nProject("${roadmap.id}").unmark-template()`,
    after: ({ roadmap }) => roadmap.template,
    leaves: false,
  },
  project_link_repository: {
    program: ({ roadmap }) =>
      `Project("${roadmap.id}").link-repository(repository=Repository(owner="ann", name="shed"))`,
    after: ({ world, roadmap }) =>
      world.repositories.flatMap(({ linked, name }) => (linked.has(roadmap.id) ? [name] : [])),
    leaves: ["garden", "shed"],
  },
  project_unlink_repository: {
    program: ({ roadmap }) =>
      `Project("${roadmap.id}").unlink-repository(repository=${REPOSITORY})`,
    after: ({ repository }) => [...repository.linked],
    leaves: [],
  },
  project_set_role: {
    program: ({ roadmap }) => `Project("${roadmap.id}").set-role(user=Owner("ann"), role=WRITER)`,
    after: ({ roadmap, ann }) => roadmap.roles.get(ann.id),
    leaves: "WRITER",
  },
  projectview_query: {
    program: ({ roadmap }) => `Project("${roadmap.id}").views[number, layout]`,
    rows: () => [
      { number: 1, layout: "TABLE_LAYOUT" },
      { number: 2, layout: "BOARD_LAYOUT" },
    ],
  },
  projectview_get: {
    program: ({ roadmap }) => {
      const view = the(roadmap.parts.find(({ __typename }) => __typename === "ProjectV2View"));
      return `v = ProjectView("${view.id}")\nv.fields[name]`;
    },
    rows: () => [{ name: "Title" }, { name: "Assignees" }],
  },
  statusupdate_query: {
    program: ({ roadmap }) => `Project("${roadmap.id}").status_updates[status, body, creator]`,
    rows: () => [{ status: "ON_TRACK", body: "It grows.", creator: "ann" }],
  },
  statusupdate_get: {
    program: ({ roadmap }) =>
      `StatusUpdate("${the(roadmap.parts.at(-1)).id}")[start_date, target_date]`,
    rows: () => [{ start_date: "2026-01-05", target_date: null }],
  },
  statusupdate_create: {
    program: ({ roadmap }) =>
      `StatusUpdate.create(project=Project("${roadmap.id}"), status=AT_RISK, body="Frost", target_date=2026-05-01)[status, project, target_date]`,
    rows: ({ roadmap }) => [{ status: "AT_RISK", project: roadmap.id, target_date: "2026-05-01" }],
    after: ({ roadmap }) => the(roadmap.parts.at(-1))["body"],
    leaves: "Frost",
  },
  statusupdate_update: {
    program: ({ roadmap }) =>
      `StatusUpdate("${the(roadmap.parts.at(-1)).id}").update(status=COMPLETE, start_date=null)[status, body, start_date]`,
    rows: () => [{ status: "COMPLETE", body: "It grows.", start_date: null }],
  },
  statusupdate_delete: {
    program: ({ roadmap }) => `StatusUpdate("${the(roadmap.parts.at(-1)).id}").delete()`,
    after: ({ roadmap }) => roadmap.statusUpdates({}).totalCount,
    leaves: 0,
  },
  workflow_query: {
    program: ({ roadmap }) => `Project("${roadmap.id}").workflows{enabled=true}[name, number]`,
    rows: () => [{ name: "Item closed", number: 1 }],
  },
  workflow_get: {
    program: ({ roadmap }) => {
      const flow = the(roadmap.parts.find(({ __typename }) => __typename === "ProjectV2Workflow"));
      return `Workflow("${flow.id}")[name, enabled, project]`;
    },
    rows: ({ roadmap }) => [{ name: "Item closed", enabled: true, project: roadmap.id }],
  },
  workflow_delete: {
    program: ({ roadmap }) => {
      const flow = the(roadmap.parts.find(({ __typename }) => __typename === "ProjectV2Workflow"));
      return `Workflow("${flow.id}").delete()`;
    },
    after: ({ roadmap }) => roadmap.workflows({}).totalCount,
    leaves: 1,
  },
};
