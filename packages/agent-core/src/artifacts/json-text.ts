import { visible } from "@plasm/core";

/** JSON as a resource has it: the same JSON, in which no character acts on what shows it (SURF-13). */
export const jsonText = (value: unknown): string => visible(JSON.stringify(value));
