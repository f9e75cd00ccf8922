import { fail } from "../errors/failure.ts";
import { named } from "../errors/named.ts";
import type { Caller } from "../identity/caller.ts";
import { promptText } from "../session/describe.ts";
import { locate } from "../session/locate.ts";
import { locateOwner } from "../session/locate-owner.ts";
import type { SessionDeps } from "../session/session-deps.ts";
import type { ResourceAnswer } from "../answer.ts";
import { refuseForbidden } from "./refuse-forbidden.ts";
import { readFile } from "./session-files.ts";
import type { SnapshotDocument } from "./snapshot-document.ts";
import { readRun, readSnapshot } from "./snapshots.ts";
import { parseResourceUri } from "./uris.ts";

/** A snapshot as the policy of now allows it to be shown. */
function allowed(deps: SessionDeps, { scope }: Caller, document: SnapshotDocument) {
  refuseForbidden(deps.policies.policyOf(scope), document.entry_ids);
  return document;
}

const json = (uri: string, value: unknown): ResourceAnswer => ({
  uri,
  mimeType: "application/json",
  text: JSON.stringify(value),
});

/**
 * Reads a session's resource by URI (SURF-10): snapshots also after their session is gone, as long
 * as they are kept; tables of a live session. Throws Failure; foreign and unknown answer alike.
 */
export async function readResource(
  deps: SessionDeps,
  caller: Caller,
  uri: string,
): Promise<ResourceAnswer> {
  const address = parseResourceUri(uri);
  switch (address?.kind) {
    case "snapshot": {
      const owner = await locateOwner(deps, caller, { kind: "ref", ref: address.ref });
      const document = await readSnapshot(deps.store, caller.scope, owner, address.n);
      return json(uri, allowed(deps, caller, document));
    }
    case "run": {
      const owner = await locateOwner(deps, caller, { kind: "pair", ...address.key });
      const document = await readRun(deps.store, caller.scope, owner, address.runId);
      return json(uri, allowed(deps, caller, document));
    }
    case "file": {
      const { place, sha256 } = address;
      const owner = await locateOwner(
        deps,
        caller,
        "ref" in place ? { kind: "ref", ref: place.ref } : { kind: "pair", ...place.key },
      );
      const file = await readFile(deps.store, caller.scope, owner, sha256);
      if (file === null) throw fail("plasm-unknown-snapshot", `No resource ${named(uri)}.`);
      const mimeType = file.record.mimeType || "application/octet-stream";
      return { uri, mimeType, blob: Buffer.from(file.bytes).toString("base64") };
    }
    case "table": {
      const at = await locate(deps, caller, { kind: "ref", ref: address.ref });
      return { uri, mimeType: "text/markdown", text: promptText(at) };
    }
    case "registry":
    case undefined:
      throw fail("plasm-unknown-snapshot", `No resource ${named(uri)}.`);
  }
}
