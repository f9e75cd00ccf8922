import { expect, test } from "vitest";
import { CALLERS, openTalk } from "../harness/callers.ts";
import { seedsOf } from "../harness/open-session.ts";
import { refIn } from "../harness/talk.ts";
import { useWorld } from "../harness/use-world.ts";

const world = useWorld();
const seeds = seedsOf("quay", "Boat", "Person");

/** A create with a value of an earlier row, an update per row of it, an action and a delete. */
const program = (name: string): string => `owner = Person("ann")[login, name]
made = Boat.create(name="${name}", owner=ann, note=owner.name)
made => Boat(_.id).update(name=_.note, state=sailing)
Boat("b1").ping()
made => Boat(_.id).delete()`;

/** By foreign clients, too: the SDK of older protocols and the Inspector. */
test.each(CALLERS)(
  "G1 L15 L28 P27 %s: context, plan, blocked, run with the ref, told again",
  async (caller) => {
    const { apis } = world();
    const talk = await openTalk(caller, world(), { intent: `${caller}: effects`, seeds });
    try {
      expect(talk.taught).toMatch(/^Boat\.create\(.*\tBoat · opt/m);
      apis.forgetRequests();
      const blocked = await talk.run(program(caller));
      expect(blocked.outcome).toBe("review");
      const ref = refIn(blocked);
      expect(blocked.text).toMatch(`review ${ref}: not run (no ref)\n`);
      const plan = await talk.plan(program(caller));
      expect(plan.outcome).toBe("done");
      expect(plan.text).toMatch(`plan review ${ref} · `);
      expect(plan.text).toContain("quay.Boat.create(");
      expect(apis.requests).toEqual([]);

      const run = await talk.run(program(caller), { plan_commit_ref: ref });
      expect(run, run.text).toMatchObject({ outcome: "done" });
      const sent = apis.requests.map(({ method, path, body }) => [method, path, body]);
      const [, made] = /^done create quay\.Boat (b\d+)$/m.exec(run.text) ?? [];
      const writes = sent.filter(([method]) => method !== "GET");
      expect(writes).toEqual([
        ["POST", "/boats", { name: caller, owner: "ann", note: "Ann" }],
        ["PATCH", `/boats/${made}`, { name: "Ann", state: "sailing" }],
        ["POST", "/boats/b1/ping", undefined],
        ["DELETE", `/boats/${made}`, undefined],
      ]);
      expect(run.text.split("\n").slice(-4)).toEqual([
        `done create quay.Boat ${made}`,
        `done update quay.Boat ${made}`,
        "done ping quay.Boat b1",
        `done delete quay.Boat ${made}`,
      ]);

      const again = await talk.run(program(caller), { plan_commit_ref: ref });
      expect(again.text.replace(/\nnote: .*$/, "")).toBe(run.text);
      expect(again.text).toMatch(new RegExp(`\nnote: ${ref} ran \\d+ s ago`));
      expect(apis.requests).toHaveLength(sent.length);
    } finally {
      await talk.close();
    }
  },
  // Each call of the Inspector is a process of its own, and over stdio another of the server.
  120_000,
);
