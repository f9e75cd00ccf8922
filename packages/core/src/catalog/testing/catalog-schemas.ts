import { auth, oauth, scopeRule } from "../format/auth-shape.ts";
import { capability, preflightStep } from "../format/capability-shape.ts";
import { derive, domain, entity, field, materialize, relation } from "../format/domain-shape.ts";
import { expression } from "../format/expression-shape.ts";
import { inputSchema, inputTypes, parameter, precondition } from "../format/input-shape.ts";
import { overlay, view } from "../format/view-shape.ts";
import { pagination } from "../format/request-shape.ts";
import { responseMap } from "../format/response-shape.ts";
import { template } from "../format/template-shape.ts";
import { value } from "../format/value-shape.ts";
import { type Schema, schemaWriter } from "./json-schema.ts";
import { pageWords } from "./page-words.ts";

const NAMES = {
  auth,
  oauth,
  scope_rule: scopeRule,
  value,
  entity,
  field,
  derive,
  relation,
  materialize,
  capability,
  parameter,
  input_schema: inputSchema,
  input_type: inputTypes,
  preflight_step: preflightStep,
  precondition,
  view,
  overlay,
  template,
  expression,
  response: responseMap,
  pagination,
};

/** Where the page tells what: tables by heading and place. */
const TOLD = {
  domain: { keys: "domain.yaml 0" },
  value: { keys: "Values 0" },
  entity: { keys: "Entities 0" },
  field: { keys: "Entities 1" },
  derive: { words: "Entities 2" },
  materialize: { words: "Entities 3" },
  capability: { keys: "Capabilities 0" },
  template: { keys: "mappings.yaml 0" },
  expression: { words: "mappings.yaml 1" },
  response: { keys: "mappings.yaml 2" },
  pagination: { keys: "mappings.yaml 3" },
  preflight_step: { words: "Reads before an effect 0" },
  precondition: { keys: "Preconditions of an effect 0" },
  view: { keys: "Views 0" },
  overlay: { keys: "Schema of a tenant 0" },
};

const DRAFT = "http://json-schema.org/draft-07/schema#";

/** The JSON Schemas of both files, with the words of the page that tells the format. */
export function catalogSchemas(page: string): {
  readonly domain: Schema;
  readonly mappings: Schema;
} {
  const said = pageWords(page, TOLD);
  const names = new Map(Object.entries(NAMES).map(([name, shape]) => [shape.form, name]));
  const head = (file: string, title: string): Schema => ({
    $schema: DRAFT,
    title,
    description: `${file} of a Plasm catalog. What spans several places is checked by plasm catalog validate.`,
  });
  const templates = ({ ref }: ReturnType<typeof schemaWriter>): Schema => ({
    type: "object",
    patternProperties: { "^x-": {} },
    additionalProperties: ref(template.form),
  });
  const ofMappings = schemaWriter({ names, said });
  const mappings = { ...head("mappings.yaml", "Plasm mappings"), ...templates(ofMappings) };
  const ofDomain = schemaWriter({ names, said });
  if (domain.form.kind !== "object") throw new Error("a domain file is a map");
  const told = said.get("domain") ?? { keys: new Map(), words: new Map() };
  const whole = {
    ...head("domain.yaml", "Plasm domain"),
    ...ofDomain.object(domain.form, told, { mappings: templates(ofDomain) }),
  };
  const withDefinitions = (schema: Schema, { definitions }: typeof ofDomain): Schema => ({
    ...schema,
    definitions: Object.fromEntries([...definitions].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  });
  return {
    domain: withDefinitions(whole, ofDomain),
    mappings: withDefinitions(mappings, ofMappings),
  };
}
