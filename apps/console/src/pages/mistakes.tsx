import { type Mistake, showable } from "../api.ts";
import type { ProgramDraft } from "./program-session.ts";

interface MistakesProps {
  readonly of: readonly Mistake[];
  readonly draft: ProgramDraft;
  /** null where the server has said what would be right */
  readonly onAsk: (() => void) | null;
  readonly onUse: (program: string, of: ProgramDraft) => void;
  readonly onChange: (more: Partial<ProgramDraft>) => void;
}

/** The entity that a correction asks to be taught; null for another correction, or for another catalog. */
export function untaught(correction: string, { api, entity, also }: ProgramDraft): string | null {
  const [, json] = /plasm_context with the seed (\{[^{}]*\})/.exec(correction) ?? [];
  if (json === undefined) return null;
  try {
    const seed = JSON.parse(json) as Readonly<Partial<Record<"api" | "entity", unknown>>>;
    const isNew = seed.api === api && seed.entity !== entity;
    return isNew && typeof seed.entity === "string" && !also.includes(seed.entity)
      ? seed.entity
      : null;
  } catch {
    return null;
  }
}

/** What is wrong with what is written, where, and what would be right. */
export function Mistakes({ of, draft, onAsk, onUse, onChange }: MistakesProps) {
  if (of.length === 0) return null;
  return (
    <>
      <ul class="mistakes" aria-label="Mistakes">
        {of.map(({ line, message, correction, fix }, n) => (
          <li key={n}>
            <p>
              <span class="dim">Line {line}:</span> <strong>{message}</strong>
            </p>
            {correction === "" ? null : (
              <Correction text={correction} draft={draft} onChange={onChange} />
            )}
            {fix === null ? null : (
              <p class="row">
                <button type="button" onClick={() => onUse(fix, draft)}>
                  Use it
                </button>
                <code>{showable(fix) as string}</code>
              </p>
            )}
          </li>
        ))}
      </ul>
      {onAsk === null ? null : (
        <p class="row">
          <button type="button" onClick={onAsk}>
            What would be right?
          </button>
        </p>
      )}
    </>
  );
}

/** What would be right, in words; what a model would have to call is a button here. */
function Correction({
  text,
  draft,
  onChange,
}: Pick<MistakesProps, "draft" | "onChange"> & { readonly text: string }) {
  const entity = untaught(text, draft);
  return entity === null ? (
    <p>{text}</p>
  ) : (
    <p>
      <button type="button" onClick={() => onChange({ also: [...draft.also, entity] })}>
        Teach {entity}, too
      </button>
    </p>
  );
}
