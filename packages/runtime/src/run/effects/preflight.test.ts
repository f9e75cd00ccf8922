import type { Json } from "@plasm/core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type Received, type Reply, startServer, type TestServer } from "@plasm/testkit/servers";
import { run, type Setting } from "../../testing/fixture-run.ts";
import { lookingParcels } from "../../testing/looking-catalog.ts";
import { planProgram } from "../../testing/run-program.ts";

const CARRIERS = [
  "Ox",
  "Fox",
  "Fox",
  "Yak",
  "Elk",
  "Emu",
  "Ant",
  "Ape",
  "Fox",
  "Fox",
  "Fox",
  "Fox",
];

let server: TestServer;
let setting: Setting;
/** what the parcel says of itself now; effects change it */
let note = "dry";

function parcelOf(id: string): Reply {
  if (id === "gone") return { status: 404, json: { message: "no such parcel" } };
  const at = id === "lost" ? {} : { at: { region: "north" } };
  const labels: Json = id === "p2" ? { nodes: [{ id: "l1" }, { id: "l2" }] } : ["l2", "l1"];
  return { json: { id, note, weight: null, ...at, labels: id === "p3" ? null : labels } };
}

/** Four carriers a page. */
function carrierPage({ query }: Received): Reply {
  const page = Number(query.get("page"));
  const all = CARRIERS.map((name, at) => ({ id: `c${at + 1}`, name }));
  return { json: { results: all.slice(4 * (page - 1), 4 * page), more: 4 * page < all.length } };
}

function answer(request: Received): Reply {
  const { method, path } = request;
  const [, kind, id = ""] = path.split("/");
  if (method === "PUT") note = (JSON.parse(request.body) as { note: string }).note;
  if (method !== "GET")
    return method === "POST" && id.startsWith("c")
      ? { json: { id: "new" } }
      : { status: 204, text: "" };
  if (kind === "carriers") return carrierPage(request);
  if (kind === "labels") {
    const names = ["red", "wet", "old", "old", "l1", "l6"];
    return { json: { results: names.map((name, at) => ({ id: `l${at + 1}`, name })) } };
  }
  if (kind === "depots")
    return id === "d0" ? { status: 503, json: {} } : { json: { code: id, city: "Bo" } };
  return id === "" ? { json: { results: [{ id: "p1" }, { id: "p2" }] } } : parcelOf(id);
}

beforeAll(async () => {
  server = await startServer(answer);
  setting = { catalogs: [lookingParcels()], backends: { parcels: server.url } };
});
afterEach(() => {
  server.log.splice(0);
  note = "dry";
});
afterAll(() => server.close());

async function runs(program: string) {
  const { nodes, returns, summary } = planProgram(program, setting.catalogs);
  const outcome = await run(setting, nodes, returns);
  const sent = server.log.map(({ method, url, body }) => [
    `${method} ${url}`,
    ...(body === "" ? [] : [JSON.parse(body) as unknown]),
  ]);
  return { outcome, sent, bill: summary.bill };
}

async function fails(program: string) {
  const { outcome, sent } = await runs(program);
  expect(outcome.status).toBe("failed");
  expect(sent.filter(([line]) => !String(line).startsWith("GET"))).toEqual([]);
  expect(outcome.effects.map(({ status }) => status)).toEqual(["skipped"]);
  const error = outcome.nodes.find(({ status }) => status === "failed")?.error;
  return { code: error?.code, message: error?.message, correction: error?.correction, sent };
}

describe("RUN-104: hydrate_invoke_target", () => {
  test("binds prefix_field before an update; what is null is left out of the body", async () => {
    const { sent, bill } = await runs('Parcel("p1").note(note="wet")');
    expect(sent).toEqual([
      ["GET /parcels/p1"],
      ["PUT /parcels/p1", { note: "wet", old_note: "dry" }],
    ]);
    expect(bill.requests).toEqual({ exact: sent.length });
  });

  test("before a delete", async () => {
    const { sent } = await runs('Parcel("p1").drop()');
    expect(sent).toEqual([["GET /parcels/p1"], ["DELETE /parcels/p1"]]);
  });

  test("reads after the last effect, not what was read before it", async () => {
    const { sent } = await runs('Parcel("p1").note(note="wet")\nParcel("p1").note(note="cold")');
    expect(sent.at(-1)).toEqual(["PUT /parcels/p1", { note: "cold", old_note: "wet" }]);
    expect(sent.filter(([line]) => line === "GET /parcels/p1")).toHaveLength(2);
  });

  test("before each of several effects, in row order", async () => {
    const { sent, bill } = await runs("Parcel.limit(2) => _.note(note=_.id)");
    expect(sent).toEqual([
      ["GET /parcels"],
      ["GET /parcels/p1"],
      ["PUT /parcels/p1", { note: "p1", old_note: "dry" }],
      ["GET /parcels/p2"],
      ["PUT /parcels/p2", { note: "p2", old_note: "p1" }],
    ]);
    expect(bill.requests).toEqual({ max: 5 });
  });

  test("what the program has just read is not read again (RUN-023), and the bill does not promise it", async () => {
    const { sent, bill } = await runs('p = Parcel("p1")\np\np.note(note="wet")');
    expect(sent.map(([line]) => line)).toEqual(["GET /parcels/p1", "PUT /parcels/p1"]);
    expect(bill.requests).toEqual({ max: 3 });
  });

  test("a row that is not there stops the effect", async () => {
    expect(await fails('Parcel("gone").note(note="wet")')).toMatchObject({
      code: "not_found",
      message:
        "note was not sent: preflight step 1, hydrate_invoke_target by parcel_get: Parcel:gone does not exist.",
    });
  });
});

describe("RUN-104: hydrate_entity_ref_param", () => {
  test("merges fields of the row an argument refers to; the argument is no part of input (RUN-013)", async () => {
    const { sent, bill } = await runs('Parcel("p1").send(to=Depot("d1"), speed="fast")');
    expect(sent).toEqual([
      ["GET /parcels/p1"],
      ["GET /depots/d1"],
      ["POST /parcels/p1/send", { input: { speed: "fast" }, city: "Bo" }],
    ]);
    expect(bill.requests).toEqual({ exact: sent.length });
  });

  test("is left out without the argument", async () => {
    const { sent } = await runs('Parcel("p1").send(speed="fast")');
    expect(sent.map(([line]) => line)).toEqual(["GET /parcels/p1", "POST /parcels/p1/send"]);
  });

  test("a read that fails stops the effect with its own message", async () => {
    const { code, message } = await fails('Parcel("p1").send(to=Depot("d0"))');
    expect(code).toBe("upstream_error");
    expect(message).toMatch(
      /^send was not sent: preflight step 2, hydrate_entity_ref_param by depot_get: .*503/,
    );
  });
});

describe("RUN-104: query_pick", () => {
  const send = (name: string, id = "p1"): string => `Parcel("${id}").send(carrier_name="${name}")`;

  test("finds the one exact match on any page, in a scope of the wire row and literals", async () => {
    const { sent, bill } = await runs(send("Ape"));
    expect(sent).toEqual([
      ["GET /parcels/p1"],
      ["GET /carriers?region=north&open=yes&page=1"],
      ["GET /carriers?region=north&open=yes&page=2"],
      ["GET /carriers?region=north&open=yes&page=3"],
      ["POST /parcels/p1/send", { input: {}, carrierId: "c8" }],
    ]);
    expect(bill.requests).toEqual({ unknown: "n1 a look-up before it" });
  });

  test("before a create, in a scope of its arguments; a path may take what it merges", async () => {
    const { sent } = await runs('Parcel.create(note="n", carrier_name="Elk", region="s/e")');
    expect(sent.at(0)).toEqual(["GET /carriers?region=s%2Fe&page=1"]);
    expect(sent.at(-1)).toEqual(["POST /carriers/c5/parcels", { note: "n" }]);
  });

  test("several matches are an error that lists up to five", async () => {
    const { code, message, correction } = await fails(send("Fox"));
    expect(code).toBe("argument_invalid");
    expect(message).toContain('6 Carrier rows have name "Fox", which carrier_name asks for: ');
    expect(message?.match(/Carrier:c\d+ \("Fox"\)/g)).toEqual(
      ["c2", "c3", "c9", "c10", "c11"].map((id) => `Carrier:${id} ("Fox")`),
    );
    expect(message).toContain("and 1 more");
    expect(correction).toContain("carrier_name");
  });

  test("no exact match is an error that lists the nearest", async () => {
    const { code, message } = await fails(send("ox"));
    expect(code).toBe("argument_invalid");
    expect(message).toContain('No Carrier has name "ox"');
    expect(message?.match(/Carrier:c\d+ /g)).toHaveLength(5);
    expect(message).toContain('there are Carrier:c1 ("Ox"), Carrier:c2 ("Fox")');
  });

  test("a scope that the row does not have stops it", async () => {
    expect(await fails(send("Ape", "lost"))).toMatchObject({
      code: "null_value",
      sent: [["GET /parcels/lost"]],
    });
  });
});

describe("RUN-104: label_ids_delta", () => {
  test.each<[string, string, Json]>([
    ["a list of ids", 'Parcel("p1").label(add=["red", "wet"])', ["l2", "l1"]],
    ["added and removed by name", 'Parcel("p1").label(add=["red"], remove=["wet"])', ["l1"]],
    ["nodes with objects", 'Parcel("p2").label(remove=["red"])', ["l2"]],
    ["none yet; an id stands for itself", 'Parcel("p3").label(add=["l3"])', ["l3"]],
    ["a label that is named as its own id", 'Parcel("p3").label(add=["l6"])', ["l6"]],
  ])("%s", async (_what, program, expected) => {
    const { sent } = await runs(program);
    expect(sent.map(([line]) => line).slice(0, 2)).toEqual([
      `GET /parcels/${program.slice(8, 10)}`,
      "GET /labels",
    ]);
    expect(sent.at(-1)?.[1]).toEqual({ labelIds: expected });
  });

  test("nothing to change, nothing looked up", async () => {
    const { sent } = await runs('Parcel("p1").label()');
    expect(sent).toEqual([["GET /parcels/p1"], ["POST /parcels/p1/labels", {}]]);
  });

  test("unknown and ambiguous names are errors", async () => {
    expect((await fails('Parcel("p1").label(add=["blue"])')).message).toContain(
      'No Label has name or id "blue"',
    );
    const two = await fails('Parcel("p1").label(remove=["old"])');
    expect(two.message).toContain(
      '2 Label rows have name or id "old", which remove asks for: Label',
    );
    expect(two.message).toContain('Label:l3 ("old"), Label:l4 ("old")');
  });

  test("a name that is another label's id could mean either: refused, nothing sent", async () => {
    const { message } = await fails('Parcel("p3").label(add=["l1"])');
    expect(message).toContain('2 Label rows have name or id "l1", which add asks for: ');
    expect(message).toContain('Label:l1 ("red"), Label:l5 ("l1")');
  });
});

test("PLAN-050: reads before effects count against the budget, and what it cuts stops the effect", async () => {
  const { nodes, returns } = planProgram('Parcel("p1").send(carrier_name="Ape")', setting.catalogs);
  const outcome = await run({ ...setting, limits: { requests: 3 } }, nodes, returns);
  expect(outcome.status).toBe("failed");
  expect(server.log.map(({ method }) => method)).toEqual(["GET", "GET", "GET"]);
  expect(outcome.effects.map(({ status }) => status)).toEqual(["skipped"]);
});
