import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { root } from "../boot/versions.mjs";
import { drawBars } from "./draw-bars.mjs";
import { drawCast } from "./draw-cast.mjs";
import { PICTURES } from "./pictures.mjs";
import { recordSession } from "./record-session.mjs";

const read = (path) => readFileSync(join(root, path), "utf8");

describe("the pictures of README (`node scripts/pictures.mjs` draws them)", () => {
  test.each(Object.entries(PICTURES))(
    "%s is drawn from its source, and loads nothing",
    (path, draw) => {
      expect(read(path)).toBe(draw(read));
      expect(read(path)).not.toMatch(/<script|href=|url\(/);
      expect(read("README.md")).toContain(path);
    },
  );

  test("the session is what the program says today", async () => {
    expect(await recordSession()).toBe(read("docs/pictures/session.txt"));
  }, 60_000);
});

test("a line that is wider than the terminal is refused", () => {
  expect(() => drawCast("# a\n$ plasm run", { title: "t", columns: 5 })).toThrow("wider than 5");
});

test("what was typed in several lines is typed, and text is text", () => {
  const svg = drawCast("# a\n$ plasm run -e 'x\n<y>'\nprinted", { title: "<t>", columns: 40 });
  expect(svg.match(/class="typed"/g)).toHaveLength(2);
  expect(svg.match(/class="printed"/g)).toHaveLength(1);
  expect(svg).toContain("&lt;y&gt;");
  expect(svg).toContain("<title>&lt;t&gt;</title>");
});

test("bars are as long as what they stand for", () => {
  const bars = [
    { name: "a & b", value: 50, ours: true },
    { name: "c", value: 100, ours: false },
  ];
  const svg = drawBars("Both", bars);
  expect([...svg.matchAll(/class="bar[^>]* width="([\d.]+)"/g)].map(([, width]) => width)).toEqual([
    "230",
    "460",
  ]);
  expect(svg).toContain("a &amp; b");
});
