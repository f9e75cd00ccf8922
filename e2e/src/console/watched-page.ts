import axe from "axe-core";
import type { Page } from "playwright-core";

/** A page of the console, and what it did that none may do: throw, break its own policy, open a dialog, ask another place. */
export function watch(page: Page, url: string): readonly string[] {
  const wrong: string[] = [];
  page.setDefaultTimeout(60_000);
  page.on("pageerror", ({ message }) => wrong.push(message));
  page.on("dialog", (dialog) => {
    wrong.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("console", (message) => {
    if (/Content Security Policy|TrustedType/i.test(message.text())) wrong.push(message.text());
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith("blob:"))
      wrong.push(`asks ${request.url()}`);
  });
  return wrong;
}

/** Violations of WCAG 2.2 AA and of good practice; between light and dark nothing but colours differs. */
export async function faultsOf(page: Page): Promise<readonly string[]> {
  const faults: string[] = [];
  if (!(await page.evaluate(() => "axe" in window)))
    await page.evaluate(`${axe.source}; undefined`);
  for (const [colorScheme, options] of [
    ["light", "{}"],
    ["dark", '{ runOnly: ["color-contrast"] }'],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    const { violations } = await page.evaluate<axe.AxeResults>(`axe.run(document, ${options})`);
    faults.push(
      ...violations.map(
        ({ id, nodes }) => `${colorScheme} ${id}: ${nodes.map(({ html }) => html).join(" ")}`,
      ),
    );
  }
  return faults;
}

/** Holds answers of a server until a test lets them go on. */
export function holding(): { readonly until: Promise<void>; goOn(): void } {
  let goOn = (): void => undefined;
  const until = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  return { until, goOn: () => goOn() };
}
