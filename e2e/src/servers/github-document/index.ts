/** GitHub's own OpenAPI document, and which of its operations the shipped catalog has. */
export { GITHUB, githubCatalog, httpTemplates } from "./github-catalog.ts";
export { officialDocument, type OfficialDocument } from "./official-document.ts";
export { Operations } from "./operations.ts";
