import { addAccount, addRepository } from "./data/accounts.ts";
import { connection, type PageArguments } from "./data/connection.ts";
import { addCategory, addComment, addDiscussion } from "./data/discussions.ts";
import { addContent, addItem } from "./data/items.ts";
import { addField, addPart, addProject } from "./data/projects.ts";
import { emptyWorld } from "./data/world.ts";
import type {
  Account,
  Category,
  Comment,
  Content,
  Discussion,
  Item,
  Project,
  Repository,
  World,
} from "./data/model.ts";

/** The world of the tests, with the objects that they name. */
export interface Garden {
  readonly world: World;
  readonly ann: Account;
  readonly club: Account;
  readonly repository: Repository;
  readonly roadmap: Project;
  /** of the roadmap, in order: issues, pull requests and drafts, more than two pages */
  readonly items: readonly Item[];
  readonly ideas: Category;
  readonly questions: Category;
  readonly discussions: readonly Discussion[];
  /** of the first discussion, at top level */
  readonly comments: readonly Comment[];
}

const KINDS = ["Issue", "PullRequest", "DraftIssue"] as const;
const ITEMS = 120;
const DISCUSSIONS = 110;
const COMMENTS = 60;

function contentOf(world: World, { repository, people }: Site, n: number): Content {
  const kind = KINDS[n % KINDS.length] ?? "Issue";
  const title = `Bed ${n}`;
  if (kind === "DraftIssue") return addContent(world, kind, title, { body: `dig ${n}` });
  return addContent(world, kind, title, {
    body: `dig ${n}`,
    people: n % 2 === 0 ? people : [],
    repository,
    number: n,
    url: `${repository.url}/issues/${n}`,
    closed: n % 4 === 0,
    merged: false,
    milestone: n % 5 === 0 ? { title: "Spring" } : null,
    labels: (page: PageArguments) => connection([{ name: "soil" }], page),
  });
}

interface Site {
  readonly repository: Repository;
  readonly people: readonly Account[];
}

const OLD = { id: "it_0", title: "Winter", startDate: "2025-12-01", duration: 14 };
const NEXT = { id: "it_next", title: "Spring 1", startDate: "2026-03-02", duration: 14 };

/** A roadmap with one field of each kind, views, workflows and reports. */
function plantRoadmap(world: World, owner: Account): Project {
  const project = addProject(world, owner, "Roadmap");
  for (const kind of ["TEXT", "NUMBER", "DATE"]) addField(world, project, `A ${kind}`, kind);
  addField(world, project, "Iteration", "ITERATION", {
    configuration: {
      duration: 14,
      startDay: 1,
      iterations: [NEXT],
      completedIterations: [OLD],
    },
  });
  addField(world, project, "Labels", "LABELS");
  addField(world, project, "Repository", "REPOSITORY");
  const fields = (page: PageArguments) => connection(project.ownFields.slice(0, 2), page);
  for (const [at, layout] of ["TABLE_LAYOUT", "BOARD_LAYOUT"].entries()) {
    const view = { number: at + 1, name: layout.slice(0, 5), layout, filter: null, fields };
    addPart(world, project, "ProjectV2View", view);
  }
  for (const [at, name] of ["Item closed", "Auto-archive items"].entries()) {
    addPart(world, project, "ProjectV2Workflow", { number: at + 1, name, enabled: at === 0 });
  }
  const report = {
    status: "ON_TRACK",
    body: "It grows.",
    startDate: "2026-01-05",
    targetDate: null,
  };
  addPart(world, project, "ProjectV2StatusUpdate", { ...report, creator: world.viewer() });
  return project;
}

/** Plants a world: every list of it that is paged is longer than two pages. */
export function plantGarden(): Garden {
  const world = emptyWorld();
  const ann = addAccount(world, "User", "ann");
  const club = addAccount(world, "Organization", "garden-club");
  const repository = addRepository(world, club, "garden");
  addRepository(world, ann, "shed");
  const roadmap = plantRoadmap(world, club);
  for (let n = 2; n <= 105; n++) addProject(world, club, `Plan ${n}`);
  addProject(world, ann, "Mine");
  repository.linked.add(roadmap.id);
  const site = { repository, people: [ann] };
  const items = Array.from({ length: ITEMS }, (_, n) =>
    addItem(world, roadmap, contentOf(world, site, n + 1)),
  );
  const ideas = addCategory(world, repository, "Ideas", false);
  const questions = addCategory(world, repository, "Q&A", true);
  const discussions = Array.from({ length: DISCUSSIONS }, (_, n) =>
    addDiscussion(world, n % 2 === 0 ? questions : ideas, `Topic ${n + 1}`, `About frost ${n + 1}`),
  );
  const [first] = discussions;
  if (first === undefined) throw new Error("nothing to discuss");
  const comments = Array.from({ length: COMMENTS }, (_, n) =>
    addComment(world, first, `Comment ${n + 1}`, null),
  );
  addComment(world, first, "A reply", comments[0] ?? null);
  return { world, ann, club, repository, roadmap, items, ideas, questions, discussions, comments };
}
