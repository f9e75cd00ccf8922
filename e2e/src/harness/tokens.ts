import { encode } from "gpt-tokenizer/encoding/o200k_base";

/** o200k tokens of a text: what budgets are counted in (TEACH-41). */
export const tokens = (text: string): number => encode(text).length;
