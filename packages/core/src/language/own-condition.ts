const PATH = String.raw`([A-Za-z_]\w*(?:\.\w+)*)`;
/** A condition on one column as other languages write it, and the form of this one. */
const FORMS: readonly (readonly [RegExp, string])[] = [
  [new RegExp(`^${PATH}\\s+not\\s+in\\s+(.+)$`, "is"), "not{$1 in $2}"],
  [new RegExp(`^${PATH}\\s+is\\s+not\\s+(.+)$`, "is"), "$1!=$2"],
  [new RegExp(`^${PATH}\\s+is\\s+(.+)$`, "is"), "$1=$2"],
  [new RegExp(`^${PATH}\\s+(?:i?like|contains|matches|includes)\\s+(.+)$`, "is"), "$1~$2"],
  [new RegExp(`^${PATH}\\s*(?:===?|:)\\s*(.+)$`, "s"), "$1=$2"],
  [new RegExp(`^${PATH}\\s*(?:!==|<>)\\s*(.+)$`, "s"), "$1!=$2"],
];

/** A condition in the form of this language, if another language's form is told; else as it stands. */
export function ownCondition(text: string): string {
  for (const [pattern, form] of FORMS) {
    if (pattern.test(text)) {
      return text.replace(pattern, form).replace(/=null$/i, "=null");
    }
  }
  return text;
}
