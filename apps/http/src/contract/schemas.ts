import type { z } from "zod";
import * as answers from "./answers.ts";
import * as bodies from "./bodies.ts";
import { contextMetaSchema, effectSchema, programMetaSchema } from "./metas.ts";

/** Every schema that the document names. A route that takes or gives something new adds a line here. */
export const SCHEMAS = Object.freeze({
  Approval: answers.approvalSchema,
  Approvals: answers.approvalsSchema,
  Audit: answers.auditSchema,
  AuditLine: answers.auditLineSchema,
  AuthStatus: answers.authStatusSchema,
  CatalogBody: bodies.catalogBody,
  ContextBody: bodies.contextBody,
  ContextMeta: contextMetaSchema,
  DecisionBody: bodies.decisionBody,
  DiscoverBody: bodies.discoverBody,
  Document: answers.documentSchema,
  Discovered: answers.discoveredSchema,
  Effect: effectSchema,
  Extended: answers.extendedSchema,
  GraftIndex: answers.graftIndexSchema,
  GraftsBody: bodies.graftsBody,
  Health: answers.healthSchema,
  SetAsideOperation: answers.setAsideOperationSchema,
  SetAsideOperations: answers.setAsideOperationsSchema,
  Imported: answers.importedSchema,
  NoArguments: bodies.noArguments,
  OpenBody: bodies.openBody,
  Opened: answers.openedSchema,
  Operation: answers.operationSchema,
  PolicyBody: bodies.policyBody,
  PolicySet: answers.policySetSchema,
  Problem: answers.problemSchema,
  ProgramAnswer: answers.programAnswerSchema,
  ProgramBody: bodies.programBody,
  ProgramLine: answers.programLineSchema,
  ProgramMeta: programMetaSchema,
  Registry: answers.registrySchema,
  RegistryEntry: answers.registryEntrySchema,
  Runs: answers.runsSchema,
  Session: answers.sessionSchema,
  Snapshot: answers.snapshotSchema,
  Status: answers.statusSchema,
  Symbols: answers.symbolsSchema,
  Trace: answers.traceSchema,
  Traces: answers.tracesSchema,
  Whoami: answers.whoamiSchema,
  Withdrawn: answers.withdrawnSchema,
} satisfies Readonly<Record<string, z.ZodType>>);

export type SchemaName = keyof typeof SCHEMAS;
