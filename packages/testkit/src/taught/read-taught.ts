import { readTables } from "../hostile/read-table.ts";
import { type PrintedType, readType } from "./printed-type.ts";

/** A row of code with what its Meaning says of it. */
export interface TaughtCode {
  /** number of its wave, from 1 */
  readonly wave: number;
  readonly left: string;
  /** `[e1]`, `e1`, `()` or `{…}` */
  readonly result: string;
  /** the wire name in the Meaning, if it has one */
  readonly name: string;
  /** what may be given besides: `p4`, or `p3.p5` for a member of what the row shows */
  readonly opt: readonly string[];
  /** types of this row alone, by the path of their slot */
  readonly here: ReadonlyMap<string, PrintedType>;
  /** what the arguments have to satisfy beyond their types */
  readonly rules: readonly string[];
}

/** All that the text of a session says, read by whoever knows the text and nothing else. */
export interface TaughtText {
  /** what rows call an entity → its name */
  readonly entities: ReadonlyMap<string, string>;
  readonly rows: readonly TaughtCode[];
  /** slot → its type wherever nothing else is said */
  readonly everywhere: ReadonlyMap<string, PrintedType>;
  /** a place and a slot (`e1{} p8`, `m4 p8`, `e1 p8`) → its types there */
  readonly there: ReadonlyMap<string, readonly PrintedType[]>;
}

const PLACES = /^((?:[A-Za-z_]\w*(?:\{\}|\.[A-Za-z_][\w-]*)?(?:, |(?=:)))+): /;

/** The text before the first ` · ` that is not within quotes, and the rest. */
function parted(text: string): readonly [string, string] {
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    if (quoted && text[at] === "\\") at += 1;
    else if (text[at] === '"') quoted = !quoted;
    else if (!quoted && text.startsWith(" · ", at)) return [text.slice(0, at), text.slice(at + 3)];
  }
  return [text, ""];
}

function entitiesIn(heading: string): readonly (readonly [string, string])[] {
  const list = heading.slice(heading.indexOf(": ") + 2);
  return list.split(", ").map((each) => {
    const [spelled = "", name = spelled] = each.split(" ");
    return [spelled, name];
  });
}

/** Reads the waves of a session as an agent does: headings, slots with their types, rows of code (TEACH-12 to TEACH-28). */
export function readTaught(text: string): TaughtText {
  const entities = new Map<string, string>();
  const everywhere = new Map<string, PrintedType>();
  const there = new Map<string, readonly PrintedType[]>();
  const rows: TaughtCode[] = [];
  const isEntity = (name: string): boolean => entities.has(name);
  for (const [at, wave] of readTables(text).entries()) {
    for (const [spelled, name] of entitiesIn(wave.heading)) entities.set(spelled, name);
    const fresh = new Map<string, PrintedType[]>();
    for (const [left, meaning] of wave.rows) {
      if (/ · no reads(?: · |$)|^no reads(?: · |$)/.test(meaning) && isEntity(left)) continue;
      if (/^[A-Za-z_]\w*$/.test(left) && !(isEntity(left) && isOfItself(left, meaning))) {
        const said = PLACES.exec(meaning)?.[1] ?? "";
        const places = said.split(", ");
        if (places.every((place) => isPlace(place, isEntity))) {
          const { type } = readType(meaning.slice(said.length + 2), isEntity);
          for (const place of places) {
            const id = `${place} ${left}`;
            fresh.set(id, [...(fresh.get(id) ?? []), type]);
            there.set(id, fresh.get(id) ?? []);
          }
        } else everywhere.set(left, slotType(left, meaning, isEntity));
      } else rows.push(readCode(at + 1, left, meaning, isEntity));
    }
  }
  return { entities, rows, everywhere, there };
}

/** Whether a row that is a bare name is code: a slot may be called like an entity, and then has another type. */
function isOfItself(entity: string, meaning: string): boolean {
  const [result = ""] = meaning.split(" ");
  return [`[${entity}]`, entity, "()", "{…}"].includes(result);
}

function isPlace(place: string, isEntity: (name: string) => boolean): boolean {
  const [head = ""] = place.split(/[{.]/);
  return isEntity(head) || /^m\d+$/.test(place);
}

/** `name type`, or in names, where the cell has the name already, `type`. */
function slotType(left: string, meaning: string, isEntity: (name: string) => boolean): PrintedType {
  const [said] = parted(meaning);
  const whole = attempt(said, isEntity);
  if (whole !== null && !/^p\d+$/.test(left)) return whole;
  const blank = said.indexOf(" ");
  const type = attempt(said.slice(blank + 1), isEntity);
  if (blank < 0 || type === null) throw new Error(`${left}: no type in ${JSON.stringify(meaning)}`);
  return type;
}

function attempt(text: string, isEntity: (name: string) => boolean): PrintedType | null {
  try {
    const { type, length } = readType(text, isEntity);
    return length === text.length ? type : null;
  } catch {
    return null;
  }
}

function readCode(
  wave: number,
  left: string,
  meaning: string,
  isEntity: (name: string) => boolean,
): TaughtCode {
  let [said, rest] = parted(meaning);
  const [result = "", name = ""] = said.split(" ");
  const opt: string[] = [];
  const here = new Map<string, PrintedType>();
  if (rest.startsWith("opt ")) {
    [said, rest] = parted(rest);
    opt.push(...said.slice("opt ".length).split(" "));
  }
  if (rest.startsWith("here ")) {
    let types = rest.slice("here ".length);
    for (;;) {
      const slot = /^[\w.]+ /.exec(types)?.[0] ?? "";
      const { type, length } = readType(types.slice(slot.length), isEntity);
      here.set(slot.trimEnd(), type);
      types = types.slice(slot.length + length);
      if (!types.startsWith(", ")) break;
      types = types.slice(2);
    }
    rest = types.slice(" · ".length);
  }
  const rules = rest.startsWith("rules ") ? rest.slice("rules ".length).split(" · ")[0] : undefined;
  return { wave, left, result, name, opt, here, rules: rules?.split("; ") ?? [] };
}
