import { nearestName } from "../diagnostics/nearest-name.ts";

/** Says what is wrong with a value of JSON at its place, such as `tenants.acme.force`. */
export type Check = (value: unknown, place: string) => readonly string[];

const FOUND_LENGTH = 60;

/** What was found, cut where it is long. */
function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > FOUND_LENGTH ? `${text.slice(0, FOUND_LENGTH)}…` : text;
}

const fault = (place: string, value: unknown, allowed: string): string =>
  `${place === "" ? "the whole" : place}: found ${shown(value)}, allowed is ${allowed}.`;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const inside = (place: string, name: string): string => (place === "" ? name : `${place}.${name}`);

/** A value that passes, else what is allowed. */
export const when =
  (passes: (value: unknown) => boolean, allowed: string): Check =>
  (value, place) =>
    passes(value) ? [] : [fault(place, value, allowed)];

/** An object with these members at most, each of which may be absent. */
export const objectOf =
  (members: Readonly<Record<string, Check>>, required: readonly string[] = []): Check =>
  (value, place) => {
    const names = Object.keys(members);
    const allowed = `an object with ${names.join(", ")}`;
    if (!isObject(value)) return [fault(place, value, allowed)];
    const absent = required.filter((name) => !Object.hasOwn(value, name));
    const missing = absent.map((name) => `${inside(place, name)} is missing.`);
    const wrong = Object.entries(value).flatMap(([name, given]) => {
      if (Object.hasOwn(members, name)) return members[name]?.(given, inside(place, name)) ?? [];
      const near = nearestName(name, names);
      const guess = near === null ? "" : ` Did you mean ${near}?`;
      return [`${inside(place, name)}: no such member; there are ${names.join(", ")}.${guess}`];
    });
    return [...missing, ...wrong];
  };

/** An object whose names are the author's own. */
export const mapOf =
  (check: Check, allowed: string): Check =>
  (value, place) =>
    isObject(value)
      ? Object.entries(value).flatMap(([name, given]) => check(given, inside(place, name)))
      : [fault(place, value, allowed)];

/** A list of which each item passes. */
export const listOf =
  (check: Check, allowed: string): Check =>
  (value, place) =>
    Array.isArray(value)
      ? value.flatMap((item: unknown, index) => check(item, `${place}[${index}]`))
      : [fault(place, value, allowed)];
