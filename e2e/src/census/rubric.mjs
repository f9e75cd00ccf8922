/**
 * The rubric by which imports of well-known APIs are graded: what a person who knows the API would look for, written
 * down by hand. Keys are operations of the document, with each variable of a path as `{}`; null is what the API has not.
 */

/** What is graded, each from 0 to 1, the same weight for each. */
export const CRITERIA = Object.freeze({
  list: "its list is a list: rows of the entity, with columns",
  get: "one is got by its key alone",
  create: "it is created, and the row that comes is shown",
  update: "it is changed on its own row",
  relation: "what it belongs to leads to it",
  paging:
    "its list goes on behind the first page, in a way that the API has: by a link, a token or id, or counted",
  names: "the entity and its capabilities are called as a person would",
  table: "its table takes at most 1,500 tokens; from there to 3,000 it loses",
});

const thing = (names, keys) => ({
  names,
  list: null,
  get: null,
  create: null,
  update: null,
  from: null,
  pages: true,
  ...keys,
});

/** A thing whose four operations are on a list and on one of it. */
const plain = (names, path, { method = "PATCH", ...more } = {}) =>
  thing(names, {
    list: `GET ${path}`,
    get: `GET ${path}/{}`,
    create: `POST ${path}`,
    update: method === null ? null : `${method} ${path}/{}`,
    ...more,
  });

const REPO = "/repos/{}/{}";
const NAMESPACED = (group, word) => `${group}/namespaces/{}/${word}`;
const ACCOUNT = "/2010-04-01/Accounts/{}";

export const RUBRIC = Object.freeze([
  {
    api: "GitHub",
    file: "github.com/api.github.com.json",
    goesOnBy: ["link", "counter"],
    things: [
      thing(["Repository"], {
        list: "GET /user/repos",
        get: `GET ${REPO}`,
        create: "POST /user/repos",
        update: `PATCH ${REPO}`,
      }),
      plain(["Issue"], `${REPO}/issues`, { from: "Repository" }),
      plain(["PullRequest", "Pull"], `${REPO}/pulls`, { from: "Repository" }),
      plain(["Milestone"], `${REPO}/milestones`, { from: "Repository" }),
      plain(["Release"], `${REPO}/releases`, { from: "Repository" }),
    ],
  },
  {
    api: "DigitalOcean",
    file: "digitalocean.com.json",
    goesOnBy: ["link", "counter"],
    things: [
      plain(["Droplet"], "/v2/droplets", { method: null }),
      plain(["Domain"], "/v2/domains", { method: null }),
      plain(["DomainRecord", "Record"], "/v2/domains/{}/records", { from: "Domain" }),
      plain(["Project"], "/v2/projects"),
      plain(["SshKey", "Key", "SshKeys"], "/v2/account/keys", { method: "PUT" }),
    ],
  },
  {
    api: "Spotify",
    file: "spotify.com.json",
    goesOnBy: ["link", "counter", "token"],
    things: [
      thing(["Playlist"], {
        list: "GET /me/playlists",
        get: "GET /playlists/{}",
        create: "POST /users/{}/playlists",
        update: "PUT /playlists/{}",
      }),
      thing(["Album"], { list: "GET /artists/{}/albums", get: "GET /albums/{}", from: "Artist" }),
      thing(["Track"], { list: "GET /albums/{}/tracks", get: "GET /tracks/{}", from: "Album" }),
      thing(["Episode"], { list: "GET /shows/{}/episodes", get: "GET /episodes/{}", from: "Show" }),
      thing(["Artist"], { get: "GET /artists/{}" }),
    ],
  },
  {
    api: "Asana",
    file: "asana.com.json",
    goesOnBy: ["token"],
    things: [
      plain(["Task"], "/tasks", { method: "PUT" }),
      plain(["Project"], "/projects", { method: "PUT" }),
      thing(["Section"], {
        list: "GET /projects/{}/sections",
        get: "GET /sections/{}",
        create: "POST /projects/{}/sections",
        update: "PUT /sections/{}",
        from: "Project",
      }),
      thing(["Workspace"], {
        list: "GET /workspaces",
        get: "GET /workspaces/{}",
        update: "PUT /workspaces/{}",
      }),
      plain(["Tag"], "/tags", { method: "PUT" }),
    ],
  },
  {
    api: "Zoom",
    file: "zoom.us.json",
    goesOnBy: ["token"],
    things: [
      plain(["User"], "/users"),
      thing(["Meeting"], {
        list: "GET /users/{}/meetings",
        get: "GET /meetings/{}",
        create: "POST /users/{}/meetings",
        update: "PATCH /meetings/{}",
        from: "User",
      }),
      thing(["Webinar"], {
        list: "GET /users/{}/webinars",
        get: "GET /webinars/{}",
        create: "POST /users/{}/webinars",
        update: "PATCH /webinars/{}",
        from: "User",
      }),
      plain(["Group"], "/groups", { pages: false }),
      plain(["Role"], "/roles", { pages: false }),
    ],
  },
  {
    api: "Jira",
    file: "atlassian.com/jira.json",
    goesOnBy: ["counter", "link"],
    things: [
      thing(["Issue"], {
        list: "GET /rest/api/3/search",
        get: "GET /rest/api/3/issue/{}",
        create: "POST /rest/api/3/issue",
        update: "PUT /rest/api/3/issue/{}",
      }),
      thing(["Project"], {
        list: "GET /rest/api/3/project/search",
        get: "GET /rest/api/3/project/{}",
        create: "POST /rest/api/3/project",
        update: "PUT /rest/api/3/project/{}",
      }),
      plain(["Comment"], "/rest/api/3/issue/{}/comment", { method: "PUT", from: "Issue" }),
      plain(["Worklog"], "/rest/api/3/issue/{}/worklog", { method: "PUT", from: "Issue" }),
      thing(["Version"], {
        list: "GET /rest/api/3/project/{}/version",
        get: "GET /rest/api/3/version/{}",
        create: "POST /rest/api/3/version",
        update: "PUT /rest/api/3/version/{}",
        from: "Project",
      }),
    ],
  },
  {
    api: "Box",
    file: "box.com.json",
    goesOnBy: ["token", "counter"],
    things: [
      thing(["Folder"], {
        get: "GET /folders/{}",
        create: "POST /folders",
        update: "PUT /folders/{}",
      }),
      thing(["File"], { get: "GET /files/{}", update: "PUT /files/{}" }),
      plain(["User"], "/users", { method: "PUT" }),
      plain(["Group"], "/groups", { method: "PUT" }),
      plain(["Webhook"], "/webhooks", { method: "PUT" }),
      thing(["Comment"], {
        list: "GET /files/{}/comments",
        get: "GET /comments/{}",
        create: "POST /comments",
        update: "PUT /comments/{}",
        from: "File",
      }),
    ],
  },
  {
    api: "Kubernetes",
    file: "kubernetes.io.json",
    goesOnBy: ["token"],
    things: [
      plain(["Namespace"], "/api/v1/namespaces"),
      plain(["Pod"], NAMESPACED("/api/v1", "pods"), { from: "Namespace" }),
      plain(["Service"], NAMESPACED("/api/v1", "services"), { from: "Namespace" }),
      plain(["Deployment"], NAMESPACED("/apis/apps/v1", "deployments"), { from: "Namespace" }),
      plain(["Job"], NAMESPACED("/apis/batch/v1", "jobs"), { from: "Namespace" }),
    ],
  },
  {
    api: "Stripe",
    file: "stripe.com.json",
    goesOnBy: ["token"],
    things: ["Customer", "Invoice", "Product", "Subscription", "Coupon"].map((name) =>
      plain([name], `/v1/${name.toLowerCase()}s`, { method: "POST" }),
    ),
  },
  {
    api: "Slack",
    file: "slack.com.json",
    goesOnBy: ["token"],
    things: [
      thing(["Conversation", "Channel"], {
        list: "GET /conversations.list",
        get: "GET /conversations.info",
        create: "POST /conversations.create",
        update: "POST /conversations.rename",
      }),
      thing(["User", "Member"], { list: "GET /users.list", get: "GET /users.info" }),
      thing(["Message"], {
        list: "GET /conversations.history",
        create: "POST /chat.postMessage",
        update: "POST /chat.update",
      }),
      thing(["File"], { list: "GET /files.list", get: "GET /files.info" }),
      thing(["Reminder"], {
        list: "GET /reminders.list",
        get: "GET /reminders.info",
        create: "POST /reminders.add",
        pages: false,
      }),
    ],
  },
  {
    api: "Twilio",
    package: "@twilio-alpha/mcp@0.7.0",
    file: "twilio-oai/spec/json/twilio_api_v2010.json",
    goesOnBy: ["link"],
    things: [
      thing(["Account"], {
        list: "GET /2010-04-01/Accounts.json",
        get: `GET ${ACCOUNT}.json`,
        create: "POST /2010-04-01/Accounts.json",
        update: `POST ${ACCOUNT}.json`,
      }),
      ...["Message", "Call", "IncomingPhoneNumber", "Queue"].map((name) =>
        thing([name, name.replace("Incoming", "")], {
          list: `GET ${ACCOUNT}/${name}s.json`,
          get: `GET ${ACCOUNT}/${name}s/{}.json`,
          create: `POST ${ACCOUNT}/${name}s.json`,
          update: `POST ${ACCOUNT}/${name}s/{}.json`,
          from: "Account",
        }),
      ),
    ],
  },
  {
    api: "GitLab",
    file: "gitlab.com.json",
    goesOnBy: ["link", "counter"],
    things: [
      plain(["Project"], "/v3/projects", { method: "PUT" }),
      plain(["Issue"], "/v3/projects/{}/issues", { method: "PUT", from: "Project" }),
      plain(["MergeRequest"], "/v3/projects/{}/merge_requests", { method: "PUT", from: "Project" }),
      plain(["Milestone"], "/v3/projects/{}/milestones", { method: "PUT", from: "Project" }),
      plain(["Group"], "/v3/groups", { method: "PUT" }),
    ],
  },
]);
