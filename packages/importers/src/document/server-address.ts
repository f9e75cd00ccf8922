import { type DocumentObject, memberOf, textOf } from "../json.ts";

/** The address of an entry of `servers`, with the default of each of its variables. */
export function serverAddress(server: DocumentObject): string {
  const variables = memberOf(server, "variables");
  const url = textOf(memberOf(server, "url")) ?? "";
  return url
    .replaceAll(/\{([^{}]*)\}/g, (whole, name: string) => {
      const value = memberOf(memberOf(variables, name), "default");
      return typeof value === "string" || typeof value === "number" ? String(value) : whole;
    })
    .trim();
}
