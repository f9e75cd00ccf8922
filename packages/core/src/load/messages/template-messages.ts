import type { MessageSpec } from "./message.ts";

const problem = "Template {place}: {problem}";
const name = "Template {place}: there is no name {found}{nearest}. Allowed: {allowed}.";

/** CAT-126: templates of views; CAT-153: templates of the overlay. `place` is line:column in the template. */
export const templateMessages = {
  CAT126: {
    severity: "error",
    texts: {
      blank: "Found a blank template, from 1:1 on. Allowed: text that is not blank.",
      long: "Found a template of {found} characters, too long from {place} on. Allowed: at most {allowed}.",
      problem,
      name,
      node: "Template {place}: nodes has no {found}{nearest}. Allowed, the nodes before this one: {allowed}.",
    },
  },
  CAT153: {
    severity: "error",
    texts: { problem, name },
  },
} as const satisfies Readonly<Record<string, MessageSpec>>;
