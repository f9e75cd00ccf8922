import { gmail } from "@plasm/gmail";
import type { Plugin } from "@plasm/runtime";

/** The plug-ins that come with the command: `plasm serve` and `plasm catalog validate` know their functions. */
export const builtInPlugins: readonly Plugin[] = Object.freeze([gmail]);
