import { problemDocument, type Answer, type Problem } from "@plasm/agent-core";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { errorMeta } from "./error-meta.ts";

/** An answer as MCP sends it: text for the model, `_meta.plasm` for programs (SURF-5). */
export const answerResult = (answer: Answer): CallToolResult => ({
  content: [{ type: "text", text: answer.text }],
  _meta: { plasm: answer.meta },
});

/** A failure as MCP sends it; its text alone suffices (SURF-6, ERR-031). */
export const problemResult = (problem: Problem): CallToolResult => ({
  content: [{ type: "text", text: problem.text }],
  isError: true,
  _meta: {
    plasm: { ...problem.meta, error: { ...problemDocument(problem), ...errorMeta(problem) } },
  },
});
