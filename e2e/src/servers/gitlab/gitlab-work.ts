import type { Context } from "hono";
import type { Row } from "../vendor-api.ts";
import { bodyOf, demanded, one, type Scene } from "./gitlab-http.ts";
import { ANN, Refusal, sha } from "./gitlab-world.ts";

export function addMerging({ app, world, rows, at: within }: Scene): void {
  const own = (c: Context): Row => one(within(c).mergeRequests, c.req.param("iid") ?? "", "Not");
  app.put("/projects/:project/merge_requests/:iid/merge", async (c) => {
    const row = own(c);
    const { sha: wanted } = await bodyOf(c);
    if (row["state"] !== "opened" || row["draft"] === true)
      throw new Refusal(405, { message: "405 Method Not Allowed" });
    if (wanted !== undefined && wanted !== row["sha"])
      throw new Refusal(409, {
        message: `SHA does not match HEAD of source branch: ${String(row["sha"])}`,
      });
    const merged = { state: "merged", merged_at: world.now(), merge_commit_sha: sha(99) };
    return c.json(Object.assign(row, merged));
  });
  app.post("/projects/:project/merge_requests/:iid/approve", (c) => {
    const { id, iid, title } = own(c);
    return c.json({ id, iid, title, approved: true, approved_by: [{ user: ANN }] }, 201);
  });
  app.get("/projects/:project/merge_requests/:iid/commits", (c) =>
    rows(
      c,
      [...within(c).commits.values()].filter(({ id }) => id === own(c)["sha"]),
    ),
  );
  app.get("/projects/:project/merge_requests/:iid/pipelines", (c) =>
    rows(
      c,
      [...within(c).pipelines.values()].filter((each) => each["sha"] === own(c)["sha"]),
    ),
  );
  const diff = {
    old_path: "rope.md",
    new_path: "rope.md",
    a_mode: "100644",
    b_mode: "100644",
    diff: "@@ -1 +1 @@\n-wet\n+dry\n",
    new_file: false,
    renamed_file: false,
    deleted_file: false,
  };
  app.get("/projects/:project/merge_requests/:iid/diffs", (c) => {
    own(c);
    return rows(c, [diff]);
  });
  app.get("/projects/:project/repository/commits/:sha/diff", (c) => {
    one(within(c).commits, c.req.param("sha"), "Commit");
    return rows(c, [diff]);
  });
}

export function addPlanning({ app, world, rows, at: within }: Scene): void {
  app.get("/projects/:project/labels", (c) => {
    const search = c.req.query("search") ?? "";
    const all = [...within(c).labels.values()];
    return rows(
      c,
      all.filter(({ name }) => String(name).includes(search)),
    );
  });
  app.post("/projects/:project/labels", async (c) => {
    const asked = await demanded(c, "name", "color");
    const { labels } = within(c);
    if ([...labels.values()].some(({ name }) => name === asked["name"]))
      throw new Refusal(409, { message: "Label already exists" });
    const label = { id: world.next(), description: null, priority: null, ...asked };
    labels.set(String(label.id), label);
    return c.json(label, 201);
  });
  const label = (c: Context): Row => one(within(c).labels, c.req.param("label") ?? "", "Label");
  app.get("/projects/:project/labels/:label", (c) => c.json(label(c)));
  app.put("/projects/:project/labels/:label", async (c) => {
    const { new_name: name, ...fields } = await bodyOf(c);
    return c.json(Object.assign(label(c), fields, name === undefined ? {} : { name }));
  });
  app.delete("/projects/:project/labels/:label", (c) => {
    within(c).labels.delete(String(label(c)["id"]));
    return c.body(null, 204);
  });
  app.get("/projects/:project/milestones", (c) => {
    const { state, title } = c.req.query();
    const all = [...within(c).milestones.values()]
      .filter((row) => state === undefined || row["state"] === state)
      .filter((row) => title === undefined || row["title"] === title);
    return rows(c, all);
  });
  app.post("/projects/:project/milestones", async (c) => {
    const asked = await demanded(c, "title");
    const { milestones, project } = within(c);
    if ([...milestones.values()].some(({ title }) => title === asked["title"]))
      throw new Refusal(400, {
        message: { title: ["already being used for another group or project milestone."] },
      });
    const iid = milestones.size + 1;
    const milestone = {
      id: world.next(),
      iid,
      project_id: project["id"],
      description: null,
      due_date: null,
      start_date: null,
      state: "active",
      expired: false,
      created_at: world.now(),
      updated_at: world.now(),
      web_url: `${String(project["web_url"])}/-/milestones/${iid}`,
      ...asked,
    };
    milestones.set(String(milestone.id), milestone);
    return c.json(milestone, 201);
  });
  const milestone = (c: Context): Row =>
    one(within(c).milestones, c.req.param("milestone") ?? "", "Milestone");
  app.get("/projects/:project/milestones/:milestone", (c) => c.json(milestone(c)));
  app.put("/projects/:project/milestones/:milestone", async (c) => {
    const { state_event: event, ...fields } = await bodyOf(c);
    const state = event === undefined ? {} : { state: event === "close" ? "closed" : "active" };
    return c.json(Object.assign(milestone(c), fields, state));
  });
  app.delete("/projects/:project/milestones/:milestone", (c) => {
    within(c).milestones.delete(String(milestone(c)["id"]));
    return c.body(null, 204);
  });
  app.get("/projects/:project/milestones/:milestone/issues", (c) => {
    const { id } = milestone(c);
    const all = [...within(c).issues.values()];
    return rows(
      c,
      all.filter((issue) => (issue["milestone"] as Row | null)?.["id"] === id),
    );
  });
}

export function addCode({ app, world, rows, at: within }: Scene): void {
  app.get("/projects/:project/repository/branches", (c) => {
    const search = c.req.query("search") ?? "";
    const all = [...within(c).branches.values()];
    return rows(
      c,
      all.filter(({ name }) => String(name).includes(search)),
    );
  });
  app.post("/projects/:project/repository/branches", async (c) => {
    const { branch, ref } = await demanded(c, "branch", "ref");
    return c.json(world.addBranch(within(c), String(branch), String(ref)), 201);
  });
  const branch = (c: Context): Row =>
    one(within(c).branches, c.req.param("branch") ?? "", "Branch");
  app.get("/projects/:project/repository/branches/:branch", (c) => c.json(branch(c)));
  app.delete("/projects/:project/repository/branches/:branch", (c) => {
    within(c).branches.delete(String(branch(c)["name"]));
    return c.body(null, 204);
  });
  app.get("/projects/:project/repository/commits", (c) =>
    rows(c, [...within(c).commits.values()].toReversed()),
  );
  app.get("/projects/:project/repository/commits/:sha", (c) => {
    const row = one(within(c).commits, c.req.param("sha"), "Commit");
    return c.json({ ...row, stats: { additions: 1, deletions: 1, total: 2 } });
  });
}

export function addCi({ app, world, rows, at: within }: Scene): void {
  app.get("/projects/:project/pipelines", (c) => {
    const { status, ref } = c.req.query();
    const all = [...within(c).pipelines.values()]
      .filter((row) => status === undefined || row["status"] === status)
      .filter((row) => ref === undefined || row["ref"] === ref)
      .map((row) => ({ ...row, user: undefined, duration: undefined, coverage: undefined }));
    return rows(c, all.toReversed());
  });
  app.post("/projects/:project/pipeline", async (c) => {
    const { ref } = await demanded(c, "ref");
    return c.json(world.addPipeline(within(c), String(ref), "api", "pending"), 201);
  });
  const pipeline = (c: Context): Row =>
    one(within(c).pipelines, c.req.param("pipeline") ?? "", "Pipeline");
  const jobsOf = (c: Context): Row[] => {
    const { id } = pipeline(c);
    return [...within(c).jobs.values()].filter((job) => (job["pipeline"] as Row)["id"] === id);
  };
  app.get("/projects/:project/pipelines/:pipeline", (c) => c.json(pipeline(c)));
  app.delete("/projects/:project/pipelines/:pipeline", (c) => {
    within(c).pipelines.delete(String(pipeline(c)["id"]));
    return c.body(null, 204);
  });
  app.get("/projects/:project/pipelines/:pipeline/jobs", (c) => rows(c, jobsOf(c)));
  app.post("/projects/:project/pipelines/:pipeline/retry", (c) =>
    c.json(Object.assign(pipeline(c), { status: "running" }), 201),
  );
  app.post("/projects/:project/pipelines/:pipeline/cancel", (c) =>
    c.json(Object.assign(pipeline(c), { status: "canceled" })),
  );
  app.get("/projects/:project/jobs", (c) => {
    const scope = c.req.query("scope");
    const all = [...within(c).jobs.values()];
    return rows(
      c,
      all.filter(({ status }) => scope === undefined || status === scope).toReversed(),
    );
  });
  const job = (c: Context): Row => one(within(c).jobs, c.req.param("job") ?? "", "Job");
  app.get("/projects/:project/jobs/:job", (c) => c.json(job(c)));
  app.get("/projects/:project/jobs/:job/trace", (c) => {
    job(c);
    return c.text("$ npm test\n1 failed\n");
  });
  app.post("/projects/:project/jobs/:job/retry", (c) => {
    const again = { ...job(c), id: world.next(), status: "pending" };
    within(c).jobs.set(String(again.id), again);
    return c.json(again, 201);
  });
  app.post("/projects/:project/jobs/:job/cancel", (c) =>
    c.json(Object.assign(job(c), { status: "canceled" }), 201),
  );
  app.post("/projects/:project/jobs/:job/play", (c) => {
    if (job(c)["status"] !== "manual")
      throw new Refusal(400, { message: "400 Bad request - Unplayable Job" });
    return c.json(Object.assign(job(c), { status: "pending" }));
  });
}
