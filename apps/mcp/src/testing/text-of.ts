import type { Client } from "@modelcontextprotocol/client";

/** The text of a tool's answer: what a model sees. */
export function textOf({ content }: Awaited<ReturnType<Client["callTool"]>>): string {
  const [first] = content;
  return first?.type === "text" ? first.text : "";
}
