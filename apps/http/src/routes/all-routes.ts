import { accountList, accountRevoke, accountShare, accountSignIn } from "./accounts.ts";
import { auditLog } from "./audit.ts";
import { trace, traceList, traceStream } from "./traces.ts";
import {
  approval,
  approvalList,
  approve,
  reject,
  retrySetAside,
  setAsideList,
} from "./approvals.ts";
import { context, open, session, status, symbols } from "./session.ts";
import { discoverRoute, registryEntryRoute, registryList } from "./registry.ts";
import { graft, graftAttach, graftList } from "./grafts.ts";
import { authStatus, health, ready, whoami } from "./about.ts";
import { artifact, numberedSnapshot, operation, operationStream, runs } from "./runs.ts";
import { importCatalog, metricsRoute, putPolicy, withdrawCatalogRoute } from "./administration.ts";
import { operationCancel, operationList, operationOfTenant } from "./operations.ts";
import { program } from "./program.ts";
import { catalogSettings, settings } from "./settings.ts";
import { savedList, savedProgram, savedRemove, savedRun, savedSave } from "./programs.ts";
import {
  schedule,
  scheduleCreate,
  scheduleEvents,
  scheduleList,
  schedulePause,
  scheduleRemove,
  scheduleResume,
  webhookTold,
} from "./schedules.ts";
import type { Route } from "./route.ts";

/** Every route: those of SURF-16's table in its order, then this server's own. */
export const ROUTES: readonly Route[] = Object.freeze([
  health,
  ready,
  authStatus,
  whoami,
  registryList,
  registryEntryRoute,
  discoverRoute,
  open,
  session,
  context,
  program,
  symbols,
  status,
  runs,
  artifact,
  numberedSnapshot,
  operation,
  operationStream,
  graftList,
  graftAttach,
  graft,
  traceList,
  trace,
  traceStream,
  approvalList,
  approval,
  approve,
  reject,
  auditLog,
  settings,
  catalogSettings,
  importCatalog,
  putPolicy,
  withdrawCatalogRoute,
  savedList,
  savedSave,
  savedProgram,
  savedRemove,
  savedRun,
  scheduleList,
  scheduleCreate,
  schedule,
  scheduleEvents,
  schedulePause,
  scheduleResume,
  scheduleRemove,
  webhookTold,
  operationList,
  setAsideList,
  operationOfTenant,
  operationCancel,
  retrySetAside,
  metricsRoute,
  accountList,
  accountSignIn,
  accountShare,
  accountRevoke,
]);
