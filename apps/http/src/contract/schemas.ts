import type { z } from "zod";
import * as answers from "./answers.ts";
import * as bodies from "./bodies.ts";
import { contextMeta, effect, programMeta } from "./metas.ts";

/** Every schema that the document names. A route that takes or gives something new adds a line here. */
export const SCHEMAS = Object.freeze({
  Approval: answers.approval,
  Approvals: answers.approvals,
  AuthStatus: answers.authStatus,
  CatalogBody: bodies.catalogBody,
  ContextBody: bodies.contextBody,
  ContextMeta: contextMeta,
  DiscoverBody: bodies.discoverBody,
  Document: answers.document,
  Discovered: answers.discovered,
  Effect: effect,
  Extended: answers.extended,
  GraftIndex: answers.graftIndex,
  GraftsBody: bodies.graftsBody,
  Health: answers.health,
  SetAsideOperation: answers.setAsideOperation,
  SetAsideOperations: answers.setAsideOperations,
  Imported: answers.imported,
  NoArguments: bodies.noArguments,
  OpenBody: bodies.openBody,
  Opened: answers.opened,
  Operation: answers.operation,
  PolicyBody: bodies.policyBody,
  PolicySet: answers.policySet,
  Problem: answers.problem,
  ProgramAnswer: answers.programAnswer,
  ProgramBody: bodies.programBody,
  ProgramLine: answers.programLine,
  ProgramMeta: programMeta,
  Registry: answers.registry,
  RegistryEntry: answers.registryEntry,
  Runs: answers.runs,
  Session: answers.session,
  Snapshot: answers.snapshot,
  Status: answers.status,
  Symbols: answers.symbols,
  Trace: answers.trace,
  Traces: answers.traces,
  Whoami: answers.whoami,
  Withdrawn: answers.withdrawn,
} satisfies Readonly<Record<string, z.ZodType>>);

export type SchemaName = keyof typeof SCHEMAS;
