import type { Rule } from "../rule.ts";

/** CAT-045: only text and blobs are presented as references, clipped, or attached. */
export const presentationRule: Rule = ({ domain, inDomain }) => {
  for (const [entity, { fields }] of domain.entities) {
    for (const [name, field] of fields) {
      const type = domain.values.get(field.value_ref)?.type;
      if (type === undefined || type === "string" || type === "blob") continue;
      const path = ["entities", entity, "fields", name];
      if (field.agent_presentation !== "default") {
        const key = "agent_presentation";
        inDomain.atKey([...path, key], "CAT045", "type", { key, type });
      }
      if (field.attachment_media !== undefined) {
        const key = "attachment_media";
        inDomain.atKey([...path, key], "CAT045", "type", { key, type });
      }
    }
  }
};
