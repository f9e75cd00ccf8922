import { type Context, Hono } from "hono";
import type { Endings } from "../endings.ts";
import { type Row, serveVendorApi, type VendorApi } from "../vendor-api.ts";
import { bodyOf, demanded, filtered, one, page, type Scene } from "./gitlab-http.ts";
import { addCi, addCode, addMerging, addPlanning } from "./gitlab-work.ts";
import { ANN, PEOPLE, person, Refusal, type Repository, seeded } from "./gitlab-world.ts";

export const TOKEN = "glpat-of-the-test";

function addPeople({ app, world, rows, at: within }: Scene): void {
  app.get("/user", (c) => c.json(ANN));
  app.get("/users", (c) => {
    const { username, search } = c.req.query();
    const found = PEOPLE.filter((who) => username === undefined || who.username === username);
    return rows(
      c,
      found.filter((who) => who.name.toLowerCase().includes(search ?? "")),
    );
  });
  app.get("/users/:user", (c) => c.json(person(c.req.param("user"))));
  const members = PEOPLE.map((who) => ({
    ...who,
    access_level: who.id === 1 ? 50 : 30,
    expires_at: null,
  }));
  app.get("/groups/:group/members", (c) => {
    world.group(c.req.param("group"));
    return rows(c, members);
  });
  app.get("/projects/:project/members", (c) => {
    within(c);
    return rows(c, members);
  });
  app.get("/groups", (c) => {
    const search = (c.req.query("search") ?? "").toLowerCase();
    const top = c.req.query("top_level_only") === "true";
    const found = [...world.groups.values()]
      .filter(({ name }) => String(name).toLowerCase().includes(search))
      .filter(({ parent_id: parent }) => !top || parent === null);
    return rows(c, found);
  });
  app.post("/groups", async (c) => c.json(world.addGroup(await demanded(c, "name", "path")), 201));
  app.get("/groups/:group", (c) => c.json(world.group(c.req.param("group"))));
  app.put("/groups/:group", async (c) =>
    c.json(Object.assign(world.group(c.req.param("group")), await bodyOf(c))),
  );
  app.delete("/groups/:group", (c) => {
    world.groups.delete(String(world.group(c.req.param("group"))["id"]));
    return c.json({ message: "202 Accepted" }, 202);
  });
  app.get("/groups/:group/subgroups", (c) => {
    const { id } = world.group(c.req.param("group"));
    return rows(
      c,
      [...world.groups.values()].filter(({ parent_id: parent }) => parent === id),
    );
  });
  const inGroup = (c: Context): Repository[] => {
    const path = String(world.group(c.req.param("group") ?? "")["full_path"]);
    return [...world.repositories.values()].filter(({ project }) =>
      String(project["path_with_namespace"]).startsWith(`${path}/`),
    );
  };
  app.get("/groups/:group/projects", (c) =>
    rows(
      c,
      inGroup(c).map(({ project }) => project),
    ),
  );
  app.get("/groups/:group/issues", (c) =>
    rows(
      c,
      filtered(
        c,
        inGroup(c).flatMap(({ issues }) => [...issues.values()]),
      ),
    ),
  );
}

function addProjects({ app, world, rows, at: within }: Scene): void {
  app.get("/projects", (c) => {
    const { search = "", visibility, archived } = c.req.query();
    const found = [...world.repositories.values()]
      .map(({ project }) => project)
      .filter(({ name }) => String(name).toLowerCase().includes(search.toLowerCase()))
      .filter((project) => visibility === undefined || project["visibility"] === visibility)
      .filter((project) => archived === undefined || String(project["archived"]) === archived);
    return rows(c, found.toReversed());
  });
  app.post("/projects", async (c) =>
    c.json(world.addProject(await demanded(c, "name")).project, 201),
  );
  app.get("/projects/:project", (c) => c.json(within(c).project));
  app.put("/projects/:project", async (c) =>
    c.json(Object.assign(within(c).project, await bodyOf(c))),
  );
  app.delete("/projects/:project", (c) => {
    world.repositories.delete(String(within(c).project["id"]));
    return c.json({ message: "202 Accepted" }, 202);
  });
  const acts: Readonly<Record<string, (project: Row) => void>> = {
    star: (project) => (project["star_count"] = Number(project["star_count"]) + 1),
    unstar: (project) => (project["star_count"] = Number(project["star_count"]) - 1),
    archive: (project) => (project["archived"] = true),
    unarchive: (project) => (project["archived"] = false),
  };
  for (const [name, act] of Object.entries(acts)) {
    app.post(`/projects/:project/${name}`, (c) => {
      const { project } = within(c);
      act(project);
      return c.json(project, 201);
    });
  }
}

function addIssues({ app, world, rows, at: within }: Scene): void {
  const everywhere = (of: (one: Repository) => ReadonlyMap<string, Row>): Row[] =>
    [...world.repositories.values()].flatMap((one) => [...of(one).values()]);
  const scoped = (c: Context, all: readonly Row[]): Row[] => {
    const key = { all: null, assigned_to_me: "assignees", created_by_me: "author" }[
      c.req.query("scope") ?? "created_by_me"
    ];
    return key === null || key === undefined
      ? [...all]
      : all.filter((row) => [row[key]].flat().some((who) => (who as Row)["id"] === 1));
  };
  app.get("/issues", (c) =>
    rows(
      c,
      filtered(
        c,
        scoped(
          c,
          everywhere(({ issues }) => issues),
        ),
      ),
    ),
  );
  app.get("/merge_requests", (c) =>
    rows(
      c,
      filtered(
        c,
        scoped(
          c,
          everywhere(({ mergeRequests }) => mergeRequests),
        ),
      ),
    ),
  );
  const kinds = [
    ["issues", (one: Repository) => one.issues, ["title"]],
    [
      "merge_requests",
      (one: Repository) => one.mergeRequests,
      ["source_branch", "target_branch", "title"],
    ],
  ] as const;
  for (const [kind, of, needed] of kinds) {
    const own = (c: Context): Row => one(of(within(c)), c.req.param("iid") ?? "", "Not");
    app.get(`/projects/:project/${kind}`, (c) => rows(c, filtered(c, of(within(c)).values())));
    app.post(`/projects/:project/${kind}`, async (c) => {
      const asked = await demanded(c, ...needed);
      const made =
        kind === "issues"
          ? world.addIssue(within(c), asked)
          : world.addMergeRequest(within(c), asked);
      return c.json(made, 201);
    });
    app.get(`/projects/:project/${kind}/:iid`, (c) => c.json(own(c)));
    app.put(`/projects/:project/${kind}/:iid`, async (c) => {
      const asked = await bodyOf(c);
      if (Object.keys(asked).length === 0)
        throw new Refusal(400, {
          error: "title, description, labels are missing, at least one parameter must be provided",
        });
      return c.json(world.change(within(c), own(c), asked));
    });
    app.delete(`/projects/:project/${kind}/:iid`, (c) => {
      own(c);
      of(within(c)).delete(c.req.param("iid"));
      return c.body(null, 204);
    });
    const notes = (c: Context): Map<string, Row> | undefined =>
      within(c).notes.get(`${kind}/${String(own(c)["iid"])}`);
    app.get(`/projects/:project/${kind}/:iid/notes`, (c) => {
      const all = [...(notes(c)?.values() ?? [])];
      return rows(c, c.req.query("sort") === "asc" ? all : all.toReversed());
    });
    app.post(`/projects/:project/${kind}/:iid/notes`, async (c) => {
      const { body } = await demanded(c, "body");
      return c.json(world.addNote(within(c), own(c), kind, body), 201);
    });
    const note = (c: Context): Row => one(notes(c), c.req.param("note") ?? "", "Note");
    app.get(`/projects/:project/${kind}/:iid/notes/:note`, (c) => c.json(note(c)));
    app.put(`/projects/:project/${kind}/:iid/notes/:note`, async (c) =>
      c.json(Object.assign(note(c), await demanded(c, "body"))),
    );
    app.delete(`/projects/:project/${kind}/:iid/notes/:note`, (c) => {
      notes(c)?.delete(String(note(c)["id"]));
      return c.body(null, 204);
    });
  }
}

/**
 * Starts a server that behaves as GitLab's REST API v4 does by its public reference, on data of its own: pages with
 * headers, projects by id or by path, numbers within a project, refusals in the API's forms.
 */
export const startGitlab = (endings: Endings): Promise<VendorApi> =>
  serveVendorApi(endings, (origin) => {
    const root = new Hono();
    const app = new Hono();
    const world = seeded();
    root.use(async (c, next) => {
      const token = c.req.header("private-token") ?? c.req.header("authorization");
      if (token !== TOKEN && token !== `Bearer ${TOKEN}`)
        throw new Refusal(401, { message: "401 Unauthorized" });
      await next();
    });
    const scene: Scene = {
      app,
      world,
      rows: (c, all) => page(c, origin(), [...all]),
      at: (c) => world.repository(c.req.param("project") ?? ""),
    };
    for (const add of [addPeople, addProjects, addIssues, addMerging, addPlanning, addCode, addCi])
      add(scene);
    root.route("/api/v4", app);
    root.notFound((c) => c.json({ error: "404 Not Found" }, 404));
    root.onError((error, c) =>
      error instanceof Refusal
        ? c.json(error.body, error.status)
        : c.json({ message: `500 ${error.message}` }, 500),
    );
    return root;
  });
