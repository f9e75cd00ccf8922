import type { Command } from "commander";
import { DATA_OPTION } from "../serve/data-option.ts";

/** Adds the options that say where credentials are, and whose. */
export const withOwnerOptions = (command: Command): Command =>
  command
    .option(...DATA_OPTION)
    .option("--tenant <tenant>", "for the callers of one tenant, not for all")
    .option("--principal <user>", "for one user of the tenant, where calls use the user's own");
