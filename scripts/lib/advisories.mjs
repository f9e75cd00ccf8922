const HELD = ["high", "critical"];
const ID = /^GHSA(-[0-9a-z]{4}){3}$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The advisories that are known and accepted: each with its id, why, and the day until which. Throws for anything else. */
export function readListed(text) {
  const all = JSON.parse(text);
  if (!Array.isArray(all)) throw new Error("advisories.json is a list");
  for (const one of all) {
    const { id, reason, until } = one ?? {};
    const whole =
      ID.test(id) && typeof reason === "string" && reason.length >= 20 && DAY.test(until);
    if (!whole) {
      throw new Error(
        `advisories.json: ${JSON.stringify(one)}: give id (GHSA-…), reason (a sentence) and until (YYYY-MM-DD)`,
      );
    }
  }
  return all;
}

/** What the package manager found; null if its answer is none. */
function advisoriesIn(stdout) {
  try {
    const { advisories } = JSON.parse(stdout);
    return typeof advisories === "object" && advisories !== null ? Object.values(advisories) : null;
  } catch {
    return null;
  }
}

const told = ({
  module_name: name,
  severity,
  title,
  github_advisory_id: id,
  url,
  findings = [],
}) => {
  const versions = [...new Set(findings.map(({ version }) => version))].join(", ");
  return `${name} ${versions}: ${severity}: ${title} (${id ?? url})`;
};

/** What to say of an audit's output, and whether it fails. */
export function judgeAdvisories({ stdout, stderr, listed, today }) {
  const found = advisoriesIn(stdout);
  if (found === null) {
    const why = `${stderr}\n${stdout}`.split("\n").map((line) => line.trim());
    const said = why.find((line) => line !== "") ?? "no answer";
    return { lines: [`not checked: no source of advisories was reached (${said})`], failed: false };
  }
  const day = today.toISOString().slice(0, 10);
  const lines = [`${found.length} known advisories of what is shipped`];
  let failed = false;
  for (const one of found) {
    const accepted = listed.find(({ id }) => id === one.github_advisory_id);
    if (!HELD.includes(one.severity)) lines.push(`told  ${told(one)}`);
    else if (accepted === undefined || accepted.until < day) {
      failed = true;
      const over =
        accepted === undefined ? "" : `; accepted until ${accepted.until}, which is over`;
      lines.push(`FOUND ${told(one)}${over}`);
    } else lines.push(`known ${told(one)}, until ${accepted.until}: ${accepted.reason}`);
  }
  return { lines, failed };
}
