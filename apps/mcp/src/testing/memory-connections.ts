import { principalOf } from "@plasm/agent-core/internal";
import type { Connections } from "@plasm/host";

/** Connection names in memory, for tests of the wire alone. */
export function memoryConnections(): Connections {
  const issued = new Set<string>();
  return {
    issue: async (caller) => {
      const name = issued.size.toString(16).padStart(32, "0");
      issued.add(`${principalOf(caller)} ${name}`);
      return name;
    },
    clientOf: async () => ({}),
    isOf: async (caller, name) => issued.has(`${principalOf(caller)} ${name}`),
  };
}
