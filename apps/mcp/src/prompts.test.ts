import { LOCAL } from "@plasm/agent-core";
import { makeBoats, startQuay } from "@plasm/testkit/servers";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { connectTo } from "./testing/http-client.ts";
import { cleanUp, realHost, temporaryDirectory } from "./testing/real-host.ts";

let quay: Awaited<ReturnType<typeof startQuay>>;
beforeAll(async () => {
  quay = await startQuay(makeBoats(30));
});
afterAll(() => quay.close());
afterEach(cleanUp);

const LOST = `;; name: lost_boats
;; description: Lost boats from a length on
;; parameters: long
;; entities: quay.Boat

long = 10
boats = Boat{state=lost, length>=long}.limit(2)[id, length]
boats`;
const NOTED = `;; name: note_it
;; parameters: text
;; entities: quay.Boat

text = "needs paint"
Boat("b4").update(note=text)`;

const SEEN = `;; name: seen_since
;; parameters: since, lost
;; entities: quay.Boat, quay.Visit

since = 2026-01-01
lost = true
visits = Visit{boat=Boat("b1"), day>=since}[day, fee]
lost
visits`;

describe.each(["legacy", "modern"] as const)("SAV-09 saved programs are prompts, %s era", (era) => {
  const open = async (...more: readonly string[]) => {
    const env = { PLASM_BACKEND_QUAY: quay.url };
    const { handler, engine } = await realHost(await temporaryDirectory(), env);
    await engine.programs.import(LOCAL, LOST);
    for (const text of [NOTED, ...more]) await engine.programs.import(LOCAL, text);
    return (await connectTo(handler, era)).client;
  };

  it("each with its parameters, whose message is one call that does it", async () => {
    const client = await open();
    const { prompts } = await client.listPrompts();
    expect(prompts).toEqual([
      {
        name: "lost_boats",
        description: "Lost boats from a length on",
        arguments: [{ name: "long", description: "number; 10 unless given", required: false }],
      },
      {
        name: "note_it",
        description: "A saved program. Changes something: quay/boat_update",
        arguments: [
          { name: "text", description: "text; needs paint unless given", required: false },
        ],
      },
    ]);
    const asked = await client.getPrompt({ name: "lost_boats", arguments: { long: "20" } });
    const [message] = asked.messages;
    const text = message?.content.type === "text" ? message.content.text : "";
    const call = JSON.parse(text.split("\n\n")[1] ?? "{}") as Record<string, string>;
    expect(call["program"]).toContain("long = 20\n");
    const ran = await client.callTool({ name: "plasm_run", arguments: call });
    expect(JSON.stringify(ran.content)).toContain("boats");
    expect(ran.isError ?? false).toBe(false);
    await client.close();
  });

  it("arguments are completed by what they take, and nobody else's by nothing", async () => {
    const client = await open(SEEN);
    const values = async (prompt: string, name: string, value = "") => {
      const ref = { type: "ref/prompt" as const, name: prompt };
      const { completion } = await client.complete({ ref, argument: { name, value } });
      return completion.values;
    };
    expect(await values("lost_boats", "long")).toEqual(["10"]);
    expect(await values("lost_boats", "long", "2")).toEqual([]);
    expect(await values("note_it", "text", "needs")).toEqual(["needs paint"]);
    expect(await values("seen_since", "since")).toEqual([
      "2026-01-01",
      "today",
      "today-7d",
      "today-30d",
    ]);
    expect(await values("seen_since", "since", "today-")).toEqual(["today-7d", "today-30d"]);
    expect(await values("seen_since", "lost")).toEqual(["true", "false"]);
    for (const [prompt, name] of [
      ["none_such", "long"],
      ["lost_boats", "none_such"],
    ] as const) {
      expect(await values(prompt, name)).toEqual([]);
    }
    const uri = "plasm://session/{logical_session_ref}/table";
    const argument = { name: "logical_session_ref", value: "s" };
    const { completion } = await client.complete({ ref: { type: "ref/resource", uri }, argument });
    expect(completion.values).toEqual([]);
    await client.close();
  });

  it("what is wrong with an argument is said, and what changes something is reviewed", async () => {
    const client = await open();
    await expect(
      client.getPrompt({ name: "lost_boats", arguments: { long: "far" } }),
    ).rejects.toThrow("lost_boats: long is");
    await expect(client.getPrompt({ name: "none_such" })).rejects.toThrow("none_such");
    const asked = await client.getPrompt({ name: "note_it", arguments: { text: 'a"\nb' } });
    const [message] = asked.messages;
    const text = message?.content.type === "text" ? message.content.text : "";
    const call = JSON.parse(text.split("\n\n")[1] ?? "{}") as Record<string, string>;
    const held = await client.callTool({ name: "plasm_run", arguments: call });
    expect(JSON.stringify(held.content)).toContain("not run");
    await client.close();
  });

  it("SAV-10 one that a model keeps by a call is a prompt from then on", async () => {
    const client = await open();
    const seeds = [{ api: "quay", entity: "Boat" }];
    await client.callTool({ name: "plasm_context", arguments: { intent: "lost", seeds } });
    const program = 'states = ["lost"]\nb = Boat{state in states}[id]\nb';
    const save = { name: "by_state", description: "Boats by state", parameters: ["states"] };
    const kept = await client.callTool({
      name: "plasm_run",
      arguments: { logical_session_ref: "s0", program, save },
    });
    expect(kept.isError ?? false).toBe(false);
    expect(JSON.stringify(kept.content)).toContain("saved by_state");
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(["by_state", "lost_boats", "note_it"]);
    await client.close();
  });
});
