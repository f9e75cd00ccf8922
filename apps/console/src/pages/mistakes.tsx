import { type Mistake, showable } from "../api.ts";
import type { ProgramDraft, TaughtSeed } from "./program-session.ts";

interface MistakesProps {
  readonly of: readonly Mistake[];
  readonly draft: ProgramDraft;
  /** null where the server has said what would be right */
  readonly onAsk: (() => void) | null;
  readonly onUse: (program: string, of: ProgramDraft) => void;
  readonly onChange: (more: Partial<ProgramDraft>) => void;
}

/** What a correction asks to be taught; null for another correction, and for what is taught already. */
export function untaught(
  correction: string,
  { api, entity, also }: ProgramDraft,
): TaughtSeed | null {
  const [, json] = /plasm_context with the seed (\{[^{}]*\})/.exec(correction) ?? [];
  if (json === undefined) return null;
  try {
    const seed = JSON.parse(json) as Readonly<Partial<Record<keyof TaughtSeed, unknown>>>;
    if (typeof seed.api !== "string" || typeof seed.entity !== "string") return null;
    const found = { api: seed.api, entity: seed.entity };
    return [{ api, entity }, ...also].some((one) => isSameSeed(one, found)) ? null : found;
  } catch {
    return null;
  }
}

export const isSameSeed = (one: TaughtSeed, other: TaughtSeed): boolean =>
  one.api === other.api && one.entity === other.entity;

/** What is taught, as its buttons name it: with its catalog where that is another than the program begins with. */
export const seedName = ({ api, entity }: TaughtSeed, own: string): string =>
  api === own ? entity : `${entity} of ${api === "s" ? "saved programs" : api}`;

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
  const seed = untaught(text, draft);
  return seed === null ? (
    <p>{text}</p>
  ) : (
    <p>
      <button type="button" onClick={() => onChange({ also: [...draft.also, seed] })}>
        Teach {seedName(seed, draft.api)}, too
      </button>
    </p>
  );
}
