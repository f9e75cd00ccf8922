import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { type Told, watchOf } from "./watch-of.ts";
import { useGitHubWorld } from "./use-github-world.ts";

const SECRET = "a secret of the repository";
const running = useGitHubWorld({ GITHUB_WEBHOOK_SECRET: SECRET });

/** What GitHub sends of an event, signed as GitHub signs. */
function event(body: string, secret = SECRET): Told {
  const signature = createHmac("sha256", secret).update(body).digest("hex");
  return {
    body,
    headers: {
      "x-github-event": "issues",
      "x-github-delivery": "72d3162e-cc78-11e3-81ab-4c9367dc0958",
      "x-hub-signature-256": `sha256=${signature}`,
    },
  };
}

describe("WATCH-07 on GitHub", () => {
  test("open issues are compared when GitHub tells that one has changed", async () => {
    const { url } = running().world;
    const watch = await watchOf(url, {
      program:
        'Issue{owner="harbour", repo="quay", state=open}.limit(500)[owner, repo, number, title, state]',
      entities: "github.Issue",
      webhook: "github.events",
    });
    expect(await watch.told(event('{"action":"ping"}'))).toBe(202);
    await watch.readings(1);
    expect(await watch.events("number")).toEqual([]);
    const open = running()
      .repository("harbour/quay")
      .issues.filter(({ state }) => state === "open");
    const [closed, renamed] = open;
    Object.assign(running().issue(closed?.number ?? 0), { state: "closed" });
    Object.assign(running().issue(renamed?.number ?? 0), { title: "No tides" });
    expect(await watch.told(event('{"action":"closed"}', "guessed"))).toBe(401);
    expect(await watch.told(event('{"action":"closed"}'))).toBe(202);
    await watch.readings(2);
    expect(await watch.events("number")).toEqual([
      `changed ${renamed?.number}`,
      `vanished ${closed?.number}`,
    ]);
  });
});
