import type { Json } from "../values/value-type.ts";
import { scalarText } from "./evaluate-path.ts";
import type { NumberedMember } from "./template.ts";

/** How members are written, by their path: `Tags`, `Tags/Values`. */
export type NumberedMembers = ReadonlyMap<string, NumberedMember>;

type Pairs = readonly (readonly [string, string])[];

/** What a list's items are called whose mapping does not say it. */
const ITEM = "member";

const wireName = (said: NumberedMember | undefined, name: string): string =>
  said?.name ?? (said?.flat === true ? (said.list ?? name) : name);

/**
 * A member of a query with dots and numbers (MAP-026): `Tags.member.1.Key=a`, `Item.1.Name=b`, `Names.entry.1.key=c`. Null
 * where it holds null, which no query can say.
 */
export const numberedPairs = (members: NumberedMembers, key: string, value: Json): Pairs | null =>
  pairsOf(members, { wire: wireName(members.get(key), key), path: key }, value);

interface Place {
  readonly wire: string;
  readonly path: string;
}

function pairsOf(members: NumberedMembers, { wire, path }: Place, value: Json): Pairs | null {
  const text = scalarText(value);
  if (text !== undefined) return [[wire, text]];
  if (value === null) return null;
  const said = members.get(path);
  if (Array.isArray(value)) {
    const each = said?.flat === true ? wire : `${wire}.${said?.list ?? ITEM}`;
    const items = value as readonly Json[];
    return all(
      items.map((item, at) => pairsOf(members, { wire: `${each}.${at + 1}`, path }, item)),
    );
  }
  const entries = Object.entries(value) as (readonly [string, Json])[];
  if (said?.map !== undefined) {
    return all(
      entries.map(([name, item], at) => {
        const entry = `${wire}.${said.map}.${at + 1}`;
        const held = pairsOf(members, { wire: `${entry}.value`, path }, item);
        return held === null ? null : [[`${entry}.key`, name] as const, ...held];
      }),
    );
  }
  return all(
    entries.map(([name, item]) => {
      const below = `${path}/${name}`;
      return pairsOf(
        members,
        { wire: `${wire}.${wireName(members.get(below), name)}`, path: below },
        item,
      );
    }),
  );
}

const all = (parts: readonly (Pairs | null)[]): Pairs | null =>
  parts.includes(null) ? null : parts.flatMap((one) => one ?? []);
