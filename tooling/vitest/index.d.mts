import type { UserConfig } from "vitest/config";

export declare const preset: (test?: UserConfig["test"]) => UserConfig;
