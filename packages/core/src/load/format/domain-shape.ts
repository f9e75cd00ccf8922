import { setList } from "../shape/list.ts";
import { mapOf } from "../shape/map-of.ts";
import { object, optional, required, requiredOr, withDefault } from "../shape/object.ts";
import { boolean, integer, text } from "../shape/scalars.ts";
import type { Read, Shape } from "../shape/shape.ts";
import { auth, oauth } from "./auth-shape.ts";
import { capability } from "./capability-shape.ts";
import { entity } from "./entity-shape.ts";
import { responseDefaults } from "./response-shape.ts";
import { overlay } from "./overlay-shape.ts";
import { value } from "./value-shape.ts";
import { view } from "./view-shape.ts";

const originMap = object({ origin: required(text), send_auth: withDefault(boolean, false) });

/** An origin as text, or with the right to credentials. */
const allowedOrigin: Shape<Read<typeof originMap>> = {
  expected: "an origin, or a map with origin, send_auth",
  form: { kind: "either", forms: [text.form, originMap.form] },
  read: (node, place, context) =>
    node.kind === "text"
      ? { origin: node.value, send_auth: false }
      : originMap.read(node, place, context),
  canonical: (value) => originMap.canonical(value),
};

const domainKeys = {
  version: withDefault(integer(0), 0),
  http_backend: requiredOr(text, ""),
  auth: withDefault(auth, { scheme: "none" }),
  oauth: optional(oauth),
  values: withDefault(mapOf(value, { own: true }), new Map()),
  entities: requiredOr(mapOf(entity, { names: true }), new Map()),
  capabilities: requiredOr(mapOf(capability, { names: true }), new Map()),
  views: withDefault(mapOf(view, { own: true }), new Map()),
  schema_overlay: optional(overlay),
  registry_aliases: withDefault(setList(text), []),
  label: withDefault(text, ""),
  tags: withDefault(setList(text), []),
  description: withDefault(text, ""),
  response_defaults: optional(responseDefaults),
  allow_origins: withDefault(setList(allowedOrigin), []),
  not_done_statuses: withDefault(setList(integer(500, 599)), []),
} as const;

/** domain.yaml (catalog format, section 3); `mappings` in it are read for themselves (CAT-010). */
export const domain = object(domainKeys, { also: ["mappings"] });

export type DomainDoc = Read<typeof domain>;
