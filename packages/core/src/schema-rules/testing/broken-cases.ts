import { capabilitiesCases } from "../capabilities/capabilities.cases.ts";
import { authCases } from "../domain/auth.cases.ts";
import { domainCases } from "../domain/domain.cases.ts";
import { inputCases } from "../input/input.cases.ts";
import { preflightCases } from "../input/preflight.cases.ts";
import { evmCases } from "../mappings/evm.cases.ts";
import { requestsCases } from "../mappings/requests.cases.ts";
import { responsesCases } from "../mappings/responses.cases.ts";
import { variablesCases } from "../mappings/variables.cases.ts";
import { overlayTemplatesCases } from "../overlay/overlay-templates.cases.ts";
import { overlayCases } from "../overlay/overlay.cases.ts";
import { entitiesCases } from "../values/entities.cases.ts";
import { relationsCases } from "../values/relations.cases.ts";
import { valuesCases } from "../values/values.cases.ts";
import { viewTemplatesCases } from "../views/view-templates.cases.ts";
import { viewsCases } from "../views/views.cases.ts";
import type { BrokenCase } from "./broken-case.ts";
import { filesCases } from "./files.cases.ts";

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
  ...overlayCases,
  ...overlayTemplatesCases,
  ...variablesCases,
  ...requestsCases,
  ...responsesCases,
  ...evmCases,
];
