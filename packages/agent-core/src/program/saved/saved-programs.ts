import type { Caller } from "../../identity/caller.ts";
import type { SessionAddress } from "../../session/handles.ts";
import type { OperationDeps } from "../deps.ts";
import { type OpenContext, type OpenedProgram, openSaved } from "./open-saved.ts";
import { importText, savePlan, type SaveRequest } from "./save-plan.ts";
import {
  findSaved,
  listSaved,
  removeSaved,
  type SavedProgramRow,
  type SavedProgramView,
  savedView,
} from "./shelf.ts";

/** Programs that are kept by name (SAV-01 to SAV-07). Each throws Failure. */
export interface SavedPrograms {
  save(caller: Caller, address: SessionAddress, request: SaveRequest): Promise<SavedProgramView>;
  /** saves what a file says, as {@link SavedProgramView}'s `text` has it */
  import(caller: Caller, text: unknown): Promise<SavedProgramView>;
  list(caller: Caller): Promise<readonly SavedProgramRow[]>;
  find(caller: Caller, name: string): Promise<SavedProgramView>;
  remove(caller: Caller, name: string): Promise<SavedProgramRow>;
  /** what a call of it is: the program with the arguments, and the session that it is planned and run in */
  open(caller: Caller, name: string, values: unknown): Promise<OpenedProgram>;
}

/** Saved programs on a store. */
export function savedProgramsIn(deps: OperationDeps, openContext: OpenContext): SavedPrograms {
  return {
    save: (caller, address, request) => savePlan(deps, caller, address, request),
    import: (caller, text) => importText(deps, openContext, caller, text),
    list: (caller) => listSaved(deps, caller),
    find: async (caller, name) => savedView(caller, (await findSaved(deps, caller, name)).value),
    remove: (caller, name) => removeSaved(deps, caller, name),
    open: (caller, name, values) => openSaved(deps, openContext, caller, name, values),
  };
}
