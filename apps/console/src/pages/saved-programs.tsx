import type { SignedIn } from "../api.ts";
import { useLoad } from "../parts/load.ts";
import type { PageProps } from "../parts/page-props.ts";
import { Badge, Card, Empty, Facts, Page, Short, Shown, Table, Time } from "../parts/ui.tsx";
import type { SavedProgram, Schedule } from "../records.ts";
import { Link } from "../router.tsx";
import { ScheduleForm } from "./schedule-form.tsx";
import { ScheduleTable } from "./schedules.tsx";

const LOOK_MS = 10_000;

/** The saved programs that one may run: all of them, or one with its text and its schedules (SURF-61). */
export function SavedProgramsPage({ who, place }: PageProps) {
  const [, name] = place.parts;
  return name === undefined ? <List /> : <One key={name} name={name} who={who} />;
}

const pathOf = (name: string): string => `/v1/programs/${encodeURIComponent(name)}`;

function List() {
  const loaded = useLoad<{ readonly programs: readonly SavedProgram[] }>("/v1/programs", LOOK_MS);
  return (
    <Page
      title="Saved programs"
      lead="Programs that are kept by name: agents call them, people run them, and they run at times."
    >
      <Shown of={loaded}>
        {({ programs }) =>
          programs.length === 0 ? (
            <Empty title="Nothing is saved.">
              An agent keeps a plan with <code>save</code> of <code>plasm_run</code>, a shell with{" "}
              <code>plasm programs save</code>. What you may run stands here then.
            </Empty>
          ) : (
            <Card>
              <Table
                label="Saved programs"
                head={["Program", "Takes", "Changes", "Owner", "Who may run it", "Saved"]}
              >
                {programs.map((one) => (
                  <tr key={one.name}>
                    <td>
                      <Link to={`/programs/${encodeURIComponent(one.name)}`}>{one.name}</Link>
                      <div class="dim small">{one.description}</div>
                    </td>
                    <td>
                      {one.parameters.map(({ name, type, list }) => (
                        <div key={name}>
                          <code>{name}</code>{" "}
                          <span class="dim">{list ? `list of ${type}` : type}</span>
                        </div>
                      ))}
                      {one.parameters.length === 0 ? <span class="dim">nothing</span> : null}
                    </td>
                    <td>
                      <Changes of={one} />
                    </td>
                    <td>{ownerOf(one)}</td>
                    <td>{usersOf(one)}</td>
                    <td>
                      <Time at={one.saved_at} />
                    </td>
                  </tr>
                ))}
              </Table>
            </Card>
          )
        }
      </Shown>
    </Page>
  );
}

const ownerOf = ({ own, owner }: SavedProgram): string =>
  own ? "you" : (owner ?? "nobody in particular");

const usersOf = ({ shared }: SavedProgram): string =>
  shared ? "everybody of this tenant" : "its owner alone";

function Changes({ of: { effects } }: { of: SavedProgram }) {
  if (effects.length === 0) return <Badge>only reads</Badge>;
  return (
    <>
      {effects.map((one) => (
        <div key={one}>
          <Badge tone="warn">changes</Badge> <code>{one}</code>
        </div>
      ))}
    </>
  );
}

function One({ name, who }: { name: string; who: SignedIn }) {
  const loaded = useLoad<SavedProgram & { readonly text: string }>(pathOf(name), LOOK_MS);
  const schedules = useLoad<{ readonly schedules: readonly Schedule[] }>(
    `/v1/schedules?program=${encodeURIComponent(name)}`,
    LOOK_MS,
  );
  return (
    <Page title={name} lead={<Link to="/programs">All saved programs</Link>}>
      <Shown of={loaded}>
        {(one) => (
          <>
            <Card>
              <Facts
                of={[
                  ["What it does", one.description],
                  ["Changes", <Changes key="c" of={one} />],
                  ["Catalogs", one.catalogs.join(", ")],
                  ["Gives", one.returns.join(", ")],
                  ["Owner", ownerOf(one)],
                  ["Who may run it", usersOf(one)],
                  ["Saved", <Time key="s" at={one.saved_at} />],
                  ["Version", <Short key="v" id={one.version} />],
                ]}
              />
            </Card>
            <Parameters of={one} />
            <Card title="Its text">
              <pre tabIndex={0}>{one.text}</pre>
            </Card>
            <Shown of={schedules}>
              {({ schedules: all }) =>
                all.length === 0 ? null : (
                  <Card title="When it runs">
                    <ScheduleTable label={`Schedules of ${name}`} of={all} who={who} />
                  </Card>
                )
              }
            </Shown>
            {who.roles.agent === undefined ? null : (
              // Other parameters are another form, with nothing of what was typed before.
              <ScheduleForm key={one.version} of={one} />
            )}
          </>
        )}
      </Shown>
    </Page>
  );
}

function Parameters({ of: { parameters } }: { of: SavedProgram }) {
  if (parameters.length === 0) return null;
  return (
    <Card title="What it takes">
      <Table label="Parameters" head={["Parameter", "Is", "Where it is left out"]}>
        {parameters.map(({ name, type, list, default: value }) => (
          <tr key={name}>
            <td>
              <code>{name}</code>
            </td>
            <td>{list ? `list of ${type}` : type}</td>
            <td>
              <code class="value">{JSON.stringify(value)}</code>
            </td>
          </tr>
        ))}
      </Table>
    </Card>
  );
}
