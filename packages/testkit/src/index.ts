export { kiteCatalog, kiteMapping, type KiteParts } from "./catalogs/kite-catalog.ts";
export { berthsCatalog } from "./catalogs/berths-catalog.ts";
export type { CatalogPatch, MarkedPlace, PatchedCatalog } from "./catalogs/patched-catalog.ts";
export { patchedCatalog } from "./catalogs/patched-catalog.ts";
export type { FixtureCatalog, FixtureCatalogName } from "./catalogs/fixture-catalog.ts";
export {
  fixtureCatalogDir,
  fixtureCatalogNames,
  fixtureCatalogsDir,
  readFixtureCatalog,
} from "./catalogs/fixture-catalog.ts";
export type { Ending, HabitProgram } from "./corpus/habits.ts";
export { habitPrograms } from "./corpus/habits.ts";
export type { DiscoveryIntent, IntentKind, IntentList } from "./corpus/intents.ts";
export { discoveryIntents, intentLists, isHit } from "./corpus/intents.ts";
export { isAnyText, suiteTexts } from "./corpus/suite-texts.ts";
export { arbitraryDocument } from "./property/arbitrary-document.ts";
export type { ModelProgram, ModelSession } from "./corpus/models.ts";
export { modelPrograms, modelSessions } from "./corpus/models.ts";
export { type BoundedParts, boundedProperty } from "./property/bounded-property.ts";
export type { Checked } from "./property/check-property.ts";
export { assertProperty, checkProperty } from "./property/check-property.ts";
export { arbitraryGrownText } from "./property/grown-text.ts";
export { slowTexts } from "./property/growth.ts";
export { leastCpu } from "./property/least-cpu.ts";
export type { ManyTried, OpenProperty, Property, PropertyParts } from "./property/property.ts";
export { pureProperty, servedProperty } from "./property/property.ts";
export { serveTrials, type TrialSaid } from "./property/serve-trials.ts";
export type { Leak } from "./secrets/find-secrets.ts";
export { findSecrets } from "./secrets/find-secrets.ts";
export type { Answer } from "./faults/answer.ts";
export { jsonAnswer, textAnswer } from "./faults/answer.ts";
export type { Fault, FaultPlace, FaultRule } from "./faults/fault.ts";
export {
  badUtf8,
  drip,
  ERRORS_BODY,
  gzipBomb,
  htmlPage,
  hugeBody,
  jsonCalled,
  pages,
  redirectTo,
  refusal,
  RESET,
  resetInBody,
  SILENCE,
  tooManyRequests,
  TRUNCATED_JSON,
} from "./faults/named-faults.ts";
export type { Received } from "./faults/received.ts";
export { requestText } from "./faults/received.ts";
export type { Behind, FaultProxy } from "./faults/start-fault-proxy.ts";
export { type OutageProxy, startOutageProxy } from "./faults/outage-proxy.ts";
export { startFaultProxy, startWitness } from "./faults/start-fault-proxy.ts";
export {
  ALONE_CELLS,
  cellName,
  GATE_CELLS,
  type CellForce,
  type CellGiven,
  type CellLevel,
  type CellOutcome,
  type GateCell,
} from "./gate/gate-cells.ts";
export {
  MODE_CELLS,
  MODE_PLANS,
  modeName,
  waitOf,
  type CellWait,
  type ModeCell,
  type ModePlan,
} from "./gate/mode-cells.ts";
export {
  ARGUMENT_CELLS,
  argumentName,
  type ArgumentCell,
  type ArgumentOutcome,
  type CellArguments,
  type CellPlace,
} from "./gate/argument-cells.ts";
export { actingIn, halfPairsIn } from "./hostile/acting.ts";
export { eachEffect } from "./hostile/each-effect.ts";
export { hostileBoat } from "./hostile/hostile-boat.ts";
export { HOSTILE_KEYS } from "./hostile/hostile-keys.ts";
export type { HostileText } from "./hostile/hostile-texts.ts";
export { HOSTILE_PIECES, HOSTILE_TEXTS } from "./hostile/hostile-texts.ts";
export type { ReadAnswer, ReadResult } from "./hostile/read-answer.ts";
export { readAnswer } from "./hostile/read-answer.ts";
export type { ReadWave } from "./hostile/read-table.ts";
export { readTables } from "./hostile/read-table.ts";
export { type RowProgram, RowFiller } from "./taught/fill-row.ts";
export { readTaught, type TaughtCode, type TaughtText } from "./taught/read-taught.ts";
export {
  type RowClaim,
  type Sweep,
  type SweptPlan,
  type SweptProgram,
  type SweptSession,
  sweepRows,
} from "./taught/sweep-rows.ts";
