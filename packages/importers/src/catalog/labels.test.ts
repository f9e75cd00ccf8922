import { expect, test } from "vitest";
import { answering, list, made, object, text } from "../testing/made.ts";

const boat = object({ id: text, name: text });
const id = { name: "id", in: "path", required: true, schema: text };
const done = (operationId: string) => ({
  operationId,
  responses: { "204": { description: "" } },
});

async function labelsOf(paths: object): Promise<readonly string[]> {
  const { domain } = await made({
    "/v3/boats": { get: answering(list(boat)) },
    "/v3/boats/{id}": { parameters: [id], get: answering(boat) },
    ...paths,
  });
  return Object.keys(domain.capabilities)
    .filter((name) => !/_(?:query|get)$/.test(name))
    .toSorted();
}

test("an operation that is called by its method and its path has the label that its path says", async () => {
  const labels = await labelsOf({
    "/v3/boats/{id}/archive": { parameters: [id], post: done("postV3BoatsIdArchive") },
    "/v3/boats/{id}/services/chat": { parameters: [id], put: done("PutBoatsIdServicesChat") },
    "/v3/boats/{id}/star": { parameters: [id], delete: done("delete_v3_boats_by_id_star") },
    "/v3/boats/{id}/wash": { parameters: [id], post: done("cleanBoat") },
  });
  expect(labels).toEqual([
    "boat_archive",
    "boat_clean",
    "boat_delete_star",
    "boat_set_services_chat",
  ]);
});

test("where that is what a field is called, the method stands before it (CAT-072)", async () => {
  const labels = await labelsOf({
    "/v3/boats/{id}/name": { parameters: [id], post: done("postV3BoatsIdName") },
  });
  expect(labels).toEqual(["boat_post_name"]);
});

test("21 no method is called as what it is done to, and what is done stands behind the last dot", async () => {
  const labels = await labelsOf({
    "/sms": { post: { ...done("SMS"), tags: ["Sms"] } },
    "/v3/boats/{id}/mark": { parameters: [id], post: done("app.harbour.fleet.tag") },
    "/v3/boats/remove": { post: done("delete_boats") },
    "/v3/boats/{id}/end": { parameters: [id], delete: done("deleteBoat") },
  });
  expect(labels).toEqual(["boat_delete", "boat_delete_end", "boat_tag", "sms_post"]);
});
