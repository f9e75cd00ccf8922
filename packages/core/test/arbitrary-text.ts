import fc from "fast-check";

const points = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0x20, max: 0x7e }) },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 0x24f }) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 0xffff }) },
  { weight: 1, arbitrary: fc.integer({ min: 0x10000, max: 0x10ffff }) },
  // What ends lines, what shows nothing, what turns text around, what joins signs into one.
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      0x09,
      0x0a,
      0x0d,
      0x85,
      0x2028,
      0x200b,
      0xfeff,
      0x202e,
      0x200d,
      0x301,
      0x1f469,
      0xd800,
    ),
  },
);

/** Any text: code points of all planes, lone surrogates, many of them ASCII. */
export const arbitraryText: fc.Arbitrary<string> = fc
  .array(points, { maxLength: 12 })
  .map((all) => String.fromCodePoint(...all));

const scalars = points.filter((point) => point < 0xd800 || point > 0xdfff);

/** Any well-formed text. Cheaper than fast-check's `unit: "binary"`, which takes a second to begin with. */
export const wellFormedText = (constraints: { readonly maxLength?: number } = {}) =>
  fc.string({ ...constraints, unit: scalars.map((point) => String.fromCodePoint(point)) });
