import { PROBLEMS } from "@plasm/agent-core";
import { AUDIT_KINDS, AUTH_MODES } from "@plasm/agent-core/internal";
import { z } from "zod";
import { contextMetaSchema, effectSchema, programMetaSchema } from "./metas.ts";

/** What answers hold, member by member. Clients ignore members that they do not know. */

const time = z.iso.datetime();
const json = z.unknown();
const row = z.record(z.string(), json);

/** `store`: bytes that it holds, takes of its disk, and may hold, and what rows of runs take beside it, where it can tell. */
export const healthSchema = z.object({
  status: z.literal("ok"),
  store: z
    .object({
      used: z.int(),
      on_disk: z.int(),
      limit: z.int(),
      spilled: z.int().describe("rows of runs under way, on the disk of this process"),
    })
    .optional(),
  set_aside: z.int().optional().describe("operations that wait for an operator, of all tenants"),
});
export const readySchema = z.object({ status: z.literal("ready") });
export const authStatusSchema = z.object({
  mode: z.enum(AUTH_MODES),
  issuers: z.array(z.string()),
});
export const whoamiSchema = z.object({
  tenant: z.string().nullable(),
  subject: z.string(),
  method: z.enum(["none", "api_key", "jwt"]).describe("how the server knows"),
});

export const accountSchema = z.object({
  entry_id: z.string(),
  account: z.string().nullable().describe("its label; null for the default"),
  changed_at: z.string(),
  whose: z.enum(["caller", "tenant", "everyone"]),
  may_change: z.boolean().describe("whether the caller may share and revoke it"),
  shared: z
    .object({ by: z.string().nullable(), users: z.array(z.string()) })
    .nullable()
    .describe("who shares it, and who may use it; null where everyone whose it is may"),
});

export const accountsSchema = z.object({
  catalogs: z.array(
    z.object({
      entry_id: z.string(),
      signs_in: z.boolean().describe("whether the caller can sign in to it here"),
      accounts: z.array(accountSchema),
    }),
  ),
});

export const signInSchema = z.object({
  url: z.string().describe("where the browser goes that got this answer with its cookie"),
});

export const accountEndedSchema = z.object({
  ended: z.boolean().describe("whether its provider has ended the tokens"),
});

const catalog = z.object({
  entry_id: z.string(),
  label: z.string(),
  description: z.string(),
  tags: z.array(z.string()),
  aliases: z.array(z.string()),
  version: z.int(),
  digest: z.string(),
  entities: json,
  capabilities: z.int(),
  credentials: z.boolean(),
  credentials_needed: json.optional(),
  not_loaded: z
    .array(z.object({ part: z.string(), why: z.string() }))
    .optional()
    .describe("parts of the catalog that have faults, or need such a part"),
});

export const registrySchema = z.array(catalog.extend({ entities: z.int() }));

export const registryEntrySchema = catalog.extend({
  entities: z.array(
    z.object({
      entity: z.string(),
      description: z.string(),
      capabilities: z.array(
        z.object({ label: z.string(), kind: z.string(), description: z.string() }),
      ),
      relations: z
        .array(
          z.object({
            relation: z.string(),
            target: z.string().describe("an entity of the same catalog"),
            cardinality: z.enum(["one", "many"]),
            description: z.string(),
          }),
        )
        .describe("relations, and fields that refer to rows of another entity"),
    }),
  ),
  origin: z
    .object({
      source: z.string().describe("a file by its name, an address without its query, or a program"),
      digest: z.string().describe("of the document"),
      read_at: z.string(),
      operations: z.int().describe("those of the document"),
      reached: z.int().describe("those that the catalog has"),
      left_out: z.array(z.string()).describe("what it has not and why, at most 200 lines"),
      omitted: z.int().describe("further lines"),
    })
    .optional()
    .describe("what it was made of, where that was kept beside it"),
});

export const discoveredSchema = z.object({
  options: z.array(z.object({ api: z.string(), entity: z.string(), description: z.string() })),
  omitted: z.int().min(0),
  others: z
    .array(z.object({ api: z.string(), entity: z.string() }))
    .optional()
    .describe("the best of those omitted; without options, what shares a word with the goal"),
  further: z
    .array(z.object({ api: z.string(), entity: z.string() }))
    .optional()
    .describe("what else is in the catalogs that were named, and shares no word with the goal"),
  elsewhere: z
    .array(z.string())
    .optional()
    .describe(
      "catalogs of which nothing stands here, of many those first that explain most of the goal",
    ),
});

export const openedSchema = z.object({ plasm: contextMetaSchema });
export const extendedSchema = z.object({
  text: z.string(),
  _meta: z.object({ plasm: contextMetaSchema }),
});

export const sessionSchema = z.object({
  prompt_hash: z.string(),
  session: z.string(),
  prompt: z.string(),
  entry_id: z.string(),
  entities: z.array(z.string()),
  domain_revision: z.int(),
});

const symbolsOf = <T extends z.ZodType>(what: T) => z.record(z.string(), what);

export const symbolsSchema = z.object({
  notation: z.enum(["symbols", "names"]),
  domain_revision: z.int(),
  e: symbolsOf(z.object({ entry_id: z.string(), entity: z.string() })),
  m: symbolsOf(z.object({ entry_id: z.string(), entity: z.string(), label: z.string() })),
  p: symbolsOf(z.string()),
});

export const statusSchema = z.object({ alive: z.boolean(), expires_at: time });

const result = z.object({
  name: z.string(),
  columns: z.array(z.string()),
  rows: z.array(row).describe("all rows"),
  row_count: z.int(),
  partial: z.string().nullable(),
  snapshot: z.string().nullable(),
  next: z.string().nullable().describe("the handle of the next page"),
});

/** OPS-21's block: members that are not known are left out. */
const operationBlock = z.object({
  n: z.int(),
  "~": z.enum(["+", "~", "=", "!", "x", "?"]),
  s: z.string().optional(),
  l: z.string().optional(),
  r: z.int().optional(),
  c: z.string().optional(),
});

export const operationSchema = z.object({ line: z.string(), op: operationBlock });

const programMetaOf = z.object({
  plasm: programMetaSchema.extend({ op: operationBlock.optional() }),
});

export const programAnswerSchema = z.object({
  results: z.array(result),
  op: operationBlock.optional(),
  text: z.string(),
  _meta: programMetaOf,
});

/** One line of an answer as NDJSON: the rows, then the meta. */
export const programLineSchema = z.union([
  z.object({ result: z.string(), row }),
  z.object({ _meta: programMetaOf }),
]);

const snapshotOfRun = z.object({
  n: z.int(),
  run_id: z.string(),
  label: z.string(),
  source: z.string(),
  row_count: z.int(),
  partial: z.string().nullable(),
  bytes: z.int(),
  artifact_uri: z.string(),
  created_at: time,
});

const run = z.object({
  plan_commit_ref: z.string().nullable(),
  commit: z.string().nullable(),
  state: z.enum(["accepted", "running", "succeeded", "cancelled", "failed"]),
  handle: z.string().nullable(),
  started_at: time.nullable(),
  ended_at: time.nullable(),
  effects: z.array(effectSchema),
  snapshots: z.array(snapshotOfRun),
});

export const runsSchema = z.object({
  runs: z.array(run).describe("in the order in which they began"),
  omitted: z.int().describe("older ones"),
  next: z.string().nullable().describe("the query's before of the page of older ones"),
});

export const snapshotSchema = z.object({
  run_id: z.string(),
  n: z.int(),
  label: z.string(),
  entry_ids: z.array(z.string()),
  program: z.string(),
  commit: z.string(),
  source: z.string(),
  columns: z.array(z.array(z.string())).describe("names with their types"),
  presented: z.array(row).optional(),
  rows: z.array(row),
  relations: z.record(z.string(), json),
  partial: z.string().nullable(),
  stats: z.object({ requests: z.int(), rows: z.int() }),
  effects: z
    .array(effectSchema)
    .optional()
    .describe("all of its run, where its answer had no room"),
  content_sha256: z.string(),
});

export const operationRowSchema = z.object({
  operation_uuid: z.string(),
  handle: z.string().nullable().describe("as its own caller knows it"),
  session: z.object({ prompt_hash: z.string(), session: z.string() }),
  trace_id: z.string().describe("of its session"),
  run: z.string().describe("as nodes and requests of the trace name it"),
  subject: z.string().nullable().describe("who called"),
  plan_commit_ref: z.string(),
  commit: z.string(),
  catalogs: z.array(z.string()),
  program: z.string().describe("its first line"),
  state: z.enum(["accepted", "running", "succeeded", "cancelled", "failed"]),
  cancel_requested: z.boolean(),
  set_aside: z.boolean(),
  line: z.string().describe("how it stands"),
  step: z.object({ k: z.int(), of: z.int(), rows: z.int() }),
  requests: z.int().nullable().describe("sent so far"),
  effects: z.int().describe("of its plan"),
  outcome: z
    .object({
      rows: z.int(),
      code: z.string().nullable(),
      effects_done: z.int(),
      in_doubt: z.int(),
    })
    .nullable(),
  started_at: time,
  ended_at: time.nullable(),
});

export const operationsSchema = z.object({
  operations: z.array(operationRowSchema).describe("the newest first"),
  next: z
    .string()
    .nullable()
    .describe("the query's before of the page of older ones, which may have none of one's own yet"),
});

export const cancelledOperationSchema = operationRowSchema.extend({
  cancel: z
    .enum(["requested", "requested_before", "ended_before"])
    .describe("what this call did: it cancels, an earlier one does, or it had ended"),
});

const traceSummary = z.object({
  trace_id: z.string(),
  kind: z.enum(["logical", "execute"]),
  started_at: time,
  updated_at: time,
  seq: z.int().describe("number of the last event"),
  dropped: z.int().describe("events that are not kept any more, the oldest"),
  totals: z.record(z.string(), z.int()).describe("dropped events included"),
});

export const tracesSchema = z.object({ traces: z.array(traceSummary), omitted: z.int() });

export const traceSchema = traceSummary.extend({
  events: z.array(z.looseObject({ n: z.int(), at: time, type: z.string() })),
});

export const approvalSchema = z.object({
  commit_uuid: z.string(),
  state: z.string(),
  commit: z.string(),
  plan_commit_ref: z.string(),
  subject: z.string().describe("who called"),
  acting_for: z.string().nullable().describe("the user that the call was for, if another"),
  intent: z.string().nullable(),
  requested_at: time,
  expires_at: time,
  program: z.string(),
  plan: json,
  effects: json,
  accounts: z
    .record(z.string(), z.string())
    .describe("catalog → the account that it uses, where one was named"),
  bill: json.describe("what it is expected to cost, as a dry run has it"),
  explained: z
    .object({ at: time, effects: z.array(json), omitted: z.int() })
    .nullable()
    .describe(
      "each effect before and after, as its caller had it read last; null where it did not",
    ),
  decided_by: z.string().nullable(),
  decided_at: time.nullable(),
  reason: z.string().nullable().describe("why, in the operator's words"),
});

export const setAsideOperationSchema = z.object({
  operation_uuid: z.string(),
  handle: z.string().optional().describe("as its caller knows it"),
  state: z.enum(["set_aside", "running"]),
  retry_of: z.string().optional().describe("the uuid of the operation in whose place it goes on"),
  reason: z.string(),
  plan_commit_ref: z.string(),
  commit: z.string(),
  subject: z.string().nullable().describe("who called"),
  started_at: time,
  set_aside_at: time,
  deaths: z.int().describe("processes that ended while they ran it"),
  effects_done: z.int(),
  effects_in_doubt: z.int(),
  program: z.string(),
});

export const setAsideOperationsSchema = z.object({ operations: z.array(setAsideOperationSchema) });

/** `next` is `after` of the next page; `callers` has who has how many waiting, of the whole tenant. */
export const approvalsSchema = z.object({
  approvals: z.array(approvalSchema),
  total: z.int(),
  next: z.string().nullable(),
  callers: z.array(z.object({ subject: z.string().nullable(), waiting: z.int() })),
});

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const known = z.string().nullable();

/** A line of the audit log (OPS-41): `hash` is that of its other members as canonical JSON. */
export const auditLineSchema = z.object({
  n: z.int().describe("its place in the chain, from 1 without gaps"),
  at: time.describe("when it became part of the chain, never earlier than the line before"),
  tenant: z.string(),
  kind: z.enum(AUDIT_KINDS),
  subject: known.describe("who did it"),
  acting_for: known,
  entry_id: known,
  capability: known,
  target: known,
  plan_commit_ref: known,
  commit: known,
  operation_uuid: known,
  request_id: known,
  outcome: known,
  detail: known,
  happened_at: time,
  prev: sha256.describe("hash of the line before"),
  hash: sha256,
});

/** `next` is `after` of the next page: a page may hold few lines, or none, and have a next one. */
export const auditSchema = z.object({
  lines: z.array(auditLineSchema),
  next: z.int().nullable(),
  head: z.object({ n: z.int(), hash: sha256 }).describe("the last line of the whole log"),
  first: z.object({ n: z.int(), prev: sha256 }).describe("the oldest line that is kept"),
});

export const importedSchema = z.object({
  entry_id: z.string(),
  version: z.int(),
  digest: z.string(),
  by: z.string(),
  at: time,
  warnings: z.array(row),
});

export const withdrawnSchema = z.object({
  entry_id: z.string(),
  version: z.int(),
  digest: z.string(),
  by: z.string(),
  at: time,
  sessions: z.enum(["lost", "kept"]).describe("what became of those that have it"),
  on_offer: z
    .object({ version: z.int(), digest: z.string() })
    .nullable()
    .describe("what is on offer of that id now, from a directory"),
});

export const policySetSchema = z.object({
  tenant: z.string(),
  version: z.int(),
  by: z.string(),
  at: time,
});

export const graftIndexSchema = z.object({
  text: z.string().describe("the section with every line"),
  grafts: z.array(
    z.object({
      graft_id: z.string(),
      source: z.string(),
      path: z.string(),
      mime: z.string(),
      abstract: z.string(),
      sha256: z.string(),
      bytes: z.int(),
      revision: z.int(),
    }),
  ),
  _meta: z.object({ plasm: z.object({ grafts: z.looseObject({ count: z.int() }) }) }),
});

const [first = "plasm-internal", ...others] = Object.keys(PROBLEMS);

const programError = z.object({
  code: z.string(),
  message: z.string(),
  span: z.object({ start: z.int(), end: z.int(), line: z.int(), column: z.int() }).nullable(),
  snippet: z.string().nullable(),
  correction: z.string(),
  suggested_program: z.string().nullable(),
  node: z.string().optional(),
  row: z.int().nullable().optional(),
  retryable: z.boolean().optional(),
  request: json.optional(),
  within: json.optional(),
});

/** The error object of every route (SURF-18); `detail` alone suffices for a model. */
export const problemSchema = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  code: z.enum([first, ...others]),
  retryable: z.boolean(),
  detail: z.string(),
  errors: z.array(programError),
  nodes: json.optional(),
  effects: z.array(effectSchema).optional(),
  results: z.array(result).optional(),
  _meta: z.object({ plasm: z.record(z.string(), json) }).optional(),
});

export const documentSchema = z.looseObject({
  openapi: z.literal("3.1.1"),
  info: z.looseObject({ title: z.string(), version: z.string() }),
  paths: z.record(z.string(), json),
});
