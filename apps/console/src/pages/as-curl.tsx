import { type ProgramDraft, sessionBody } from "./program-session.ts";

/** Signs that nobody sees, or that a terminal acts on; a line ending is none. */
const UNSEEN = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2028\u2029]/gu;

/** A text as one word of a shell's line, in which what nobody would see is written as its number. */
export function shellWord(text: string): string {
  const escaped = (sign: string): string => {
    const hex = (sign.codePointAt(0) ?? 0).toString(16).padStart(8, "0");
    return `'$'\\U${hex}''`;
  };
  return `'${text.replaceAll("'", "'\\''").replaceAll(UNSEEN, escaped)}'`;
}

/** What the page sends, for a shell. */
export function AsCurl({ draft }: { draft: ProgramDraft }) {
  const { entity, program } = draft;
  if (program.trim() === "" || entity === "") return null;
  const { origin } = location;
  const lines = [
    `S=$(curl -sS -o /dev/null -w '%{redirect_url}' -H 'content-type: application/json' -d ${shellWord(sessionBody(draft))} ${origin}/execute)`,
    `curl -sS -H 'content-type: text/plain' --data-raw ${shellWord(program)} "$S"`,
  ];
  return (
    <details class="card">
      <summary>As curl</summary>
      <pre tabIndex={0}>{lines.join("\n")}</pre>
      <p class="dim small">Where callers have keys, add -H "x-api-key: $PLASM_API_KEY" to both.</p>
    </details>
  );
}
