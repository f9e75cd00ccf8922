import { type AccessRules, usableCapabilities } from "../check/access.ts";
import { inputSample } from "../check/inputs/input-text.ts";
import { sampleReference, sampleValue } from "../check/values/slot-problems.ts";
import type { ExampleName, ExampleWords } from "../diagnostics/examples.ts";
import { catalogOf, type EntityKey, entityOf } from "../catalog/federation.ts";
import { optionText } from "../language/grammar/printer.ts";
import { capabilitySlots } from "../mapping/capability-slots.ts";
import type { Capability } from "../model/model.ts";
import { keyParts } from "../model/lookups.ts";
import { entitiesNamed } from "../symbols/exposure.ts";
import { entitySymbol, methodSymbol, nameSymbol } from "../symbols/symbols.ts";
import type { ValueType } from "../values/value-type.ts";

/** So many entities are tried for an example: a session may hold hundreds. */
const TRIED = 8;

/**
 * The examples of a session, in the notation of the program they are shown for: its entities, columns, options
 * and methods. Each is shown only if a program of it plans there; what the program names comes first.
 */
export function sessionExamples(
  rules: AccessRules,
  program: string,
  plans: (program: string) => boolean,
): ExampleWords {
  const known = new Map<ExampleName, string | null>();
  let rows: EntityRows | null | undefined;
  return (name) => {
    rows ??= candidates(rules, program).find((each) => each.choose(plans)) ?? null;
    const found = known.get(name);
    if (found !== undefined || rows === null) return found ?? null;
    const word = rows.words[name]();
    known.set(name, word);
    return word;
  };
}

/** The entities of a session, those that a program names first. */
function candidates(rules: AccessRules, program: string): readonly EntityRows[] {
  const { exposure } = rules;
  const written = new Set(program.match(/\w+/g) ?? []);
  const symbolic = exposure.notation === "symbols" && /\b[emp][1-9]\d*\b/.test(program);
  const isNamed = (key: EntityKey): boolean =>
    written.has(key.entity) || written.has(entitySymbol(exposure.symbols, key) ?? key.entity);
  return exposure.symbols.entities
    .toSorted((a, b) => Number(isNamed(b)) - Number(isNamed(a)))
    .slice(0, TRIED)
    .map((key) => new EntityRows(rules, key, symbolic));
}

/** What examples say of one entity. */
class EntityRows {
  readonly #rules: AccessRules;
  readonly #key: EntityKey;
  readonly #symbolic: boolean;
  #plans: (program: string) => boolean = () => false;
  /** its list as code, and the same open for one more condition */
  #list = "";

  constructor(rules: AccessRules, key: EntityKey, symbolic: boolean) {
    this.#rules = rules;
    this.#key = key;
    this.#symbolic = symbolic;
  }

  /** Whether its list can be read; only then does it give examples. */
  choose(plans: (program: string) => boolean): boolean {
    this.#plans = plans;
    const lists = this.#capabilities(["query"]).map((list) => this.#withRequired(list));
    const found = [this.#head(), ...lists].find((list) => plans(`${list}.limit(5)`));
    this.#list = found ?? "";
    return found !== undefined;
  }

  readonly words: Readonly<Record<ExampleName, () => string | null>> = {
    E: () => this.#list,
    row: () => this.#checked(this.#row()),
    found: () => this.#rowsWith(this.words.cond()),
    either: () => {
      const [one, other] = this.#conditions();
      return this.#rowsWith(one && other ? `any{${one}, ${other}}` : null);
    },
    search: () => this.#checked(`${this.#head()}~"words"`),
    p: () => this.#columns()[0] ?? null,
    p2: () => this.#columns()[1] ?? null,
    n: () =>
      this.#first(
        this.#fields(["integer", "number"]),
        (p) => `${this.#list}.aggregate(t=sum(${p}))`,
      ),
    path: () => this.#path() ?? this.words.p2(),
    cond: () => this.#conditions()[0] ?? null,
    cond2: () => this.#conditions()[1] ?? null,
    cond3: () => this.#conditions()[2] ?? null,
    oneOf: () => this.#first(this.#lists(), (list) => this.#withCondition(list)),
    derive: () => this.#checkedWith(this.words.p(), (p) => `${this.#list}.limit(5) => {k: _.${p}}`),
    each: () => this.#each(),
    update: () => this.#call(["update"], this.#row()),
    delete: () => this.#call(["delete"], this.#row()),
    create: () => this.#call(["create"], this.#head()),
  };

  #checked(program: string): string | null {
    return this.#plans(program) ? program : null;
  }

  #checkedWith(word: string | null, program: (word: string) => string): string | null {
    return word === null ? null : this.#checked(program(word));
  }

  /** The first word of which a program plans. */
  #first(words: readonly string[], program: (word: string) => string): string | null {
    return words.find((word) => this.#plans(program(word))) ?? null;
  }

  #head(): string {
    const { exposure } = this.#rules;
    const symbol = entitySymbol(exposure.symbols, this.#key) ?? this.#key.entity;
    const [only, second] = entitiesNamed(exposure, this.#key.entity);
    const isMeant = only?.entryId === this.#key.entryId && second === undefined;
    return this.#symbolic || !isMeant ? symbol : this.#key.entity;
  }

  readonly #name = (wire: string): string =>
    (this.#symbolic ? nameSymbol(this.#rules.exposure.symbols, wire) : null) ?? wire;

  #label({ label }: Capability): string {
    const method = { ...this.#key, label };
    return (this.#symbolic ? methodSymbol(this.#rules.exposure.symbols, method) : null) ?? label;
  }

  #capabilities(kinds: readonly Capability["kind"][]): readonly Capability[] {
    return usableCapabilities(this.#rules, this.#key).filter(({ kind }) => kinds.includes(kind));
  }

  #arguments(capability: Capability, optional: boolean): readonly string[] {
    const { exposure } = this.#rules;
    const { entryId } = this.#key;
    const { slots } = capabilitySlots(catalogOf(exposure.catalogs, entryId), capability);
    const required = slots.filter((slot) => slot.required);
    const shown = required.length === 0 && optional ? slots.slice(0, 1) : required;
    return shown.map(
      (slot) =>
        `${this.#name(slot.name)}=${inputSample(exposure, entryId, slot.input, this.#name)}`,
    );
  }

  #withRequired(list: Capability): string {
    return `${this.#head()}{${this.#arguments(list, false).join(", ")}}`;
  }

  #row(): string {
    const sample = sampleReference(this.#rules.exposure, this.#key.entryId, this.#key.entity);
    return `${this.#head()}${sample.slice(sample.indexOf("("))}`;
  }

  /** The names of its fields of some types. */
  #fields(kinds: readonly ValueType["kind"][]): readonly string[] {
    const { fields } = entityOf(this.#rules.exposure.catalogs, this.#key);
    return [...fields.values()]
      .filter(({ type }) => kinds.includes(type.kind))
      .map(({ name }) => this.#name(name));
  }

  #columns(): readonly string[] {
    const plain = this.#fields([
      "string",
      "select",
      "integer",
      "number",
      "date",
      "boolean",
      "uuid",
    ]);
    return plain.filter((name) => this.#plans(`${this.#list}[${name}]`)).slice(0, 2);
  }

  #path(): string | null {
    const { exposure } = this.#rules;
    const { fields } = entityOf(exposure.catalogs, this.#key);
    const paths = [...fields.values()].flatMap(({ name, type }) => {
      if (type.kind !== "entity_ref") return [];
      const target = { entryId: this.#key.entryId, entity: type.target };
      if (entitySymbol(exposure.symbols, target) === null) return [];
      const there = [...entityOf(exposure.catalogs, target).fields.keys()].slice(0, 3);
      return there.map((field) => `${this.#name(name)}.${this.#name(field)}`);
    });
    return this.#first(paths.slice(0, 6), (path) => `${this.#list}[${path}]`);
  }

  #withCondition(condition: string): string {
    return this.#list.endsWith("}")
      ? `${this.#list.slice(0, -1)}, ${condition}}`
      : `${this.#list}{${condition}}`;
  }

  #rowsWith(condition: string | null): string | null {
    return this.#checkedWith(condition, (each) => this.#withCondition(each));
  }

  #made: readonly string[] | null = null;

  /** Conditions on three of its columns, those first whose values say something. */
  #conditions(): readonly string[] {
    this.#made ??= this.#conditionTexts()
      .filter((each) => this.#plans(this.#withCondition(each)))
      .slice(0, 3);
    return this.#made;
  }

  #conditionTexts(): readonly string[] {
    const { fields } = entityOf(this.#rules.exposure.catalogs, this.#key);
    const rank = ["select", "integer", "number", "boolean", "date", "string", "uuid"];
    const of = ({ kind }: ValueType): number => rank.indexOf(kind);
    return [...fields.values()]
      .filter(({ type }) => of(type) >= 0)
      .toSorted((a, b) => of(a.type) - of(b.type))
      .map(({ name, type }) => `${this.#name(name)}${this.#compared(type)}`);
  }

  #compared(type: ValueType): string {
    // The first option is most often what rows begin with, the last one what a condition is for.
    if (type.kind === "select") return `=${optionText(type.options.at(-1) ?? "word")}`;
    const sample = sampleValue(this.#rules.exposure, { entryId: this.#key.entryId, type });
    if (type.kind === "date") return "<today-7d";
    return type.kind === "integer" || type.kind === "number" ? `>${sample}` : `=${sample}`;
  }

  /** Columns that hold one of several values. */
  #lists(): readonly string[] {
    const { exposure } = this.#rules;
    const { entryId } = this.#key;
    return [...entityOf(exposure.catalogs, this.#key).fields.values()]
      .filter(({ type }) => ["select", "string", "integer"].includes(type.kind))
      .toSorted((a, b) => Number(b.type.kind === "select") - Number(a.type.kind === "select"))
      .map(({ name, type }) => {
        const options = type.kind === "select" ? type.options.slice(0, 2).map(optionText) : [];
        const values = options.length > 0 ? options : [sampleValue(exposure, { entryId, type })];
        return `${this.#name(name)} in [${values.join(", ")}]`;
      });
  }

  /** A method of each row, one that removes nothing. */
  #each(): string | null {
    const [part, second] = keyParts(entityOf(this.#rules.exposure.catalogs, this.#key));
    if (part === undefined || second !== undefined) return null;
    const row = `${this.#head()}(_.${this.#name(part)})`;
    const calls = this.#capabilities(["action", "update"]).map(
      (each) =>
        `${this.#list}.limit(5) => ${row}.${this.#label(each)}(${this.#arguments(each, true).join(", ")})`,
    );
    return this.#first(calls, (call) => call);
  }

  #call(kinds: readonly Capability["kind"][], receiver: string): string | null {
    const calls = this.#capabilities(kinds).map(
      (each) => `${receiver}.${this.#label(each)}(${this.#arguments(each, true).join(", ")})`,
    );
    return this.#first(calls, (call) => call);
  }
}
