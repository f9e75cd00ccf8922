import { visible } from "@plasm/core";
import type { RunResult } from "@plasm/runtime";

/** Code points of a diagnostic that a text repeats. */
const MOST = 240;

function onOneLine(detail: string): string {
  const text = [...visible(detail.replace(/[\s\u0085]+/g, " ").trim())];
  return text.length <= MOST ? text.join("") : `${text.slice(0, MOST - 1).join("")}…`;
}

/**
 * What the diagnostic that makes a result partial says, on one line (RUN-003, SURF-5); null where a
 * budget or a cancel cut it, of which the head has all there is to say.
 */
export function lackingOf({ partial, diagnostics }: RunResult): string | null {
  const said = diagnostics.find(({ code }) => code === partial);
  if (said === undefined) return null;
  const row = said.row === undefined ? "" : ` at row ${said.row}`;
  const more = said.count > 1 ? `, ${said.count} in all` : "";
  return `${said.code}${row}${more}: ${onOneLine(said.detail)}`;
}
