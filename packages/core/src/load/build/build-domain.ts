import type { Cgs } from "../../schema/cgs.ts";
import type { DomainDoc } from "../format/domain-shape.ts";
import { buildAuth, buildOAuth } from "./build-auth.ts";
import { buildCapability } from "./build-capability.ts";
import { buildEntity } from "./build-entity.ts";
import { buildOverlay } from "./build-overlay.ts";
import { buildView } from "./build-view.ts";
import { given, mapValues } from "./given.ts";
import { valueTable } from "./value-table.ts";

/** domain.yaml as the graph the engine works with, value references and defaults resolved. */
export function buildDomain(doc: DomainDoc): Cgs {
  const values = valueTable(doc.values);
  return {
    version: doc.version,
    httpBackend: doc.http_backend,
    auth: buildAuth(doc.auth),
    ...given("oauth", doc.oauth && buildOAuth(doc.oauth)),
    entities: mapValues(doc.entities, (entity, name) => buildEntity(name, entity, values)),
    capabilities: mapValues(doc.capabilities, (each, name) => buildCapability(name, each, values)),
    views: mapValues(doc.views, (view, key) => buildView(key, view, values)),
    ...given("overlay", doc.schema_overlay && buildOverlay(doc.schema_overlay, values)),
    registryAliases: doc.registry_aliases,
    label: doc.label,
    tags: doc.tags,
    description: doc.description,
    allowOrigins: doc.allow_origins.map(({ origin, send_auth }) => ({
      origin,
      sendAuth: send_auth,
    })),
    notDoneStatuses: doc.not_done_statuses,
  };
}
