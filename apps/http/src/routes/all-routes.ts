import { approvalList, approve, reject } from "./approvals.ts";
import { context } from "./context.ts";
import { discover } from "./discover.ts";
import { health } from "./health.ts";
import { open } from "./open.ts";
import { operation, operationStream } from "./operations.ts";
import { program } from "./program.ts";
import { registryEntry, registryList } from "./registry.ts";
import type { Route } from "./route.ts";
import { session } from "./session.ts";

/** Every route, in the order of SURF-16's table. */
export const ROUTES: readonly Route[] = Object.freeze([
  health,
  registryList,
  registryEntry,
  discover,
  open,
  session,
  context,
  program,
  operation,
  operationStream,
  approvalList,
  approve,
  reject,
]);
