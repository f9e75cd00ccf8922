import { canonicalJson, sha256Hex, type JsonObject } from "@plasm/core";

/** Exactly what an open is reused by; absent members stay absent (SESS-13). */
export interface ReuseFacts {
  readonly scope: string;
  readonly primary: string;
  readonly digest: string;
  readonly entities: readonly string[];
  /** whose it is: the user where calls are delegated, who opens it where no intent binds it; else null */
  readonly principal: string | null;
  /** digest of the registered plug-ins, if any */
  readonly pluginGeneration: string | null;
  readonly logicalId: string | null;
  /** hosts that bind no intent alone: there a session that only reads is another one */
  readonly readOnly: boolean;
}

/** The reuse key: changing any one fact gives another execute session (SESS-13, B11 to B17). */
export function reuseKey(facts: ReuseFacts): string {
  const members: JsonObject = {
    tenant_scope: facts.scope,
    entry_id: facts.primary,
    catalog_cgs_hash: facts.digest,
    entities: [...facts.entities],
    ...(facts.principal === null ? {} : { principal: facts.principal }),
    ...(facts.pluginGeneration === null ? {} : { plugin_generation_id: facts.pluginGeneration }),
    ...(facts.logicalId === null ? {} : { logical_session_id: facts.logicalId }),
    ...(facts.readOnly ? { read_only: true } : {}),
  };
  return sha256Hex(canonicalJson(members));
}
