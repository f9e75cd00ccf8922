/**
 * The name of the deployment's setting that overrides a catalog's backend (RUN-004, CAT-021):
 * `PLASM_BACKEND_` and the entry id in capitals, punctuation as `_`.
 */
export function backendSetting(entryId: string): string {
  return `PLASM_BACKEND_${entryId.toUpperCase().replaceAll(/[^A-Z0-9]/g, "_")}`;
}
