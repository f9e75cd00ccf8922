/** The member if there is a value, else nothing: for spreading into exact optional properties. */
export function given<const K extends string, V>(
  key: K,
  value: V | undefined,
): { readonly [P in K]?: V } {
  return (value === undefined ? {} : { [key]: value }) as { readonly [P in K]?: V };
}

/** A map with the same keys and other values. */
export function mapValues<V, W>(
  map: ReadonlyMap<string, V>,
  change: (value: V, key: string) => W,
): ReadonlyMap<string, W> {
  return new Map([...map].map(([key, value]) => [key, change(value, key)]));
}
