import { capabilitiesCases } from "./cases/capabilities.cases.ts";
import { authCases } from "./cases/auth.cases.ts";
import { domainCases } from "./cases/domain.cases.ts";
import { inputCases } from "./cases/input.cases.ts";
import { preconditionsCases } from "./cases/preconditions.cases.ts";
import { batchCases } from "./cases/batch.cases.ts";
import { countCases } from "./cases/count.cases.ts";
import { listsOnlyCases } from "./cases/lists-only.cases.ts";
import { undoCases } from "./cases/undo.cases.ts";
import { webhookCases } from "./cases/webhooks.cases.ts";
import { sortCases } from "./cases/sort.cases.ts";
import { preflightCases } from "./cases/preflight.cases.ts";
import { evmCases } from "./cases/evm.cases.ts";
import { requestsCases } from "./cases/requests.cases.ts";
import { responsesCases } from "./cases/responses.cases.ts";
import { variablesCases } from "./cases/variables.cases.ts";
import { overlayTemplatesCases } from "./cases/overlay-templates.cases.ts";
import { overlayCases } from "./cases/overlay.cases.ts";
import { entitiesCases } from "./cases/entities.cases.ts";
import { relationsCases } from "./cases/relations.cases.ts";
import { valuesCases } from "./cases/values.cases.ts";
import { viewTemplatesCases } from "./cases/view-templates.cases.ts";
import { viewsCases } from "./cases/views.cases.ts";
import type { BrokenCase } from "./broken-case.ts";
import { filesCases } from "./cases/files.cases.ts";

/** Every broken catalog, in the order of the formats' sections. */
export const brokenCases: readonly BrokenCase[] = [
  ...filesCases,
  ...domainCases,
  ...valuesCases,
  ...entitiesCases,
  ...relationsCases,
  ...capabilitiesCases,
  ...inputCases,
  ...authCases,
  ...viewsCases,
  ...viewTemplatesCases,
  ...preflightCases,
  ...preconditionsCases,
  ...sortCases,
  ...countCases,
  ...listsOnlyCases,
  ...batchCases,
  ...undoCases,
  ...webhookCases,
  ...overlayCases,
  ...overlayTemplatesCases,
  ...variablesCases,
  ...requestsCases,
  ...responsesCases,
  ...evmCases,
];
