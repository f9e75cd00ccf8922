import { useState } from "preact/hooks";
import { ApiProblem, call } from "../api.ts";
import type { PageProps } from "../parts/page-props.ts";
import { useLoad } from "../parts/load.ts";
import {
  Badge,
  Card,
  Empty,
  Facts,
  Page,
  ProblemNote,
  Short,
  Shown,
  Table,
  type Tone,
} from "../parts/ui.tsx";
import type { CatalogDetail, CatalogEntry } from "../records.ts";
import { Link } from "../router.tsx";

/** The APIs that agents may use: all of them, or one with its entities. */
export function Catalogs({ place }: PageProps) {
  const [, id] = place.parts;
  return id === undefined ? <List /> : <One key={id} id={id} />;
}

function List() {
  const loaded = useLoad<readonly (CatalogEntry & { readonly entities: number })[]>("/v1/registry");
  return (
    <Page title="Catalogs" lead="The APIs that agents may use here, and what each has.">
      <Shown of={loaded}>
        {(catalogs) =>
          catalogs.length === 0 ? (
            <Empty title="No catalog is on offer.">
              Start the server with <code>--catalogs DIR</code>, or with <code>--api DOCUMENT</code>{" "}
              for an API that has one.
            </Empty>
          ) : (
            <Card>
              <Table
                label="Catalogs"
                head={["Catalog", "What it is", "Entities", "Capabilities", "State"]}
              >
                {catalogs.map((one) => (
                  <tr key={one.entry_id}>
                    <td>
                      <Link to={`/catalogs/${encodeURIComponent(one.entry_id)}`}>{one.label}</Link>{" "}
                      <span class="dim small">{one.entry_id}</span>
                    </td>
                    <td>{one.description}</td>
                    <td class="num">{one.entities}</td>
                    <td class="num">{one.capabilities}</td>
                    <td>
                      <CatalogState of={one} />
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

function CatalogState({ of: { credentials, not_loaded: faults = [] } }: { of: CatalogEntry }) {
  if (!credentials) return <Badge tone="warn">needs a credential</Badge>;
  return faults.length === 0 ? (
    <Badge tone="good">ready</Badge>
  ) : (
    <Badge tone="warn">
      {faults.length === 1 ? "1 part left out" : `${faults.length} parts left out`}
    </Badge>
  );
}

const TONES: Readonly<Record<string, Tone>> = {
  create: "info",
  update: "info",
  action: "info",
  delete: "bad",
};

function One({ id }: { id: string }) {
  const loaded = useLoad<CatalogDetail>(`/v1/registry/${encodeURIComponent(id)}`);
  return (
    <Page title={loaded.data?.label ?? id} lead={<Link to="/catalogs">All catalogs</Link>}>
      <Shown of={loaded}>
        {(catalog) => (
          <>
            <Card>
              <Facts
                of={[
                  ["What it is", catalog.description],
                  ["State", <CatalogState key="s" of={catalog} />],
                  ["Tags", catalog.tags.length === 0 ? "none" : catalog.tags.join(", ")],
                  [
                    "Version",
                    <span key="v">
                      {catalog.version}, <Short id={catalog.digest} />
                    </span>,
                  ],
                ]}
              />
            </Card>
            {catalog.not_loaded === undefined || catalog.not_loaded.length === 0 ? null : (
              <Card title="What is left out, and why">
                <Table label="Parts that are left out" head={["Part", "Why"]}>
                  {catalog.not_loaded.map(({ part, why }) => (
                    <tr key={part}>
                      <td>
                        <code>{part}</code>
                      </td>
                      <td>{why}</td>
                    </tr>
                  ))}
                </Table>
              </Card>
            )}
            <Card title={`${catalog.entities.length} entities`}>
              <Table label="Entities" head={["Entity", "What it is", "What can be done"]}>
                {catalog.entities.map(({ entity, description, capabilities }) => (
                  <tr key={entity}>
                    <td>
                      <code>{entity}</code>
                    </td>
                    <td>{description}</td>
                    <td>
                      {capabilities.map(({ label, kind }) => (
                        <span key={label}>
                          <Badge tone={TONES[kind] ?? "quiet"}>{label}</Badge>{" "}
                        </span>
                      ))}
                    </td>
                  </tr>
                ))}
              </Table>
            </Card>
            <Taught id={catalog.entry_id} entities={catalog.entities.map(({ entity }) => entity)} />
          </>
        )}
      </Shown>
    </Page>
  );
}

/** What an agent reads before it writes a program on an entity: word by word what the server sends. */
function Taught({ id, entities }: { id: string; entities: readonly string[] }) {
  const [entity, setEntity] = useState(entities[0] ?? "");
  const [text, setText] = useState<string | null>(null);
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const teach = async () => {
    setProblem(null);
    try {
      const session = await call<{ readonly prompt: string }>("/execute", {
        method: "POST",
        isHarmless: true,
        body: { seeds: [{ api: id, entity }], notation: "names", read_only: true },
      });
      setText(session.prompt);
    } catch (thrown) {
      setText(null);
      setProblem(
        thrown instanceof ApiProblem ? thrown : new ApiProblem(0, "defect", String(thrown)),
      );
    }
  };
  return (
    <Card title="What an agent is taught">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void teach();
        }}
      >
        <div class="row">
          <label for="entity">Entity</label>
          <select
            id="entity"
            value={entity}
            onChange={({ currentTarget }) => setEntity(currentTarget.value)}
          >
            {entities.map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
          </select>
          <button type="submit">Show</button>
          <span class="dim small">Opens a session of its own that reads only.</span>
        </div>
      </form>
      {problem === null ? null : <ProblemNote problem={problem} />}
      {text === null ? null : <pre tabIndex={0}>{text}</pre>}
    </Card>
  );
}
