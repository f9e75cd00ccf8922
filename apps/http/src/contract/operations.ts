import type { ProblemCode } from "@plasm/agent-core";
import type { SchemaName } from "./schemas.ts";

type MediaType =
  | "application/json"
  | "application/x-ndjson"
  | "text/event-stream"
  | "text/markdown"
  | "text/plain"
  | "*/*";

/** A body by its media type: a schema by name, or text. */
export type Content = Readonly<Partial<Record<MediaType, SchemaName | "text">>>;

type HeaderName =
  | "Location"
  | "Retry-After"
  | "X-Plasm-Next-Page"
  | "X-Plasm-Partial"
  | "X-Plasm-Run-Id"
  | "X-Plasm-Session";

export interface Answered {
  readonly says: string;
  readonly content: Content;
  readonly headers?: readonly HeaderName[];
}

/** What the document says of a route, beside method, path, query and access, which the route has. */
export interface OperationDoc {
  readonly id: string;
  readonly summary: string;
  readonly body?: Content;
  /** whether the body may be left out */
  readonly optional?: boolean;
  readonly answers: Readonly<Partial<Record<200 | 201 | 202 | 303, Answered>>>;
  /** problems of its own, beside those of its access, of its body and of its session */
  readonly problems?: readonly ProblemCode[];
}

const json = (name: SchemaName): Content => ({ "application/json": name });

/** A route that answers 200 with JSON. */
const gives = (
  id: string,
  summary: string,
  name: SchemaName,
  rest: Partial<OperationDoc> = {},
): OperationDoc => ({
  id,
  summary,
  answers: { 200: { says: summary, content: json(name) } },
  ...rest,
});

const orText = (name: SchemaName): Content => ({
  "application/json": name,
  "text/plain": "text",
  "text/markdown": "text",
});

const program: Content = { ...orText("ProgramAnswer"), "application/x-ndjson": "ProgramLine" };
const seeding: readonly ProblemCode[] = [
  "plasm-unknown-catalog",
  "plasm-unknown-entity",
  "plasm-principal-required",
  "plasm-policy-denied",
  "plasm-not-acceptable",
  "plasm-busy",
];
const PROGRAM: readonly ProblemCode[] = [
  "plasm-not-acceptable",
  "plasm-program-invalid",
  "plasm-run-failed",
  "plasm-policy-denied",
  "plasm-force-denied",
  "plasm-review-required",
  "plasm-approval-required",
  "plasm-commit-used",
  "plasm-busy",
  "plasm-unknown-handle",
  "plasm-unknown-snapshot",
  "plasm-cursor-exhausted",
  "plasm-too-many-operations",
  "plasm-quota-exceeded",
  "plasm-upstream-error",
  "plasm-upstream-auth",
  "plasm-upstream-timeout",
];
const handle: readonly ProblemCode[] = ["plasm-unknown-handle", "plasm-policy-denied"];
const kept: readonly ProblemCode[] = ["plasm-unknown-snapshot", "plasm-policy-denied"];
const deciding: Partial<OperationDoc> = {
  body: json("DecisionBody"),
  optional: true,
  problems: ["plasm-unknown-handle", "plasm-commit-used", "plasm-busy"],
};

const stream = (id: string, summary: string, problems: readonly ProblemCode[]): OperationDoc => ({
  id,
  summary,
  answers: { 200: { says: summary, content: { "text/event-stream": "text" } } },
  problems: ["plasm-not-acceptable", ...problems],
});

const SESSION = "/execute/:prompt_hash/:session_id";

/** SURF-16's table as the document tells it, a line a route, by `METHOD path` as the router has them. */
export const OPERATIONS: Readonly<Record<string, OperationDoc>> = Object.freeze({
  "GET /v1/health": gives("health", "Whether the store can be read and written", "Health"),
  "GET /v1/ready": gives("ready", "Whether calls may be sent here", "Ready"),
  "GET /v1/auth/status": gives("authStatus", "How callers prove who they are", "AuthStatus"),
  "GET /v1/whoami": gives("whoami", "Who the caller is to this server", "Whoami"),
  "GET /v1/registry": gives("listRegistry", "The catalogs that the caller may use", "Registry"),
  "GET /v1/registry/:entry_id": gives(
    "showCatalog",
    "One catalog with its entities and capabilities",
    "RegistryEntry",
    { problems: ["plasm-unknown-catalog"] },
  ),
  "POST /v1/discover": gives("discover", "Entities that fit a goal", "Discovered", {
    body: json("DiscoverBody"),
    problems: ["plasm-unknown-catalog"],
  }),
  "POST /execute": {
    id: "open",
    summary: "Opens a session, or finds the one there is, and leads to it",
    body: json("OpenBody"),
    answers: {
      303: { says: "Where the session is", content: orText("Opened"), headers: ["Location"] },
    },
    problems: seeding,
  },
  [`GET ${SESSION}`]: {
    id: "showSession",
    summary: "What a session teaches; as text the prompt alone",
    answers: { 200: { says: "The session", content: orText("Session") } },
    problems: ["plasm-not-acceptable"],
  },
  [`POST ${SESSION}/context`]: {
    id: "extend",
    summary: "Extends a session by further seeds, or sends its tables again",
    body: json("ContextBody"),
    answers: { 200: { says: "What the session teaches now", content: orText("Extended") } },
    problems: seeding,
  },
  [`POST ${SESSION}`]: {
    id: "run",
    summary: "Plans, explains or runs a program, or runs a plan by its ref",
    body: { "text/plain": "text", "application/json": "ProgramBody" },
    answers: {
      200: {
        says: "What the program gives",
        content: program,
        headers: ["X-Plasm-Next-Page", "X-Plasm-Run-Id", "X-Plasm-Partial"],
      },
      202: { says: "An operation that goes on", content: program, headers: ["Location"] },
    },
    problems: PROGRAM,
  },
  [`GET ${SESSION}/symbols`]: gives("symbols", "What the symbols stand for", "Symbols"),
  [`GET ${SESSION}/status`]: gives("status", "Whether a session lives, and until when", "Status"),
  [`GET ${SESSION}/runs`]: gives("listRuns", "What the session has run", "Runs"),
  [`GET ${SESSION}/artifacts/:run_id`]: gives("snapshotOfRun", "A snapshot by run", "Snapshot", {
    problems: kept,
  }),
  [`GET ${SESSION}/r/:n`]: gives("snapshot", "A snapshot by its number", "Snapshot", {
    problems: kept,
  }),
  [`GET ${SESSION}/operations/:handle`]: gives(
    "operation",
    "How an operation stands, without waiting",
    "Operation",
    { problems: handle },
  ),
  [`GET ${SESSION}/operations/:handle/stream`]: stream(
    "watchOperation",
    "An operation as it goes on, to its end",
    handle,
  ),
  [`GET ${SESSION}/grafts`]: {
    id: "listGrafts",
    summary: "The caller's grafts in a session, a line each",
    answers: { 200: { says: "The complete index", content: orText("GraftIndex") } },
    problems: ["plasm-not-acceptable", "plasm-policy-denied"],
  },
  [`POST ${SESSION}/grafts`]: {
    id: "attachGrafts",
    summary: "Attaches documents to a session for the caller",
    body: json("GraftsBody"),
    answers: { 200: { says: "The complete index", content: orText("GraftIndex") } },
    problems: [
      "plasm-not-acceptable",
      "plasm-graft-no-identity",
      "plasm-policy-denied",
      "plasm-busy",
    ],
  },
  [`GET ${SESSION}/grafts/:graft_id`]: {
    id: "graft",
    summary: "A graft, byte for byte",
    answers: { 200: { says: "What was attached, by its own type", content: { "*/*": "text" } } },
    problems: ["plasm-unknown-graft", "plasm-policy-denied"],
  },
  "GET /v1/traces": gives("listTraces", "The traces of the caller's scope", "Traces"),
  "GET /v1/traces/:id": gives("showTrace", "A trace with its events", "Trace", {
    problems: ["plasm-unknown-trace"],
  }),
  "GET /v1/traces/:id/stream": stream("watchTrace", "A trace as it grows", ["plasm-unknown-trace"]),
  "GET /v1/operations": gives(
    "listOperations",
    "Operations of all sessions that the caller may see, the newest first",
    "Operations",
  ),
  "GET /v1/operations/:operation_uuid": gives("showOperation", "One of them", "OperationRow", {
    problems: ["plasm-unknown-handle"],
  }),
  "POST /v1/operations/:operation_uuid/cancel": gives(
    "cancelOperation",
    "Cancels an operation, and says how it stands after at most 2 s",
    "CancelledOperation",
    { body: json("NoArguments"), optional: true, problems: ["plasm-unknown-handle"] },
  ),
  "GET /v1/programs": gives(
    "listPrograms",
    "The saved programs that the caller may run",
    "SavedPrograms",
  ),
  "POST /v1/programs": {
    id: "saveProgram",
    summary: "Saves a plan of a session by name, or what the text of a saved program says",
    body: json("SaveBody"),
    answers: {
      201: { says: "The program is saved", content: json("SavedProgram"), headers: ["Location"] },
    },
    problems: [
      "plasm-unknown-catalog",
      "plasm-unknown-entity",
      "plasm-principal-required",
      "plasm-busy",
      ...handle,
      "plasm-unknown-session",
      "plasm-session-lost",
      "plasm-review-required",
      "plasm-program-invalid",
      "plasm-quota-exceeded",
    ],
  },
  "GET /v1/programs/:name": {
    id: "showProgram",
    summary: "One of them; as text what an import takes",
    answers: { 200: { says: "The program", content: orText("SavedProgram") } },
    problems: ["plasm-unknown-program", "plasm-not-acceptable"],
  },
  "DELETE /v1/programs/:name": gives("removeProgram", "Removes one", "SavedProgramRow", {
    problems: ["plasm-unknown-program"],
  }),
  "POST /v1/programs/:name/run": {
    id: "runProgram",
    summary: "Plans a saved program with arguments, or explains or runs it",
    body: json("CallBody"),
    optional: true,
    answers: {
      200: {
        says: "What the program gives",
        content: program,
        headers: ["X-Plasm-Next-Page", "X-Plasm-Run-Id", "X-Plasm-Partial", "X-Plasm-Session"],
      },
      202: {
        says: "An operation that goes on",
        content: program,
        headers: ["Location", "X-Plasm-Session"],
      },
    },
    problems: [...PROGRAM, ...seeding, "plasm-unknown-program", "plasm-program-changed"],
  },
  "GET /v1/schedules": gives(
    "listSchedules",
    "The caller's schedules of saved programs, or for an operator those of the tenant",
    "Schedules",
  ),
  "POST /v1/schedules": {
    id: "createSchedule",
    summary: "Runs a saved program at times from now on",
    body: json("ScheduleBody"),
    answers: {
      201: { says: "It is scheduled", content: json("Schedule"), headers: ["Location"] },
    },
    problems: [
      "plasm-unknown-catalog",
      "plasm-unknown-entity",
      "plasm-policy-denied",
      "plasm-busy",
      "plasm-program-invalid",
      "plasm-unknown-program",
      "plasm-program-changed",
      "plasm-quota-exceeded",
    ],
  },
  "GET /v1/schedules/:schedule_uuid": gives(
    "showSchedule",
    "One of them, with its runs",
    "Schedule",
    {
      problems: ["plasm-unknown-handle"],
    },
  ),
  "POST /v1/schedules/:schedule_uuid/pause": gives(
    "pauseSchedule",
    "Has one do nothing until it is resumed",
    "Schedule",
    { problems: ["plasm-unknown-handle", "plasm-busy"] },
  ),
  "POST /v1/schedules/:schedule_uuid/resume": gives(
    "resumeSchedule",
    "Goes on with one, with its program as that is saved now",
    "Schedule",
    { problems: ["plasm-unknown-handle", "plasm-unknown-program", "plasm-busy"] },
  ),
  "GET /v1/schedules/:schedule_uuid/events": {
    id: "watchEvents",
    summary: "What a watch has found, or as a stream what it finds from now on",
    answers: {
      200: {
        says: "Rows that appeared, changed or vanished",
        content: { ...json("WatchEvents"), "text/event-stream": "text" },
      },
    },
    problems: ["plasm-unknown-handle", "plasm-not-acceptable"],
  },
  "DELETE /v1/schedules/:schedule_uuid": gives("removeSchedule", "Removes one", "Schedule", {
    problems: ["plasm-unknown-handle"],
  }),
  "POST /v1/webhooks/:scope/:schedule_uuid": {
    id: "takeWebhook",
    summary:
      "Takes what an API tells of a watch, which reads soon; the request proves by itself who sends it",
    body: { "*/*": "text" },
    answers: {
      200: {
        says: "What the API wants to get back, under its name",
        content: json("WebhookAnswer"),
      },
      202: { says: "It is taken", content: json("WebhookAnswer") },
    },
    problems: ["plasm-unauthenticated", "plasm-unknown-handle", "plasm-busy", "plasm-too-large"],
  },
  "GET /v1/operations/set-aside": gives(
    "listSetAside",
    "The operations that were under way when two processes ended",
    "SetAsideOperations",
  ),
  "POST /v1/operations/set-aside/:operation_uuid/retry": gives(
    "retrySetAside",
    "Lets an operation that was set aside go on as a new one",
    "SetAsideOperation",
    {
      body: json("NoArguments"),
      optional: true,
      problems: ["plasm-unknown-handle", "plasm-policy-denied", "plasm-busy"],
    },
  ),
  "GET /metrics": {
    id: "metrics",
    summary: "The figures of this process, as Prometheus reads them",
    answers: {
      200: { says: "Metrics in Prometheus's text format", content: { "text/plain": "text" } },
    },
    problems: ["plasm-policy-denied", "plasm-unknown-route"],
  },
  "GET /v1/audit": gives("audit", "What was done, decided and refused, a line each", "Audit"),
  "GET /v1/settings": gives(
    "settings",
    "How the tenant is served: policy, budgets, quotas, keys, who is told",
    "Settings",
  ),
  "GET /v1/settings/catalogs/:entry_id": gives(
    "catalogSettings",
    "What may be done with a catalog, and how its API answered otherwise than it says",
    "CatalogSettings",
    { problems: ["plasm-unknown-catalog"] },
  ),
  "GET /v1/approvals": gives("listApprovals", "The plans that wait for an operator", "Approvals"),
  "GET /v1/approvals/:commit_uuid": gives(
    "showApproval",
    "A plan that was put before operators, decided or not",
    "Approval",
    { problems: ["plasm-unknown-handle"] },
  ),
  "POST /v1/approvals/:commit_uuid/approve": gives(
    "approve",
    "Lets a plan run once",
    "Approval",
    deciding,
  ),
  "POST /v1/approvals/:commit_uuid/reject": gives(
    "reject",
    "Keeps a plan from running",
    "Approval",
    deciding,
  ),
  "POST /v1/admin/catalogs": {
    id: "importCatalog",
    summary: "Imports a catalog from the text of its files",
    body: json("CatalogBody"),
    answers: {
      201: { says: "The catalog is on offer", content: json("Imported"), headers: ["Location"] },
    },
    problems: ["plasm-busy"],
  },
  "PUT /v1/admin/policy/:tenant": gives("putPolicy", "Sets what a tenant may do", "PolicySet", {
    body: json("PolicyBody"),
    problems: ["plasm-busy"],
  }),
  "DELETE /v1/admin/catalogs/:entry_id": gives(
    "withdrawCatalog",
    "Withdraws what was imported of an entry id",
    "Withdrawn",
    { problems: ["plasm-unknown-catalog", "plasm-busy"] },
  ),
  "GET /v1/accounts": gives("listAccounts", "What the caller is connected to", "Accounts"),
  "POST /v1/accounts/sign-in": gives("signIn", "Begins a sign-in to an API", "SignIn", {
    body: json("AccountBody"),
    problems: [
      "plasm-unknown-catalog",
      "plasm-policy-denied",
      "plasm-upstream-error",
      "plasm-upstream-auth",
    ],
  }),
  "POST /v1/accounts/share": gives("shareAccount", "Says who may use an account", "Account", {
    body: json("ShareBody"),
    problems: ["plasm-unknown-catalog", "plasm-policy-denied", "plasm-upstream-auth"],
  }),
  "POST /v1/accounts/revoke": gives(
    "revokeAccount",
    "Ends and forgets an account",
    "AccountEnded",
    {
      body: json("AccountBody"),
      problems: [
        "plasm-unknown-catalog",
        "plasm-policy-denied",
        "plasm-upstream-error",
        "plasm-upstream-auth",
      ],
    },
  ),
  "GET /v1/openapi.json": gives("document", "This document", "Document"),
});
