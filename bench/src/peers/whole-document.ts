import { getToolsFromOpenApi } from "openapi-mcp-generator";
import { TOKENIZERS } from "./count-tokens.ts";
import type { PeerDocuments } from "./document.ts";

/** What a tool for every operation of GitHub's whole document costs before a word is said, in o200k tokens. */
export interface WholeDocument {
  readonly operations: number;
  readonly tokens: number;
}

type Spec = Parameters<typeof getToolsFromOpenApi>[0];

/** Counts openapi-mcp-generator's tools of the whole document, with the defaults of its own interface. */
export async function wholeDocument({ whole }: PeerDocuments): Promise<WholeDocument> {
  const { warn } = console;
  // It warns of every cycle in a schema, some hundred times.
  console.warn = () => undefined;
  try {
    const spec = structuredClone(whole) as unknown as Spec;
    const tools = await getToolsFromOpenApi(spec, { dereference: true });
    const listed = tools.map(({ name, description, inputSchema }) => {
      return JSON.stringify({ name, description, inputSchema });
    });
    const tokens = listed.reduce((sum, tool) => sum + TOKENIZERS.o200k(tool), 0);
    return { operations: tools.length, tokens };
  } finally {
    console.warn = warn;
  }
}
