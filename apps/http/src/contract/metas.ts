import { z } from "zod";

const json = z.unknown();
const pair = z.tuple([z.int(), z.int()]);

const wave = z.object({
  n: z.int(),
  mode: z.enum(["open", "expand", "federate"]),
  entry_id: z.string(),
  digest: z.string(),
  entities: z.array(z.string()),
  e: pair,
  m: pair.nullable(),
  p: pair.nullable(),
  parts: z.array(z.string()),
  tokens: z.int(),
  untaught: z.array(json),
  cut: z.array(json).optional(),
  program: z.object({ name: z.string(), version: z.string() }).optional(),
});

/** `_meta.plasm` of an answer that opens or extends a session (SURF-7, SESS-24). */
export const contextMetaSchema = z.object({
  logical_session_id: z.string().nullable(),
  logical_session_ref: z.string().nullable(),
  execute_binding: z.object({ prompt_hash: z.string(), session_id: z.string() }),
  reused: z.boolean(),
  notation: z.enum(["symbols", "names"]),
  read_only: z.literal(true).optional(),
  domain_revision: z.int(),
  resolved_seeds: z
    .array(z.object({ seed: z.string(), api: z.string(), entity: z.string() }))
    .optional(),
  chosen_seeds: z.array(z.object({ api: z.string(), entity: z.string() })).optional(),
  other_seeds: z.array(z.object({ api: z.string(), entity: z.string() })).optional(),
  catalog_entry_ids: z.array(z.string()),
  continuity: z.object({
    stale_binding_recovered: z.boolean(),
    new_symbol_space: z.boolean(),
    discard_cached_plasm_symbols: z.literal(true).optional(),
    previous_execute: z.object({ prompt_hash: z.string(), session_id: z.string() }).optional(),
    reason: z.string().optional(),
  }),
  waves: z.array(wave),
  grafts: z.looseObject({ count: z.int() }),
});

const told = z.object({ code: z.string(), message: z.string(), correction: z.string() });

/** One effect of a run, in order (PLAN-041). */
export const effectSchema = z.object({
  seq: z.int(),
  node: z.string(),
  row: z.int().nullable(),
  catalog: z.string(),
  capability: z.string(),
  target: json,
  args: json,
  idempotency_key: z.string().nullable(),
  status: z.string(),
  started_at: z.iso.datetime().nullable(),
  ended_at: z.iso.datetime().nullable(),
  http_status: z.int().nullable(),
  result: json,
  error: told.nullable(),
});

const reason = z.object({
  code: z.string(),
  severity: z.enum(["expensive", "review", "info"]),
  node: z.string().nullable(),
  detail: z.string(),
  estimate: z.object({ requests: z.int().nullable(), rows: z.int().nullable() }),
});

const readBudget = z.object({ requests: z.int(), rows: z.int() });

const step = z.object({
  return_label: z.string(),
  n: z.int().nullable(),
  run_id: z.string().nullable(),
  artifact_uri: z.string().nullable(),
  content_sha256: z.string().nullable(),
  row_count: z.int(),
  shown: z.int(),
  clipped: z.array(z.string()),
  partial: z.string().nullable(),
  rest: z.string().optional(),
  lacking: z.string().optional(),
  replaces: z.string().optional(),
});

const page = z.object({
  return_label: z.string(),
  next_page_handle: z.string(),
  has_more: z.boolean(),
});

/** `_meta.plasm` of a program's answer: what a plan says (SURF-8), or what a run did (SURF-9). */
export const programMetaSchema = z
  .object({
    dry_run: z.boolean(),
    plan_commit_ref: z.string(),
    plan_commit_expires_at: z.iso.datetime(),
    dry_verdict: z.string(),
    dry_review: z.object({
      expensive: z.boolean(),
      reasons: z.array(reason),
      stops_at: readBudget.optional(),
    }),
    plan: z.looseObject({ version: z.int(), commit: z.string(), returns: z.array(json) }),
    unused_seeds: z.array(z.string()),
    explained: z.array(json),
    commit: z.string(),
    steps: z.array(step),
    paging: z.array(page),
    effects: z.array(effectSchema),
    nodes: z.array(json),
    budget: z.record(z.string(), json),
    stopped_at: readBudget,
    diagnostics: z.array(json),
  })
  .partial();
