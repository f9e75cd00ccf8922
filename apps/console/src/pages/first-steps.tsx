import type { SignedIn } from "../api.ts";
import { Card } from "../parts/ui.tsx";
import type { LogLine } from "../records.ts";
import { Link } from "../router.tsx";

/** lines of the audit log that say nothing of an agent's work */
const SETTING_UP: ReadonlySet<string> = new Set([
  "signed_in",
  "key_added",
  "key_rotated",
  "policy_set",
  "catalog_imported",
]);

/** Whether a line of the audit log is of setting a server up, and of no agent's work. */
export const isOfSetup = ({ kind }: LogLine): boolean => SETTING_UP.has(kind);

/** What to do on a server where nothing has happened yet. */
export function FirstSteps({ who }: { readonly who: SignedIn }) {
  const address = `${location.origin}/mcp`;
  return (
    <div class="wide">
      <Card title="Begin here">
        <ul class="list">
          <li>
            <span>
              Connect Claude Code: <code>claude mcp add --transport http plasm {address}</code>
            </span>
            <span class="dim">
              Any other host of MCP takes the same address.
              {who.auth === "off" ? null : " It asks to sign in, or for a key of this server."}
            </span>
          </li>
          {who.roles.agent === undefined ? null : (
            <li>
              <Link to="/program">Write a program yourself</Link>
              <span class="dim">What it would change is shown before it runs.</span>
            </li>
          )}
          <li>
            <Link to="/settings">Look at what policy lets agents do</Link>
            <span class="dim">
              With approval.operator for a catalog, its changes wait here for your decision.
            </span>
          </li>
        </ul>
      </Card>
    </div>
  );
}
