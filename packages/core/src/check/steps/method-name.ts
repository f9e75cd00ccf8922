import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { diagnose, diagnoseLater } from "../../diagnostics/messages.ts";
import { nameMessages } from "../../diagnostics/name-messages.ts";
import { nearestName } from "../../diagnostics/nearest-name.ts";
import type { EntityKey } from "../../federation/entity-key.ts";
import { sameEntity } from "../../federation/entity-of.ts";
import type { Call } from "../../language/ast-steps.ts";
import { usableCapabilities } from "../access.ts";
import type { CheckContext } from "../check-context.ts";
import { nameMeaning } from "../names/symbol-name.ts";
import { symbolProblem } from "../names/symbol-problem.ts";
import { speakerLike } from "../names/speaker.ts";
import { stepNames } from "../names/step-names.ts";
import { navigation } from "../relations/relation-reading.ts";
import { operatorEdits } from "./operator-edit.ts";
import { operatorForm } from "./operator-forms.ts";

/** The label a call names on an entity, or null if it can name none: another entity's symbol, a field. */
export function methodLabel(context: CheckContext, key: EntityKey, step: Call): string | null {
  const meaning = nameMeaning(context.exposure.symbols, step.name.text);
  switch (meaning.kind) {
    case "name":
      return meaning.symbolic ? null : meaning.text;
    case "unallocated":
      return meaning.text;
    case "method":
      return sameEntity(meaning.key, key) ? meaning.key.label : null;
    case "entity":
      return null;
  }
}

/** Says what a called name is, if it is no method of the entity (LANG-024). */
export function unknownMethod(context: CheckContext, key: EntityKey, step: Call): Diagnostic {
  const { name } = step;
  const { symbols } = context.exposure;
  const meaning = nameMeaning(symbols, name.text);
  if (meaning.kind === "entity" || meaning.kind === "unallocated") {
    return symbolProblem(context, name, "m");
  }
  const speaker = speakerLike(context.exposure, name.text);
  const receiver = speaker.entity(key);
  const wire = meaning.kind === "name" ? meaning.text : name.text;
  const relation = meaning.kind === "name" && navigation(context, key, wire) !== null;
  if (relation) {
    const edits =
      step.args.length > 0 ? undefined : [{ span: step.span, replacement: `.${name.text}` }];
    const args = { name: name.text, receiver };
    return diagnose(nameMessages.methodIsRelation, name.span, args, edits);
  }
  const form = operatorForm(name.text);
  if (form !== undefined) {
    const args = { name: name.text, operator: form };
    return diagnose(nameMessages.methodIsOperator, name.span, args, operatorEdits(context, step));
  }
  return diagnoseLater(nameMessages.unknownMethod, name.span, () => {
    const labels = usableCapabilities(context, key).map(({ label }) => label);
    const near = nearestName(wire, labels);
    const args = {
      name: name.text,
      receiver,
      nearest: near === null ? "" : `use ${speaker.methodCode(key, near)}. `,
      methods: stepNames(context, key, speaker, wire),
    };
    const edits =
      near === null ? undefined : [{ span: name.span, replacement: speaker.methodCode(key, near) }];
    return diagnose(nameMessages.unknownMethod, name.span, args, edits);
  });
}
