import type { Template } from "./template.ts";

/** Whether a list goes on after its first response; log queries always do (MAP-054). */
export function isPaged(template: Template): boolean {
  switch (template.transport) {
    case "evm_logs":
      return true;
    case "http":
    case "graphql":
      return template.pagination !== undefined;
    case "evm_call":
    case "view":
      return false;
  }
}
