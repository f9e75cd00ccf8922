import {
  type CapabilityDraft,
  capabilityName,
  type PartDraft,
} from "../catalog/capability-draft.ts";
import { xmlMembers } from "../document/xml-members.ts";
import type { CatalogDraft } from "./domain-text.ts";
import {
  type Entries,
  type FileForm,
  fileText,
  inline,
  remarked,
  whenWritten,
} from "./file-text.ts";

/** Segments of a path, literals that follow each other in one. */
function pathEntry({ operation, request }: CapabilityDraft): unknown {
  const pieces: (readonly [string, unknown])[][] = [];
  let literals: string[] = operation.server === null ? [] : [operation.server];
  const variables = operation.segments.flatMap((one) =>
    one.kind === "variable" ? [one.name] : [],
  );
  const names = new Map(variables.map((name, at) => [name, request.path[at] ?? name]));
  const close = (): void => {
    if (literals.length > 0)
      pieces.push([
        ["type", "literal"],
        ["value", literals.join("/")],
      ]);
    literals = [];
  };
  for (const segment of operation.sent?.segments ?? operation.segments) {
    if (segment.kind === "literal" && segment.value !== "") {
      literals.push(segment.value);
      continue;
    }
    close();
    if (segment.kind === "literal") {
      // A slash at the end, or one after another (MAP-010).
      pieces.push([
        ["type", "literal"],
        ["value", ""],
      ]);
      continue;
    }
    const name = names.get(segment.name) ?? segment.name;
    const suffix = segment.suffix === "" ? [] : [["suffix", segment.suffix] as const];
    const joined = segment.joined === true ? [["joined", true] as const] : [];
    const encode = segment.expands === undefined ? [] : [["encode", "path"] as const];
    pieces.push([["type", "var"], ["name", name], ...suffix, ...joined, ...encode]);
  }
  close();
  return pieces.map((piece) => inline(new Map<string, unknown>(piece)));
}

const objectEntry = (fields: readonly (readonly [string, unknown])[]): unknown => ({
  type: "object",
  fields: fields.map(([name, value]) => inline([name, value])),
});

function bodyEntry({ body }: CapabilityDraft["request"]): unknown {
  if (body === null) return null;
  const fields = body["fields"];
  return Array.isArray(fields)
    ? objectEntry(fields as readonly (readonly [string, unknown])[])
    : inline(body);
}

const partsEntry = (parts: readonly PartDraft[]): unknown => ({ parts: parts.map(inline) });

const acceptedType = (value: string) => ["Accept", { type: "const", value }] as const;

/** `single` and `bare_list` as maps, which say more. */
const AS_MAPS: Readonly<Record<string, object>> = { single: { single: true }, bare_list: {} };

/** What is answered; of XML with what JSON of it has (MAP-035). */
function responseEntry(
  { xml, answer }: CapabilityDraft["operation"],
  response: unknown,
): readonly (readonly [string, unknown])[] {
  if (response === null) return [];
  if (xml === null)
    return [["response", typeof response === "string" ? response : inline(response)]];
  const map = typeof response === "string" ? (AS_MAPS[response] ?? {}) : (response as object);
  const row = answer.kind === "row" || answer.kind === "list" ? answer.path.length : 0;
  const members = xmlMembers(xml.schema, row);
  const said = [...members].map(([path, one]) => [path, inline(one)] as const);
  const listed = Object.entries(map).map(([key, value]) => [key, inline(value)] as const);
  return [["response", new Map<string, unknown>([...listed, ["xml", new Map(said)]])]];
}

function mappingEntry(capability: CapabilityDraft): unknown {
  const { operation, request, response, pagination, remark, transport } = capability;
  const body = bodyEntry(request);
  const accept = operation.xml === null ? [] : [acceptedType(operation.xml.mediaType)];
  const headers = [...accept, ...request.headers];
  const entries: Entries = [
    ...(transport === undefined ? [] : [["transport", transport] as const]),
    ["method", operation.sent?.method ?? operation.method],
    ["path", pathEntry(capability)],
    ...(request.query.length === 0 ? [] : [["query", objectEntry(request.query)] as const]),
    ...(request.brackets.length === 0
      ? []
      : [["query_brackets", inline(request.brackets)] as const]),
    ...(request.numbered.size === 0
      ? []
      : [
          [
            "query_numbered",
            new Map([...request.numbered].map(([path, one]) => [path, inline(one)] as const)),
          ] as const,
        ]),
    ...(headers.length === 0 ? [] : [["headers", objectEntry(headers)] as const]),
    ...(body === null ? [] : [["body", body] as const]),
    ...(body !== null && operation.body?.format === "form"
      ? [["body_format", "form_urlencoded"] as const]
      : []),
    ...(body !== null && operation.body?.format === "binary"
      ? [["body_format", "binary"] as const]
      : []),
    ...(request.parts === null
      ? []
      : [["body_format", "multipart"] as const, ["multipart", partsEntry(request.parts)] as const]),
    ...(request.idempotency === null
      ? []
      : [["idempotency", inline({ header: request.idempotency })] as const]),
    ...responseEntry(operation, response),
    ...(pagination === null ? [] : [["pagination", inline(pagination)] as const]),
  ];
  return remarked(remark, new Map(entries));
}

/** The text of mappings.yaml. */
export function mappingsText(draft: CatalogDraft, form: FileForm): string {
  const entries: Entries = [
    ...whenWritten(draft.capabilities, (one) => [capabilityName(one), () => mappingEntry(one)]),
  ];
  return fileText(
    form,
    [`${draft.source}: how each capability of domain.yaml is asked for.`],
    entries,
    new Set(),
  );
}
