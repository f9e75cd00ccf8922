import { plasmShow } from "@plasm/agent-core/internal";
import type { Tool } from "@modelcontextprotocol/server";
import { withOutputSchema } from "./wire/results.ts";

// The names of the extension MCP Apps; its library is for pages and hosts, and a server needs no more of it than these.
const EXTENSION = "io.modelcontextprotocol/ui";
const MIME_TYPE = "text/html;profile=mcp-app";

/** The page on which a client shows a plan to its person. */
export const CARD_URI = "ui://plasm/plan.html";

/** The extension as a server declares it (SURF-45). */
export const CARDS_CAPABILITY = Object.freeze({ [EXTENSION]: {} });

/** Whether a client shows pages of this kind beside its tools (SURF-45). */
export function showsCards(declared: unknown): boolean {
  const { extensions } = (declared ?? {}) as {
    readonly extensions?: Readonly<Record<string, { readonly mimeTypes?: unknown } | undefined>>;
  };
  const types = extensions?.[EXTENSION]?.mimeTypes;
  return Array.isArray(types) && types.includes(MIME_TYPE);
}

/** The tool whose answers are shown on the card. */
export function cardTool(structured: boolean): Tool {
  const { definition } = plasmShow;
  const told = structured ? withOutputSchema(definition) : definition;
  return { ...told, _meta: { ui: { resourceUri: CARD_URI } } };
}

/** The page itself. It needs nothing from anywhere: its host lets it reach no address. */
export const readCard = async (card: () => Promise<string>) => ({
  contents: [
    {
      uri: CARD_URI,
      mimeType: MIME_TYPE,
      text: await card(),
      _meta: { ui: { prefersBorder: true } },
    },
  ],
});
