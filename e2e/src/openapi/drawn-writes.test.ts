import { catalogFromOpenApi } from "@plasm/importers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ServedCatalog, serveCatalog } from "../engine/served-catalog.ts";
import { type Drawer, drawer } from "../drawer.ts";

/** A value that is sent, and how a program writes it. */
type Sent = readonly [value: unknown, written: string];

/** A member of a body drawn at random: its schema, and values that fit it. */
interface Member {
  readonly name: string;
  readonly schema: object;
  readonly draw: () => Sent;
}

const text = { type: "string" };
const TEXTS =
  "a|a b|a&b=c|ü/ñ|50%|x+y|null|true|007|a,b|[x]|a;b|#1|?| lead|two\nlines|'quoted'|{{x}}|$ref".split(
    "|",
  );
const NAMES =
  "title colour Weight max-load open_at tags note kind fooBar x.y level amount status flag type count limit ref data items value order from".split(
    " ",
  );

const same = (value: unknown): Sent => [value, JSON.stringify(value)];
const bare = (value: string): Sent => [value, value];

function drawValue(drawer: Drawer, depth: number): Pick<Member, "schema" | "draw"> {
  const { pick, next } = drawer;
  const some = (draw: () => Sent): Sent => {
    const all = Array.from({ length: pick([0, 1, 2, 3]) }, draw);
    return [all.map(([value]) => value), `[${all.map(([, written]) => written).join(", ")}]`];
  };
  const kinds: Readonly<Record<string, () => Pick<Member, "schema" | "draw">>> = {
    text: () => ({ schema: text, draw: () => same(pick(TEXTS)) }),
    whole: () => ({ schema: { type: "integer" }, draw: () => same(pick([0, -1, 7, 123456789])) }),
    number: () => ({ schema: { type: "number" }, draw: () => same(pick([0, 1.5, -2.25])) }),
    truth: () => ({ schema: { type: "boolean" }, draw: () => same(pick([true, false])) }),
    day: () => ({ schema: { ...text, format: "date" }, draw: () => bare("2026-01-31") }),
    instant: () => ({
      schema: { ...text, format: "date-time" },
      draw: () => bare("2026-01-31T09:30:00Z"),
    }),
    option: () => ({
      schema: { ...text, enum: ["on", "half way", "1"] },
      draw: () => same(pick(["on", "half way", "1"])),
    }),
    preset: () => ({ schema: { ...text, default: "usual" }, draw: () => same(pick(TEXTS)) }),
    nullable: () => ({
      schema: { ...text, nullable: true },
      draw: () => same(next() < 0.5 ? null : pick(TEXTS)),
    }),
    texts: () => ({
      schema: { type: "array", items: text },
      draw: () => some(() => same(pick(TEXTS))),
    }),
    map: () => ({
      schema: { type: "object", additionalProperties: text },
      draw: () => [{ k1: "v 1", "k-2": "w" }, '{k1: "v 1", "k-2": "w"}'],
    }),
  };
  const kind = pick([...Object.keys(kinds), ...(depth < 2 ? ["object", "objects"] : [])]);
  const made = kinds[kind]?.();
  if (made !== undefined) return made;
  const members = drawMembers(drawer, 3, depth + 1).filter(({ name }) => /^\w+$/.test(name));
  const properties = Object.fromEntries(members.map(({ name, schema }) => [name, schema]));
  const object = { type: "object", properties };
  const draw = (): Sent => {
    const drawn = members.filter(() => next() < 0.7).map((one) => [one.name, one.draw()] as const);
    const written = drawn.map(([name, [, said]]) => `${name}: ${said}`).join(", ");
    return [Object.fromEntries(drawn.map(([name, [value]]) => [name, value])), `{${written}}`];
  };
  return kind === "object"
    ? { schema: object, draw }
    : { schema: { type: "array", items: object }, draw: () => some(draw) };
}

function drawMembers(drawer: Drawer, count: number, depth = 0): readonly Member[] {
  const names = new Set<string>();
  while (names.size < count) names.add(drawer.pick(NAMES));
  return [...names].map((name) => ({ name, ...drawValue(drawer, depth) }));
}

const MEDIA = [
  "application/json",
  "application/merge-patch+json",
  "application/vnd.api+json",
  "application/x-www-form-urlencoded",
];
const METHODS = { post: "create", put: "update", patch: "update" } as const;
const KEYS = ["k1", "a/b", "ü %", "x?y#z"];

interface Write {
  readonly name: string;
  readonly media: string;
  readonly method: keyof typeof METHODS;
  readonly members: readonly Member[];
}

function documentOf(writes: readonly Write[]): object {
  const answer = (schema: object) => ({
    responses: { "200": { description: "", content: { "application/json": { schema } } } },
  });
  const id = { name: "id", in: "path", required: true, schema: text };
  const paths: Record<string, object> = {};
  const schemas: Record<string, object> = {};
  for (const { name, media, method, members } of writes) {
    const ref = { $ref: `#/components/schemas/${name}` };
    const properties = Object.fromEntries(members.map((one) => [one.name, one.schema]));
    const content = { [media]: { schema: { type: "object", properties } } };
    const write = { [method]: { requestBody: { required: true, content }, ...answer(ref) } };
    const list = { get: answer({ type: "array", items: ref }) };
    paths[`/${name}`] = method === "post" ? { ...list, ...write } : list;
    const one = { parameters: [id], get: answer(ref) };
    paths[`/${name}/{id}`] = method === "post" ? one : { ...one, ...write };
    schemas[name] = { type: "object", properties: { id: text, ...properties } };
  }
  return {
    openapi: "3.0.3",
    info: { title: "Writes", version: "1" },
    paths,
    components: { schemas },
  };
}

/** The members of a form that an object is. */
function formOf(value: unknown, name = ""): readonly string[] {
  if (Array.isArray(value)) {
    const isPlain = value.every((one) => typeof one !== "object") && !name.includes("[");
    return value.flatMap((one: unknown, at) => formOf(one, isPlain ? name : `${name}[${at}]`));
  }
  if (typeof value !== "object" || value === null) return [`${name}=${String(value)}`];
  return Object.entries(value).flatMap(([key, inner]) =>
    formOf(inner, name === "" ? key : `${name}[${key}]`),
  );
}

/** Whether there is a list without a value in what is sent, which a form cannot say. */
const holdsEmpty = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.length === 0 || value.some(holdsEmpty)
    : typeof value === "object" && value !== null && Object.values(value).some(holdsEmpty);

const SIZE = 20;

describe.each([1, 2, 3])("RUN-195: bodies of a document drawn by %i", (seed) => {
  const drawn = drawer(seed);
  const writes = Array.from({ length: SIZE }, (_none, at): Write => ({
    name: `Write${at}x`,
    media: drawn.pick(MEDIA),
    method: drawn.pick(["post", "put", "patch"] as const),
    members: drawMembers(drawn, 6),
  }));
  const seen: { method: string; path: string; type: string; body: string }[] = [];
  let served: ServedCatalog;

  beforeAll(async () => {
    served = await serveCatalog({
      listener: (request, response) => {
        const chunks: Buffer[] = [];
        request.on("data", (chunk: Buffer) => chunks.push(chunk));
        request.on("end", () => {
          seen.push({
            method: request.method ?? "",
            path: request.url ?? "",
            type: request.headers["content-type"] ?? "",
            body: Buffer.concat(chunks).toString("utf8"),
          });
          response.writeHead(200, { "content-type": "application/json" });
          response.end('{"id":"k"}');
        });
      },
      make: (options) => catalogFromOpenApi(documentOf(writes), options),
      entities: writes.map(({ name }) => name),
    });
  });
  afterAll(() => served.close());

  const cases = writes.flatMap((write) =>
    Array.from({ length: 3 }, () => {
      const given = write.members.filter(() => drawn.next() < 0.6);
      const values = given.map((one) => [one.name, one.draw()] as const);
      const args = values.map(([name, [, said]]) => `${name.replaceAll(/\W/g, "_")}=${said}`);
      const key = drawn.pick(KEYS);
      const on = write.method === "post" ? write.name : `${write.name}(${JSON.stringify(key)})`;
      const program = `${on}.${METHODS[write.method]}(${args.join(", ")})`;
      const body = Object.fromEntries(values.map(([name, [value]]) => [name, value]));
      return [`${write.media} ${program}`, { write, key, program, body }] as const;
    }),
  );

  it.each(cases)("%s: the server sees what was said, or is asked nothing", async (_name, one) => {
    const { write, key, program, body } = one;
    seen.length = 0;
    const answered = await served.run(program);
    const [sent] = seen;
    const isForm = write.media.endsWith("urlencoded");
    const refused = sent === undefined;
    // A form holds no null, and says so before anything is sent.
    expect([refused, refused && /null/.test(answered)], answered).toEqual([
      isForm && JSON.stringify(body).includes("null") && refused,
      refused,
    ]);
    const path = write.method === "post" ? write.name : `${write.name}/${encodeURIComponent(key)}`;
    const wanted = isForm ? [...formOf(body)].toSorted() : body;
    const raw = sent?.body ?? "";
    const shown = isForm
      ? [...new URLSearchParams(raw)].map(([name, value]) => `${name}=${value}`).toSorted()
      : JSON.parse(raw === "" ? "{}" : raw);
    const isTold = answered.includes("was not sent");
    expect(
      refused || [sent.method.toLowerCase(), sent.path.slice(1), shown, isTold],
      answered,
    ).toEqual(
      refused || [write.method, path, wanted, isForm && Object.values(body).some(holdsEmpty)],
    );
    expect(refused || raw === "" || sent.type.startsWith(write.media), sent?.type).toBe(true);
  });
});
