import type { Catalog, InputType, ValueType } from "@plasm/core";
import { keyParts, type Slot } from "@plasm/core/internal";
import fc from "fast-check";
import type { Part } from "./official-document.ts";
import type { Operations, Schema } from "./operations.ts";

type Sample =
  | string
  | number
  | boolean
  | null
  | readonly Sample[]
  | { readonly [key: string]: Sample };

/** An argument as a program writes it: any JSON value, or a reference by its key. */
export type SampleText = string;

const INSTANT = "2026-01-05T10:00:00Z";

/** As a program writes it: objects and lists as in JSON, keys in quotes. */
const written = (sample: Sample): SampleText => JSON.stringify(sample);

/** Values by declared type, and by what the document says of the place they are sent to. */
export class Samples {
  readonly #catalog: Catalog;
  readonly #operations: Operations;

  constructor(catalog: Catalog, operations: Operations) {
    this.#catalog = catalog;
    this.#operations = operations;
  }

  /** A value of a slot. `hint` is the schema of where it goes, an empty one if nothing is known. */
  ofSlot({ input }: Pick<Slot, "input">, hint: Part): SampleText {
    return this.#ofInput(input, hint);
  }

  /** `Entity(owner="…", number=1)`: some row of an entity by its key. */
  key(entity: string, hintOf: (part: string) => Part = () => ({})): SampleText {
    const found = this.#catalog.cgs.entities.get(entity);
    if (found === undefined) throw new Error(`no entity ${entity}`);
    const parts = keyParts(found).map((part) => {
      const type = found.fields.get(part)?.type ?? { kind: "string", semantics: "short" };
      return [part, this.#ofType(type, hintOf(part))] as const;
    });
    const [first] = parts;
    if (parts.length === 1 && first !== undefined) return `${entity}(${first[1]})`;
    return `${entity}(${parts.map(([part, text]) => `${part}=${text}`).join(", ")})`;
  }

  #ofInput(input: InputType, hint: Part): SampleText {
    switch (input.kind) {
      case "value":
        return this.#ofType(input.type, hint);
      case "object":
        return `{${input.fields
          .map((field) => `${JSON.stringify(field.name)}: ${this.#ofInput(field.input, {})}`)
          .join(", ")}}`;
      case "array":
        return `[${this.#ofInput(input.element, this.#schema(hint).items ?? {})}]`;
      case "union":
      case "none":
        throw new Error(`no sample of ${input.kind}`);
    }
  }

  #ofType(type: ValueType, hint: Part): SampleText {
    switch (type.kind) {
      case "string":
      case "blob":
        return written(textFor(this.#operations.textSchema(hint)));
      case "uuid":
        return written("00000000-0000-4000-8000-000000000000");
      case "integer":
      case "number":
        return written(this.#schema(hint).minimum ?? 1);
      case "boolean":
        return "true";
      case "select":
        return written(type.options[0] ?? "word");
      case "multi_select":
        return written(type.options.slice(0, 1));
      case "date":
        return type.format === "iso8601_date" ? INSTANT.slice(0, 10) : INSTANT;
      case "array":
        return `[${this.#ofType(type.items, this.#schema(hint).items ?? {})}]`;
      case "json":
        return written(this.#ofSchema(hint, 0));
      case "entity_ref":
        return this.key(type.target, () => hint);
    }
  }

  /** Something a schema allows, its required members alone. */
  #ofSchema(part: Part, depth: number): Sample {
    const schema = this.#schema(part);
    if (schema.example !== undefined) return schema.example as Sample;
    if (schema.enum !== undefined) return (schema.enum[0] ?? null) as Sample;
    switch (schema.type) {
      case "array":
        return schema.items === undefined || depth > 5
          ? []
          : [this.#ofSchema(schema.items, depth + 1)];
      case "integer":
      case "number":
        return schema.minimum ?? 1;
      case "boolean":
        return true;
      case "object":
        return Object.fromEntries(
          this.#required(schema).map(([key, inner]) => [key, this.#ofSchema(inner, depth + 1)]),
        );
      default:
        return textFor(schema);
    }
  }

  #required(schema: Schema): readonly (readonly [string, Part])[] {
    const required = "required" in schema ? (schema.required as readonly string[]) : [];
    return Object.entries(schema.properties).filter(([key]) => required.includes(key));
  }

  #schema(hint: Part): Schema {
    return this.#operations.schema(hint);
  }
}

function textFor({ example, enum: options, type, format, pattern }: Schema): string {
  if (typeof example === "string") return example;
  if (typeof options?.[0] === "string") return options[0];
  if (type === "integer" || type === "number") return "1";
  if (format === "date-time") return INSTANT;
  if (pattern === undefined || new RegExp(pattern).test("word")) return "word";
  const [fitting] = fc.sample(fc.stringMatching(new RegExp(pattern)), { seed: 1, numRuns: 1 });
  return fitting ?? "word";
}
