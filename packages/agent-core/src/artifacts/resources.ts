import { visible } from "@plasm/core/internal";
import { fail } from "../errors/problem.ts";
import { named } from "../errors/arguments.ts";
import { type Caller, principalOf } from "../identity/caller.ts";
import { sessionPrompt } from "../session/describe.ts";
import { locateOwner, viewUnrenewed } from "../session/locate.ts";
import type { SessionAddress } from "../session/handles.ts";
import type { SessionDeps } from "../session/session-deps.ts";
import type { ResourceAnswer } from "../answer/answer.ts";
import { refuseForbidden, refuseForbiddenBytes } from "./still-allowed.ts";
import { findFile, isOnlySent } from "./session-files.ts";
import { type ArtifactName, documentOf, findSnapshot, type SnapshotDocument } from "./snapshots.ts";
import { parseResourceUri } from "./uris.ts";

export type { ArtifactName };

/**
 * A snapshot of a session, live or not, as the policy of now allows it to be shown (SURF-16). Foreign and
 * unknown ones answer alike: throws plasm-unknown-session, plasm-unknown-snapshot, plasm-policy-denied.
 */
export async function readArtifact(
  deps: SessionDeps,
  caller: Caller,
  address: SessionAddress,
  name: ArtifactName,
): Promise<SnapshotDocument> {
  const { store, policies } = deps;
  const owner = await locateOwner(deps, caller, address);
  const record = await findSnapshot(store, caller.scope, owner, name);
  refuseForbidden(await policies.policyOf(caller.scope), record.entryIds, record.uses);
  return documentOf(store, record);
}

/** A resource that is JSON. */
export const jsonResource = (uri: string, value: unknown): ResourceAnswer => ({
  uri,
  mimeType: "application/json",
  text: resourceJson(value),
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
      const at = { kind: "ref", ref: address.ref } as const;
      return jsonResource(uri, await readArtifact(deps, caller, at, { n: address.n }));
    }
    case "run": {
      const at = { kind: "pair", ...address.key } as const;
      return jsonResource(uri, await readArtifact(deps, caller, at, { runId: address.runId }));
    }
    case "file": {
      const { place, sha256 } = address;
      const owner = await locateOwner(
        deps,
        caller,
        "ref" in place ? { kind: "ref", ref: place.ref } : { kind: "pair", ...place.key },
      );
      const file = await findFile(deps.store, caller.scope, owner, sha256, principalOf(caller));
      if (file === null || isOnlySent(file.record))
        throw fail("plasm-unknown-snapshot", `No resource ${named(uri)}.`);
      refuseForbiddenBytes(await deps.policies.policyOf(caller.scope), file.record.uses ?? []);
      const mimeType = file.record.mimeType || "application/octet-stream";
      return { uri, mimeType, blob: (await wholeFile(uri, file)).toString("base64") };
    }
    case "table": {
      const view = await viewUnrenewed(deps, caller, { kind: "ref", ref: address.ref });
      return { uri, mimeType: "text/markdown", text: sessionPrompt(view) };
    }
    // These are read in their own rooms.
    case "grafts":
    case "graft":
    case "registry":
    case "watch":
    case undefined:
      throw fail("plasm-unknown-snapshot", `No resource ${named(uri)}.`);
  }
}

/** A resource is one message: a file of more bytes is passed on, and not read (VAL-04). */
const MOST_READ = 10 * 1024 * 1024;

async function wholeFile(
  uri: string,
  { size, open }: NonNullable<Awaited<ReturnType<typeof findFile>>>,
): Promise<Buffer> {
  if (size > MOST_READ) {
    throw fail(
      "plasm-too-large",
      `${named(uri)} has ${size} bytes; a resource is read up to ${MOST_READ}. A program passes it on whole.`,
    );
  }
  const parts: Uint8Array[] = [];
  for await (const part of open()) parts.push(part);
  return Buffer.concat(parts);
}

/** JSON as a resource has it: the same JSON, in which no character acts on what shows it (SURF-13). */
export const resourceJson = (value: unknown): string => visible(JSON.stringify(value));
