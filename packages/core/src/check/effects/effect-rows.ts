import type { EntityKey } from "../../federation/entity-key.ts";
import { clip } from "../../text/clip.ts";
import type { Call } from "../../language/ast-steps.ts";
import type { Capability } from "../../schema/capability.ts";
import { type CheckContext, textOf } from "../check-context.ts";
import type { EffectRows, TypedArgs, TypedKey } from "../typed-program.ts";
import { effectType } from "./effect-type.ts";
import { noteEffect } from "./note-effect.ts";

/** A call whose capability changes something. */
export interface EffectCall {
  readonly entity: EntityKey;
  readonly capability: Capability;
  readonly target: TypedKey | null;
  readonly args: TypedArgs;
  readonly carried: readonly string[];
}

/** The rows of an effect (LANG-070). In the body of a `=>` it is the `=>` that is one. */
export function effectRows(context: CheckContext, call: EffectCall, step: Call): EffectRows {
  const { entity, capability, target } = call;
  const written = clip(textOf(context, step.span), 40);
  const row = target === null ? null : entity;
  const rows: EffectRows = {
    kind: "effect",
    stage: context.stage,
    span: step.span,
    type: effectType(context.exposure, entity, capability, row, written),
    ...call,
    nameSpan: step.name.span,
  };
  return context.cursor === null ? noteEffect(context, rows) : rows;
}
