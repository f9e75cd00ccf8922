import type { RestCall, Vendor } from "./peer-task.ts";
import type { PeersWorld } from "./peers-world.ts";
import type { RestTools } from "./rest-side.ts";

/** The one tool of a model that knows every API by heart. */
const DEFINITION = [
  {
    name: "fetch",
    description: "Send an HTTP request and get the body of the answer.",
    inputSchema: {
      type: "object",
      required: ["url"],
      properties: { url: { type: "string" }, method: { type: "string" }, body: { type: "object" } },
    },
  },
];

/** What a model writes for a vendor's origin, whose real port is of no interest. */
const ORIGINS: Readonly<Record<Vendor, string>> = {
  github: "https://api.github.com",
  quay: "http://quay.local",
};

/** Path and query of a request. */
function targetOf({ operation, path, query }: RestCall): string {
  const [, template = ""] = operation.split(" ");
  const filled = template.replaceAll(/\{([^}]*)\}/g, (_all, name: string) =>
    encodeURIComponent(String(path[name])),
  );
  const asked = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) asked.set(name, String(value));
  return asked.size === 0 ? filled : `${filled}?${asked.toString()}`;
}

/** Sends a request as a bare fetch does, and gives the body. */
async function send(world: PeersWorld, call: RestCall): Promise<string> {
  const origin = call.vendor === "github" ? world.github.url : world.apis.quay.url;
  const response = await fetch(origin + targetOf(call), {
    method: call.operation.split(" ")[0] ?? "GET",
    headers: {
      authorization: `Bearer ${world.token}`,
      ...(call.body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${call.operation}: ${response.status} ${text}`);
  return text;
}

/** The floor: no definitions to speak of, nothing to learn, bodies as they come. */
export const fetchTools = (world: PeersWorld): RestTools => ({
  name: "fetch",
  definitions: JSON.stringify(DEFINITION),
  callOf: (call) => {
    const [method] = call.operation.split(" ");
    const url = ORIGINS[call.vendor] + targetOf(call);
    const { body } = call;
    const args = {
      url,
      ...(method === "GET" ? {} : { method }),
      ...(body === undefined ? {} : { body }),
    };
    return { name: "fetch", args };
  },
  call: (_call, of) => send(world, of),
  close: async () => undefined,
});
