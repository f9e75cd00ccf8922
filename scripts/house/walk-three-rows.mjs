import { join } from "node:path";
import { capture } from "../boot/capture.mjs";
import { root } from "../lib/workspace.mjs";

/** Files and functions that one read of three rows enters, by precise coverage of that call alone. */
export const walkThreeRows = async () => {
  const { code, stdout, stderr } = await capture(
    [
      process.execPath,
      "--conditions=@plasm/source",
      "--disable-warning=ExperimentalWarning",
      join(root, "e2e/src/house/read-three-rows.ts"),
    ],
    { cwd: root },
  );
  if (code !== 0) throw new Error(`house: the read of three rows failed.\n${stderr}`);
  const walk = JSON.parse(stdout.trimEnd().split("\n").at(-1));
  if (walk.rows !== 3) throw new Error(`house: the read gave ${walk.rows} rows, not three.`);
  return walk;
};
