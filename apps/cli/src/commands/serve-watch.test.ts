import { cp, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { cleanUp, fixture, spawnPlasm, temporaryDirectory } from "../testing/spawn-plasm.ts";

afterEach(cleanUp);

it("plasm serve --watch takes up what is written in place or renamed, and what comes (RUN-180)", async () => {
  const catalogs = join(await temporaryDirectory(), "catalogs");
  const quay = join(catalogs, "quay");
  await cp(fixture("quay"), quay, { recursive: true });
  const data = await temporaryDirectory();
  const args = ["serve", "--port=0", `--data=${data}`, "--catalogs", catalogs, "--watch"];
  const plasm = spawnPlasm(args);
  await plasm.said("Ctrl-C ends it.");
  const domain = join(quay, "domain.yaml");
  const original = await readFile(domain, "utf8");

  // As editors save: another file in the place of this one.
  await writeFile(`${domain}~`, original.replace("\nversion: 1\n", "\nversion: 2\n"));
  await rename(`${domain}~`, domain);
  await plasm.remarked(/quay is loaded again, \S+: new sessions get it, open ones keep/);

  await writeFile(domain, original.replace("entities:", "entitties:"));
  const faults = await plasm.remarked(
    /entitties[^]*quay does not load: what was good last stays on offer/,
  );
  // The same as plasm catalog validate says, with its code frame.
  expect(faults).toMatch(/^CAT001 (error|warning) at .*quay\/domain\.yaml:\d+:\d+ \(/m);
  expect(faults).toMatch(/quay: not valid, \d+ error/);

  await cp(fixture("yard"), join(catalogs, "yard"), { recursive: true });
  await plasm.remarked(/yard is loaded again/);
  await writeFile(domain, original.replace("\nversion: 1\n", "\nversion: 3\n"));
  await plasm.remarked(/quay is loaded again[^]*quay is loaded again/);
  plasm.stop("SIGTERM");
  expect(await plasm.ended).toMatchObject({ code: 0 });
});
