/** Text that a spreadsheet would take for a formula is text there, too; wide signs count for some as these do. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
/** Numbers of many digits come as texts, and are none the less numbers. */
const NUMBER = /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i;

/** A value as a cell of a CSV file. */
export function csvCell(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const plain = typeof value === "string" ? value : JSON.stringify(value);
  const text = FORMULA.test(plain) && !NUMBER.test(plain) ? `'${plain}` : plain;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Offers a file to the person who looks at the page. */
export function save(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
