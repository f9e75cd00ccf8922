import { expect, test } from "vitest";
import { openCatalogEngine } from "./catalog-engine.ts";
import { useStarted } from "./endings.ts";
import { startHttpStub } from "./http-stub.ts";

const BODY = { status: "success", data: { alerts: [] }, repositories: [] };

const running = useStarted(async (endings) => ({
  endings,
  stub: await startHttpStub(endings, () => ({ body: BODY })),
}));

const OPEN = [
  ["prometheus", "PROMETHEUS_TOKEN", "Alert"],
  ["docker-registry", "DOCKER_REGISTRY_TOKEN", "Repository"],
] as const;

test.each(OPEN)(
  "%s needs no credential, and sends %s if there is one (RUN-120, RUN-121)",
  async (name, variable, program) => {
    const { endings, stub } = running();
    const before = stub.requests.length;
    for (const env of [{}, { [variable]: "t0ken-t0ken" }]) {
      const plasm = await openCatalogEngine(name, stub.url, await endings.directory("plasm"), {
        env,
      });
      endings.add(() => plasm.close());
      expect((await plasm.run(program)).results).toEqual([[]]);
    }
    const sent = stub.requests.slice(before).map(({ authorization }) => authorization);
    expect(sent).toEqual([undefined, "Bearer t0ken-t0ken"]);
  },
);
