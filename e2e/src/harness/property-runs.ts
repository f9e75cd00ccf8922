/** How often a property is tried: as often as asked for by PLASM_PROPERTY_RUNS, else `normal` times. */
export function propertyRuns(normal: number): number {
  const asked = Number(process.env["PLASM_PROPERTY_RUNS"] ?? normal);
  if (!Number.isSafeInteger(asked) || asked < 1) {
    throw new Error("PLASM_PROPERTY_RUNS is a whole number from 1");
  }
  return asked;
}
