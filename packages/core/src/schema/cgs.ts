import type { Auth, OAuth } from "./auth.ts";
import type { Capability } from "./capability.ts";
import type { Entity } from "./entity.ts";
import type { SchemaOverlay } from "./overlay.ts";
import type { View } from "./view.ts";

export interface AllowedOrigin {
  readonly origin: string;
  readonly sendAuth: boolean;
}

/** The typed graph of one API: what domain.yaml says, with references resolved. Frozen. */
export interface Cgs {
  readonly version: number;
  readonly httpBackend: string;
  readonly auth: Auth;
  readonly oauth?: OAuth;
  readonly entities: ReadonlyMap<string, Entity>;
  readonly capabilities: ReadonlyMap<string, Capability>;
  readonly views: ReadonlyMap<string, View>;
  readonly overlay?: SchemaOverlay;
  readonly registryAliases: readonly string[];
  readonly label: string;
  readonly tags: readonly string[];
  readonly description: string;
  readonly allowOrigins: readonly AllowedOrigin[];
  /** statuses from 500 on by which this API says that it did nothing */
  readonly notDoneStatuses: readonly number[];
}
