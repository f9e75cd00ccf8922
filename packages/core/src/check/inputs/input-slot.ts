import type { Value } from "../../language/ast-values.ts";
import type { InputType } from "../../schema/input.ts";
import type { CheckContext } from "../check-context.ts";
import type { ValueReading } from "../values/value-reading.ts";

/** Where an argument, or a part of one, stands. */
export interface InputSlot {
  /** the slot as the program writes it, for errors */
  readonly shown: string;
  readonly entryId: string;
  readonly input: InputType;
  /** whether explicit null is legal (LANG-042) */
  readonly nullable: boolean;
  /** whether it may be left out instead */
  readonly omittable: boolean;
  /** whether its capability's rules leave null to optional members (LANG-042) */
  readonly nullableMembers: boolean;
  /** a wire name in the notation of the call */
  code(wire: string): string;
}

/** Reads the parts of an argument; passed down so that the readers form no cycle. */
export type ReadInput = (context: CheckContext, value: Value, slot: InputSlot) => ValueReading;
