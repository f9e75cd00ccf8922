const PLACES = 30;

/** A plain decimal in units of the last of so many places. */
function units(value: number | string): bigint {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(String(value));
  if (match === null) throw new Error(`${value} is no plain decimal`);
  const [, sign = "", whole = "", fraction = ""] = match;
  return BigInt(`${sign}${whole}${fraction.padEnd(PLACES, "0")}`);
}

/** The exact sum of plain decimals, as answers show it: a number where a double holds it, else text. */
export function exactSum(values: readonly (number | string)[]): number | string {
  const sum = values.reduce((all, value) => all + units(value), 0n);
  const digits = String(sum < 0n ? -sum : sum).padStart(PLACES + 1, "0");
  const fraction = digits.slice(-PLACES).replace(/0+$/, "");
  const text = `${sum < 0n ? "-" : ""}${digits.slice(0, -PLACES)}${fraction && `.${fraction}`}`;
  return String(Number(text)) === text ? Number(text) : text;
}
