import manifest from "../package.json" with { type: "json" };

/** The version of this package, as releases set it. */
export const CLI_VERSION: string = manifest.version;
