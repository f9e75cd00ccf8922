import { kiteCatalog, kiteMapping } from "@plasm/testkit";
import { describe, expect, it } from "vitest";
import { type ServedAgent, useServedCatalog } from "../../../test/served-catalog.ts";

const FILES = {
  ...kiteCatalog({
    fields: { maker: "text", length: "count" },
    capabilities: {
      kite_get: ["{ kind: get, entity: Kite }", kiteMapping("GET", null, "response: single")],
      kite_delete: ["{ kind: delete, entity: Kite }", kiteMapping("DELETE")],
    },
  }),
  entity: "Kite",
};

const kites = (count: number) =>
  Array.from({ length: count }, (_none, at) => ({
    id: `k${at}`,
    maker: at % 2 === 0 ? "ann" : "bo",
    length: at + 1,
  }));

const served = useServedCatalog();
let agent: ServedAgent;
const serve = async (body: unknown): Promise<void> => {
  agent = await served(FILES, () => ({ body }));
};

const SIGN =
  "rows_unread: kite_query: the API says 143 (meta.total), 4 were read; this catalog declares no paging for it";

describe("17.4 RUN-003, SURF-13: the text says that an API has more than it gave", () => {
  it("how many of how many, and what an author can do", async () => {
    await serve({ kites: kites(4), meta: { total: 143 } });
    const { text } = await agent.run("Kite");
    const lines = text.split("\n");
    expect(lines[0]).toBe("Kite · 4 rows, partial (rows_unread)");
    expect(lines.at(-1)).toContain(SIGN);
    expect(lines.at(-1)).toContain("declare pagination in its mapping");
    expect(lines.at(-1)).not.toContain("next: page(");
    expect(agent.asked).toEqual(["GET /kites"]);
  });

  it("LANG-067 no aggregate of them is a bare number", async () => {
    await serve({ kites: kites(4), meta: { total: 143 } });
    const { text, meta } = await agent.run(
      "Kite.aggregate(count, max(length), min(length), sum(length))",
    );
    const lines = text.split("\n");
    expect(lines[0]).toContain("1 row, partial (rows_unread)");
    expect(lines[2]).toBe("count\tmax_length\tmin_length\tsum_length");
    expect(lines[3]).toBe("≥ 4\t≥ 4\t≤ 1\t10 (of the rows read)");
    expect(text).toContain(SIGN);
    expect(JSON.stringify(meta)).toContain('"partial":"rows_unread"');
  });

  it("nor of groups, nor after further steps", async () => {
    await serve({ kites: kites(4), meta: { total: 143 } });
    const { text } = await agent.run("Kite.group_by(maker, count).sort(count, desc).limit(1)");
    expect(text.split("\n")[0]).toContain("partial (rows_unread)");
    expect(text).toContain("ann\t≥ 2");
    expect(text).toContain(SIGN);
  });

  it("a template says so above its text", async () => {
    await serve({ kites: kites(4), meta: { total: 143 } });
    const { text } = await agent.run("t = Kite <<X\n{{ rows | length }} kites\nX\nt");
    expect(text.split("\n")[0]).toContain("partial (rows_unread)");
    expect(text).toContain(SIGN);
  });

  it("what is whole is shown as it is", async () => {
    await serve({ kites: kites(4), meta: { total: 4 } });
    const { text } = await agent.run("Kite.aggregate(count)");
    expect(text).not.toContain("partial");
    expect(text.split("\n")[3]).toBe("4");
    const limited = await agent.run("Kite.limit(2)");
    expect(limited.text).not.toContain("partial");
  });

  it("LANG-076 no effect on them", async () => {
    await serve({ kites: kites(4), meta: { total: 143 } });
    await agent.run("Kite => _.delete()");
    await agent.runPlanned("pc0");
    let said = "~";
    while (said.includes("~")) said = (await agent.run("wait(s0_o1)")).text;
    expect(said).toContain("rows_unread");
    expect(agent.asked.filter((each) => each.startsWith("DELETE"))).toEqual([]);
  });
});
