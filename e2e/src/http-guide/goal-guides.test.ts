import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { fencesOf, pageWith, requestsOf } from "./guide-page.ts";
import { startGuideServer } from "./guide-server.ts";
import { holdGuide } from "./hold-guide.ts";

const GUIDES = join(import.meta.dirname, "../../../docs/guides");

it("docs/guides/approvals.md: its requests get the answers that stand there", async () => {
  const path = join(GUIDES, "approvals.md");
  const [server, page] = await Promise.all([startGuideServer(), readFile(path, "utf8")]);
  const held = await holdGuide(server, requestsOf(page));
  await server.close();
  expect(fencesOf(page)).toBe(2 * held.length);
  expect(held.filter(({ status }) => status < 400)).toHaveLength(held.length - 1);
  const shown = held.map((one) => one.shown);
  await expect(pageWith(page, shown)).toMatchFileSnapshot(path);
}, 60_000);
