/** Collects the values of an option that may be given several times. */
export const appended = (value: string, before: readonly string[]): readonly string[] => [
  ...before,
  value,
];
