import type { Options } from "tsup";

export declare const preset: (overrides?: Options) => Options;
