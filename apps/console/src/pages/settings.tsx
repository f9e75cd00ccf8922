import { useState } from "preact/hooks";
import type { PageProps } from "../parts/page-props.ts";
import { useLoad } from "../parts/load.ts";
import { Badge, Card, Empty, Facts, Page, Shown, Table, Time, type Tone } from "../parts/ui.tsx";
import type { AccessLevel, CatalogSettings, ServedTenant } from "../records.ts";

const LOOK_MS = 10_000;

/** How this tenant is served, to look at: what changes it is done by its administrators, and by files and settings of the server (SURF-36). */
export function Settings(_props: PageProps) {
  const loaded = useLoad<ServedTenant>("/v1/settings", LOOK_MS);
  return (
    <Page
      title="Settings"
      lead="What this tenant may do, how much of it, with which keys, and who is told. Nothing is changed here."
    >
      <Shown of={loaded}>
        {(settings) => (
          <>
            <Policy of={settings} />
            <May of={settings} />
            <Quotas of={settings.quotas} />
            <Budgets of={settings.budgets} />
            <Keys of={settings.keys} />
            <Targets of={settings.notifications} />
          </>
        )}
      </Shown>
    </Page>
  );
}

function Policy({ of: { tenant, policy } }: { of: ServedTenant }) {
  const isEmpty = Object.keys(policy.rules).length === 0;
  return (
    <Card title="Policy in force">
      <Facts
        of={[
          ["Tenant", tenant],
          ["From", policy.name],
          [
            "Effects without review",
            policy.force ? "an agent may run them by force" : "none: each is planned first",
          ],
        ]}
      />
      {isEmpty ? null : (
        <details>
          <summary>The policy as it was written</summary>
          <pre tabIndex={0}>{JSON.stringify(policy.rules, null, 2)}</pre>
        </details>
      )}
    </Card>
  );
}

const MAY: readonly (readonly [AccessLevel, string, Tone])[] = [
  ["read", "may be read", "good"],
  ["effect", "change data, after a plan", "info"],
  ["client", "need the person at the client, or an operator", "warn"],
  ["operator", "need an operator", "warn"],
  ["forbidden", "are forbidden", "bad"],
];

/** What may be done with each catalog, in numbers; with one that is chosen, each capability and the rule that says so. */
function May({ of: { catalogs } }: { of: ServedTenant }) {
  const [chosen, setChosen] = useState<string | null>(null);
  return (
    <Card title="What agents may do">
      {catalogs.length === 0 ? (
        <Empty title="This tenant may use no catalog." />
      ) : (
        <Table
          label="What agents may do with each catalog"
          head={["Catalog", "Read", "Change", "Ask at the client", "Ask an operator", "Forbidden"]}
        >
          {catalogs.map((one) => (
            <tr key={one.entry_id}>
              <td>
                <button
                  type="button"
                  aria-expanded={chosen === one.entry_id}
                  onClick={() => setChosen(chosen === one.entry_id ? null : one.entry_id)}
                >
                  {one.entry_id}
                </button>
              </td>
              {MAY.map(([access]) => (
                <td key={access} class="num">
                  {one[access]}
                </td>
              ))}
            </tr>
          ))}
        </Table>
      )}
      {chosen === null ? null : <Rules key={chosen} id={chosen} />}
    </Card>
  );
}

function Rules({ id }: { id: string }) {
  const loaded = useLoad<CatalogSettings>(`/v1/settings/catalogs/${encodeURIComponent(id)}`);
  return (
    <Shown of={loaded}>
      {({ capabilities }) => (
        <Table
          label={`What may be done with ${id}`}
          head={[`Capability of ${id}`, "Kind", "It", "By"]}
        >
          {capabilities.map(({ capability, kind, access, rule }) => {
            const [, words, tone] = MAY.find(([one]) => one === access) ?? [
              access,
              access,
              "quiet",
            ];
            return (
              <tr key={capability}>
                <td>
                  <code>{capability}</code>
                </td>
                <td>{kind}</td>
                <td>
                  <Badge tone={tone}>{words}</Badge>
                </td>
                <td>
                  <code>{rule}</code>
                </td>
              </tr>
            );
          })}
        </Table>
      )}
    </Shown>
  );
}

const whose = (place: string): string =>
  place.startsWith("quotas.tenant")
    ? "the tenant"
    : (/^quotas\.apis\.(.*)\.\w+\.\w+$/.exec(place)?.[1] ?? place);

function Quotas({ of }: { of: ServedTenant["quotas"] }) {
  return (
    <Card title="Quotas, and what is used of them">
      {of.length === 0 ? (
        <Empty title="No quota is set, or no caller has used any.">
          A policy sets them (<code>quotas</code>), by the minute and by the day.
        </Empty>
      ) : (
        <Table label="Quotas" head={["Whose", "Of what", "Used", "At most", "Begins again"]}>
          {of.map(({ place, caller, measure, per, most, used, ends_at: ends }) => (
            <tr key={`${place} ${caller ?? ""}`}>
              <td>{caller === undefined ? whose(place) : (caller ?? "unknown")}</td>
              <td>
                {measure} a {per}
              </td>
              <td>
                <span class="took">
                  <progress
                    max={Math.max(1, most)}
                    value={Math.min(used, most)}
                    aria-hidden="true"
                  />{" "}
                  {used}
                  {used >= most ? (
                    <>
                      {" "}
                      <Badge tone="bad">used up</Badge>
                    </>
                  ) : null}
                </span>
              </td>
              <td class="num">{most}</td>
              <td>
                <Time at={ends} />
              </td>
            </tr>
          ))}
        </Table>
      )}
    </Card>
  );
}

const BUDGETS: Readonly<Record<string, string>> = {
  requests: "requests to APIs",
  rows: "rows read",
  pages: "pages of a list",
  fan_out: "calls of one step, one a row",
  bytes: "bytes of answers",
  wall: "seconds while somebody waits",
  work: "steps of computing",
};
const FROM = { policy: "the policy", server: "a setting of the server", default: "the default" };

function Budgets({ of }: { of: ServedTenant["budgets"] }) {
  return (
    <Card title="Budget of each run">
      <Table label="Budgets" head={["Of what", "At most", "Set by"]}>
        {of.map(({ name, most, from }) => (
          <tr key={name}>
            <td>
              {BUDGETS[name] ?? name} <span class="dim">{name}</span>
            </td>
            <td class="num">{most.toLocaleString("en")}</td>
            <td>{FROM[from]}</td>
          </tr>
        ))}
      </Table>
    </Card>
  );
}

function Keys({ of }: { of: ServedTenant["keys"] }) {
  return (
    <Card title="Keys">
      {of.length === 0 ? (
        <Empty title="This tenant has no key.">
          <code>plasm keys add --subject NAME</code> makes one; who signs in at an identity provider
          needs none.
        </Empty>
      ) : (
        <Table
          label="Keys"
          head={["Whose", "Role", "May do", "Acts for", "Last used", "Ends", "Made", "Id"]}
        >
          {of.map((key) => (
            <tr key={key.id}>
              <td>{key.subject}</td>
              <td>{key.role}</td>
              <td>{key.scopes === null ? "all of its role" : key.scopes.join(", ")}</td>
              <td>{key.act_as.join(", ")}</td>
              <td>{key.last_used_at === null ? "never" : <Time at={key.last_used_at} />}</td>
              <td>
                {key.expires_at === null ? (
                  "never"
                ) : (
                  <>
                    <Time at={key.expires_at} />{" "}
                    {key.is_expired ? <Badge tone="bad">has ended</Badge> : null}
                  </>
                )}
              </td>
              <td>
                <Time at={key.rotated_at ?? key.created_at} />
              </td>
              <td>
                <code>{key.id}</code>
              </td>
            </tr>
          ))}
        </Table>
      )}
    </Card>
  );
}

function Targets({ of }: { of: ServedTenant["notifications"] }) {
  return (
    <Card title="Who is told of what waits">
      {of.length === 0 ? (
        <Empty title="Nobody outside is told.">
          <code>PLASM_NOTIFY_WEBHOOK</code> and <code>PLASM_NOTIFY_EMAIL</code> name who is.
        </Empty>
      ) : (
        <Table label="Notification targets" head={["How", "By"]}>
          {of.map(({ kind, host }) => (
            <tr key={`${kind} ${host}`}>
              <td>{kind}</td>
              <td>
                <code>{host}</code>
              </td>
            </tr>
          ))}
        </Table>
      )}
    </Card>
  );
}
