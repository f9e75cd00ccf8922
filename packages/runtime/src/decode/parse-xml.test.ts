import { Buffer } from "node:buffer";
import type { Json } from "@plasm/core";
import type { XmlMember } from "@plasm/core/internal";
import { describe, expect, it } from "vitest";
import { xmlInSteps } from "./parse-xml.ts";
import { readBody } from "./response-body.ts";

const bodyOf = (
  text: string,
  xml: Record<string, XmlMember> | null,
  more = {},
  type = "text/xml",
) =>
  readBody(
    { status: 200, headers: [["content-type", type]], body: Buffer.from(text) },
    64,
    xml === null
      ? undefined
      : (read, depth) => xmlInSteps(read, { xml: new Map(Object.entries(xml)), ...more }, depth),
  );

const valueOf = (text: string, xml: Record<string, XmlMember>, more = {}): Json => {
  const body = bodyOf(text, xml, more);
  if (body.kind !== "json") throw new Error(JSON.stringify(body));
  return body.value;
};

describe("RUN-197 MAP-035 XML is read as its mapping says", () => {
  const boats = { Boats: { list: "member", type: "object" } } as const;

  it("a list is one, of however many elements, within an element of its own or without one", () => {
    const wrapped = (inner: string) => `<ListBoats><Boats>${inner}</Boats></ListBoats>`;
    const boat = (name: string) => `<member><Name>${name}</Name></member>`;
    expect(valueOf(wrapped(boat("a") + boat("b")), boats)).toEqual({
      Boats: [{ Name: "a" }, { Name: "b" }],
    });
    expect(valueOf(wrapped(boat("a")), boats)).toEqual({ Boats: [{ Name: "a" }] });
    expect(valueOf("<ListBoats><Boats/></ListBoats>", boats)).toEqual({ Boats: [] });
    expect(valueOf("<ListBoats/>", boats)).toEqual({ Boats: [] });
    const bare =
      "<ListBoats><Boats><Name>a</Name></Boats><Boats><Name>b</Name></Boats></ListBoats>";
    expect(valueOf(bare, boats)).toEqual({ Boats: [{ Name: "a" }, { Name: "b" }] });
    expect(valueOf("<ListBoats><Boats><Name>a</Name></Boats></ListBoats>", boats)).toEqual({
      Boats: [{ Name: "a" }],
    });
    const named = { Urls: { list: "Url" } } as const;
    expect(valueOf("<R><Url>a</Url><Next>n</Next></R>", named)).toEqual({ Urls: ["a"], Next: "n" });
    const itself = { Contents: { list: "Contents", type: "object" } } as const;
    expect(valueOf("<R><Contents><Key>a</Key></Contents></R>", itself)).toEqual({
      Contents: [{ Key: "a" }],
    });
  });

  it("a map is an object of the names that its entries say, however many", () => {
    const map = { Limits: { map: "entry", type: "number" } } as const;
    const entry = (key: string, value: string) =>
      `<entry><key>${key}</key><value>${value}</value></entry>`;
    const inner = (text: string) => valueOf(`<R><Limits>${text}</Limits></R>`, map);
    expect(inner(entry("a", "1") + entry("b c", "2"))).toEqual({ Limits: { a: 1, "b c": 2 } });
    expect(inner(entry("a", "1"))).toEqual({ Limits: { a: 1 } });
    expect(inner("")).toEqual({ Limits: {} });
    expect(valueOf("<R/>", map)).toEqual({});
    expect(inner("<entry><value>1</value></entry>")).toEqual({ Limits: {} });
    const rows = {
      Boats: { map: "entry", type: "object" },
      "Boats/Length": { type: "number" },
    } as const;
    const boat = "<entry><key>b1</key><value><Length>3</Length></value></entry>";
    expect(valueOf(`<R><Boats>${boat}</Boats></R>`, rows)).toEqual({
      Boats: { b1: { Length: 3 } },
    });
    const own = JSON.parse('{"__proto__":1}') as Json;
    expect(inner(entry("__proto__", "1"))).toEqual({ Limits: own });
  });

  it("numbers, truth, other names, attributes, empty elements and nil", () => {
    const text = `<?xml version="1.0"?><b:Boat xmlns:b="urn:b" xmlns:xsi="urn:x" id="7">
      <b:Length>12</b:Length><Sold>true</Sold><boatName>a&amp;b</boatName><Note/><Crew/>
      <Owner xsi:nil="true"/><Log><![CDATA[<x>]]></Log></b:Boat>`;
    expect(
      valueOf(text, {
        Id: { from: "@id" },
        Length: { type: "number" },
        Sold: { type: "boolean" },
        Name: { from: "boatName" },
        Crew: { type: "object" },
      }),
    ).toEqual({
      Id: "7",
      Length: 12,
      Sold: true,
      Name: "a&b",
      Note: null,
      Crew: {},
      Owner: null,
      Log: "<x>",
    });
  });

  it("a flag that is none of its words is the text that stands there", () => {
    const text = "<Boat><Sold>constructor</Sold><Old>0</Old></Boat>";
    const flags = { Sold: { type: "boolean" }, Old: { type: "boolean" } } as const;
    expect(valueOf(text, flags)).toEqual({ Sold: "constructor", Old: false });
  });

  it("a result within a response, the envelope of SOAP, and an element that is the row itself", () => {
    const result =
      "<GetBoatResponse><GetBoatResult><Boat><Name>a</Name></Boat></GetBoatResult><Meta/></GetBoatResponse>";
    const row = { Boat: { Name: "a" } };
    expect(valueOf(result, {})).toEqual(row);
    expect(
      valueOf(`<s:Envelope xmlns:s="urn:s"><s:Header/><s:Body>${result}</s:Body></s:Envelope>`, {}),
    ).toEqual(row);
    expect(valueOf("<Boat><Name>a</Name></Boat>", {}, { itemsPath: ["Boat"] })).toEqual(row);
  });

  it("lists within rows, and members that nobody said", () => {
    const xml = {
      Boats: { list: "item", type: "object" },
      "Boats/Tags": { list: "Tag" },
      "Boats/Crew/Age": { type: "number" },
    } as const;
    const text =
      "<R><Boats><item><Tags><Tag>x</Tag></Tags><Crew><Age>3</Age></Crew></item><item><Crew/></item></Boats></R>";
    expect(valueOf(text, xml)).toEqual({
      Boats: [
        { Tags: ["x"], Crew: { Age: 3 } },
        { Tags: [], Crew: null },
      ],
    });
    expect(valueOf("<R><a>1</a><a>2</a><__proto__><x>1</x></__proto__></R>", {})).toEqual(
      JSON.parse('{"a":["1","2"],"__proto__":{"x":"1"}}'),
    );
  });

  it("is markup where no mapping says XML, and where it is a page", () => {
    expect(bodyOf("<a/>", null).kind).toBe("markup");
    expect(bodyOf("<html><body/></html>", {}).kind).toBe("markup");
    expect(bodyOf("<!doctype html><p>", {}, {}, "application/xml").kind).toBe("markup");
  });

  it.each([
    ["an entity of a DTD", '<!DOCTYPE a [<!ENTITY e "x">]><a>&e;</a>', /no XML/],
    [
      "entities of entities",
      '<!DOCTYPE a [<!ENTITY e "x"><!ENTITY f "&e;&e;">]><a>&f;</a>',
      /no XML/,
    ],
    ["a file", '<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]><a>&e;</a>', /no XML/],
    ["an element that is not closed", "<a><b>", /no XML/],
    ["two roots", "<a/><b/>", /no XML/],
    ["depth without end", "<a>".repeat(100_000), /nests deeper than 64/],
    ["a sea of elements", `<a>${"<b/>".repeat(300_001)}</a>`, /more than 300000 elements/],
  ])("%s is refused", (_, text, why) => {
    expect(bodyOf(text, {})).toMatchObject({ kind: "broken", why: expect.stringMatching(why) });
  });

  it("a declared DTD without entities is not read", () => {
    expect(valueOf('<!DOCTYPE a SYSTEM "http://127.0.0.1:1/a.dtd"><a><b>1</b></a>', {})).toEqual({
      b: "1",
    });
  });
});
