import type { Capability, JsonObject } from "@plasm/core";
import { clip, jsonText } from "../json-kinds.ts";
import { type Failure, failure } from "../run-failure.ts";

/** The effect an error speaks of. */
export interface EffectName {
  readonly kind: Capability["kind"];
  readonly label: string;
  readonly entity: string;
  /** identity text, or null */
  readonly target: string | null;
  readonly args: JsonObject;
}

/** An effect as messages name it: `update Boat:b1`, `create Boat`. */
export const effectText = ({ label, entity, target }: EffectName): string =>
  `${label} ${target ?? entity}`;

const SHOWN = 4;

function written(args: JsonObject): string {
  const shown = Object.entries(args).slice(0, SHOWN);
  return shown.map(([name, value]) => `${name}=${clip(jsonText(value), 40)}`).join(", ");
}

/** What to look at to find out whether an effect happened (PLAN-073). */
export function whatToLookAt(effect: EffectName): string {
  const { kind, label, entity, target, args } = effect;
  const names = Object.keys(args).slice(0, SHOWN).join(", ");
  switch (kind) {
    case "create": {
      const with_ = names === "" ? "" : ` with ${written(args)}`;
      return `look whether there is a new ${entity}${with_}`;
    }
    case "delete":
      return `read ${target ?? entity}: if it is gone, it was deleted`;
    case "update":
      return `read ${target ?? entity}${names === "" ? "" : ` and compare ${names}`}`;
    default:
      return `look at ${target ?? entity} for what ${label} does`;
  }
}

/** The failure of an effect of which nobody can tell whether it happened (RUN-150, PLAN-073). */
export function inDoubt(effect: EffectName, why: Failure): Failure {
  return failure(
    "effect_in_doubt",
    `Whether ${effectText(effect)} happened is unknown. ${why.message}`,
    `${whatToLookAt(effect)}; only then repeat what is missing, never the whole program`,
    { request: why.request },
  );
}
