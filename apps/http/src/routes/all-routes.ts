import { trace, traceList, traceStream } from "./traces.ts";
import { approvalList, approve, reject, retrySetAside, setAsideList } from "./approvals.ts";
import { context } from "./context.ts";
import { discover } from "./discover.ts";
import { graft, graftAttach, graftList } from "./grafts.ts";
import { health } from "./health.ts";
import { authStatus, whoami } from "./identity.ts";
import { open } from "./open.ts";
import { operation, operationStream } from "./operations.ts";
import { importCatalog, withdrawCatalog } from "./imports.ts";
import { putPolicy } from "./policies.ts";
import { program } from "./program.ts";
import { registryEntry, registryList } from "./registry.ts";
import type { Route } from "./route.ts";
import { artifact, numbered, runs } from "./runs.ts";
import { session, status, symbols } from "./session.ts";

/** Every route: those of SURF-16's table in its order, then this server's own. */
export const ROUTES: readonly Route[] = Object.freeze([
  health,
  authStatus,
  whoami,
  registryList,
  registryEntry,
  discover,
  open,
  session,
  context,
  program,
  symbols,
  status,
  runs,
  artifact,
  numbered,
  operation,
  operationStream,
  graftList,
  graftAttach,
  graft,
  traceList,
  trace,
  traceStream,
  approvalList,
  approve,
  reject,
  importCatalog,
  putPolicy,
  withdrawCatalog,
  setAsideList,
  retrySetAside,
]);
