import { expect } from "vitest";
import type { ConformanceRow } from "./conformance-row.ts";

/** Arguments that are objects told apart by a discriminator (C-105). */
export const UNION_ROWS: readonly ConformanceRow[] = [
  {
    id: "C-105",
    construct: "union",
    cases: [
      {
        program: "Part(maker=a, no=1).edit(ops=[{op: insert, at: 1, text: x}])",
        yard: true,
        planned: (plan) => {
          expect(plan.nodes[0]).toMatchObject({
            kind: "update",
            capability: "part_edit",
            target: { maker: { lit: "a" }, no: { lit: 1 } },
            args: { ops: { lit: [{ op: "insert", at: 1, text: "x" }] } },
          });
        },
        live: () => ({
          results: [[{ maker: "a", no: 1 }]],
          requests: ["yard:/parts/a/1/edits"],
        }),
      },
      {
        program: "Part(maker=a, no=1).edit(ops=[{op: insrt, at: 1, text: x}])",
        yard: true,
        errors: [
          {
            code: "argument_invalid",
            says: ["insrt", "op", "insert, drop"],
            suggests: "Part(maker=a, no=1).edit(ops=[{op: insert, at: 1, text: x}])",
          },
        ],
      },
      {
        program: "Part(maker=a, no=1).edit(ops=[{op: turn}])",
        yard: true,
        errors: [{ code: "argument_invalid", says: ["turn", "op", "insert, drop"] }],
      },
      {
        program: "Part(maker=a, no=1).edit(ops=[{op: drop, at: 1, text: x}])",
        yard: true,
        errors: [{ code: "argument_unknown", says: ["text", "at"] }],
      },
      {
        program: "Part(maker=a, no=1).edit(ops=[{op: insert, at: 1}])",
        yard: true,
        errors: [{ code: "argument_missing", says: ["text"] }],
      },
    ],
  },
];
