/** Rules of this repository that oxlint does not have, as an oxlint plug-in. */
import { noExportAll } from "./rules/no-export-all.mjs";
import { noAmbientClock } from "./rules/no-ambient-clock.mjs";

export default {
  meta: { name: "plasm" },
  rules: { "no-export-all": noExportAll, "no-ambient-clock": noAmbientClock },
};
