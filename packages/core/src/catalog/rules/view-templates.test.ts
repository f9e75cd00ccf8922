import { patchedCatalog } from "@plasm/testkit";
import { describe, expect, test } from "vitest";
import { diagnose } from "./testing/diagnose-patch.ts";
import { computed, view } from "./testing/cases/view-templates.cases.ts";

test("CAT-126: binds see scope, earlier nodes and nodes; outputs see scope and outputs", () => {
  const { domain, mappings } = patchedCatalog(view({}));
  expect(diagnose(domain, mappings)).toEqual([]);
});

test("CAT-126: 32,768 characters are allowed", () => {
  const longest = `"${"x".repeat(32_768)}"`;
  const { domain, mappings } = patchedCatalog(view({ slug: longest }));
  expect(diagnose(domain, mappings)).toEqual([]);
});

describe("CAT-123", () => {
  const broken = (nodes: string): readonly string[] => {
    const { domain, mappings } = patchedCatalog(view({}));
    const text = domain.replace(/ {6}- \{id: open.*\n.*\n/, nodes);
    return diagnose(text, mappings).map(({ code, keyPath, message }) => {
      return `${code} ${keyPath} ${message.split(".")[0]}`;
    });
  };
  const node = (id: string, bind: string) =>
    `      - {id: ${id}, capability: parcel_query, bind: {depot: ${bind}}}\n`;

  test("templates of nodes close no circle with fields of nodes", () => {
    const open = node("open", "{kind: node_field, node: late, field: depot}");
    const circle = "The templates refer to each other in a circle: open → late → open";
    const at = "views.today.nodes[0].bind";
    for (const template of [
      "{{ open.depot }}",
      "{{ nodes.open | length }}",
      "{{ nodes | length }}",
    ]) {
      const late = node("late", computed(`"${template}"`));
      expect(broken(open + late)).toEqual([`CAT123 ${at} ${circle}`]);
    }
    expect(broken(open + node("late", computed('"{{ depot }}"')))).toEqual([]);
  });
});
