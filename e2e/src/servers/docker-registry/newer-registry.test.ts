import { expect, test } from "vitest";
import { openCatalogEngine } from "../catalog-engine.ts";
import { useStarted } from "../endings.ts";
import { type StubAnswer, startHttpStub } from "../http-stub.ts";

/** What distribution 3 does and 2.8 does not: tags in pages, and tags that can be taken away. */
const TAGS = Array.from({ length: 250 }, (_, at) => `v${String(at).padStart(3, "0")}`);

function answer(line: string, url: URL): StubAnswer {
  if (line.startsWith("DELETE ")) return { status: 202 };
  const size = Number(url.searchParams.get("n"));
  const from = TAGS.indexOf(url.searchParams.get("last") ?? "") + 1;
  const tags = TAGS.slice(from, from + size);
  const more = from + size < TAGS.length;
  const link = `</v2/team/app/tags/list?last=${tags.at(-1)}&n=${size}>; rel="next"`;
  return { body: { name: "team/app", tags }, headers: more ? { link } : {} };
}

const running = useStarted(async (endings) => {
  const stub = await startHttpStub(endings, answer);
  const plasm = await openCatalogEngine(
    "docker-registry",
    stub.url,
    await endings.directory("plasm"),
  );
  endings.add(() => plasm.close());
  return { stub, plasm };
});

test("tags in pages are followed by their Link headers (RUN-074, MAP-043)", async () => {
  const { stub, plasm } = running();
  const { results } = await plasm.run(`Tag{repository="team/app"}.limit(1000)[name]`);
  expect(results).toEqual([TAGS.map((name) => ({ name }))]);
  expect(stub.requests.map(({ line }) => line)).toEqual([
    "GET /v2/team/app/tags/list?n=100",
    "GET /v2/team/app/tags/list?last=v099&n=100",
    "GET /v2/team/app/tags/list?last=v199&n=100",
  ]);
});

test("a tag is taken away by its name", async () => {
  const { stub, plasm } = running();
  const ran = await plasm.run(`Tag(repository="team/app", name="v001").delete()`);
  expect(ran.capabilities).toEqual(["tag_delete"]);
  expect(stub.requests.at(-1)?.line).toBe("DELETE /v2/team/app/manifests/v001");
});
