import type { PaginationDoc } from "../../load/format/pagination-shape.ts";
import type { KeyPath } from "../../load/key-path.ts";
import type { Template } from "../../mapping/template.ts";
import { isList, oneOfKind } from "../../schema/capability-kind.ts";
import type { PartView } from "../part-view.ts";
import type { Rule } from "../rule.ts";
import { mayBeObject } from "./possible-values.ts";

/** MAP-040 to MAP-045: how a list goes on. */
export const paginationRule: Rule = ({ catalog, mappings, inMappings }) => {
  for (const [name, template] of mappings) {
    if (template.transport === "view" || template.transport === "evm_call") continue;
    const { pagination } = template;
    const path = [name, "pagination"];
    if (pagination === undefined || inMappings.faulty(path)) continue;
    checkParams(pagination, path, inMappings);
    checkStop(pagination, path, inMappings);
    checkLocation(catalog.cml.get(name), pagination, path, inMappings);
    const kind = catalog.cgs.capabilities.get(name)?.kind;
    if (kind !== undefined && !isList(kind)) {
      inMappings.atKey(path, "MAP045", "kind", { found: name, kind: oneOfKind(kind) });
    }
  }
};

function checkParams(pagination: PaginationDoc, path: KeyPath, inMappings: PartView): void {
  const { location } = pagination;
  const urls = location === "link_header" || location === "response_next_url";
  for (const [name, param] of pagination.params) {
    const own = [...path, "params", name];
    const forms = (["counter", "fixed", "from_response", "from_last"] as const).filter(
      (form) => param[form] !== undefined,
    );
    const [form] = forms;
    if (form === undefined || forms.length > 1) {
      const found = forms.length === 0 ? "no form" : forms.join(" and ");
      inMappings.atKey(own, "MAP040", "form", { name, found });
    } else if (param.step !== undefined && form !== "counter") {
      inMappings.atKey([...own, "step"], "MAP040", "step", { name });
    } else if (urls && form !== "fixed") {
      inMappings.atKey([...own, form], "MAP043", "param", { name, found: form, location });
    }
  }
}

function checkStop(pagination: PaginationDoc, path: KeyPath, inMappings: PartView): void {
  const stop = pagination.stop_when;
  if (stop === undefined) return;
  const own = [...path, "stop_when"];
  if (stop.field === undefined) inMappings.atKey(own, "MAP041", "field", {});
  else if ((stop.eq === undefined) === (stop.absent === undefined)) {
    const found = stop.eq === undefined ? "neither eq nor absent: true" : "eq and absent";
    inMappings.atKey(own, "MAP041", "one", { found });
  }
}

function checkLocation(
  template: Template | undefined,
  pagination: PaginationDoc,
  path: KeyPath,
  inMappings: PartView,
): void {
  const { location } = pagination;
  if (pagination.body_merge_path.length > 0 && location !== "body") {
    inMappings.atKey([...path, "body_merge_path"], "MAP042", "location", { found: location });
  }
  const at = [...path, "location"];
  if (location === "block_range" && template?.transport !== "evm_logs") {
    inMappings.atValue(at, "MAP044", "transport", { found: template?.transport ?? "http" });
  }
  if (location !== "body") return;
  if (template?.transport !== "http" && template?.transport !== "graphql") return;
  const { body, bodyFormat } = template;
  if (bodyFormat !== "json") {
    inMappings.atValue(at, "MAP042", "body", { found: `body_format ${bodyFormat}` });
  } else if (body !== undefined && !mayBeObject(body)) {
    inMappings.atValue(at, "MAP042", "body", { found: `a body of type ${body.type}` });
  }
}
