import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium } from "playwright-core";
import { requireCommand } from "../servers/require-command.ts";

/** What keeps it from asking anybody else for anything while it is looked through. */
const QUIET = [
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-quic",
  "--no-first-run",
];

/** Debian's Chromium with a profile of its own, without a window. */
export interface OpenedBrowser {
  /** another visitor: cookies of its own */
  visitor(): Promise<BrowserContext>;
  close(): Promise<void>;
}

/** Starts it. Throws where it is not installed, with how it is. */
export async function openBrowser(): Promise<OpenedBrowser> {
  const executablePath = requireCommand("/usr/bin/chromium");
  const home = await mkdtemp(join(tmpdir(), "plasm-chromium-"));
  const browser = await chromium.launch({
    executablePath,
    args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", ...QUIET],
    env: { ...process.env, HOME: home },
    timeout: 0,
  });
  return {
    visitor: () => browser.newContext(),
    close: async () => {
      await browser.close();
      await rm(home, { recursive: true, force: true });
    },
  };
}
