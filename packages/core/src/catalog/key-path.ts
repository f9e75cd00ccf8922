/** Where something stands in a file: map keys and list positions from the root. */
export type KeyPath = readonly (string | number)[];

/** A key path as diagnostics show it: `capabilities.a.parameters[0].name`. */
export function keyPathText(path: KeyPath): string {
  let text = "";
  for (const step of path) {
    if (typeof step === "number") text += `[${step}]`;
    else if (/[\s.[\]]/.test(step) || step === "") text += `[${JSON.stringify(step)}]`;
    else text += text === "" ? step : `.${step}`;
  }
  return text;
}
