/** A label that occurs nowhere in a program, made from `base`. */
export function freeLabel(text: string, base: string): string {
  const taken = new Set(text.match(/[A-Za-z_][A-Za-z0-9_]*/g) ?? []);
  const lower = base.charAt(0).toLowerCase() + base.slice(1);
  for (let number = 2; ; number++) {
    const label = `${lower}_${number}`;
    if (!taken.has(label)) return label;
  }
}
