import { Card, plainText } from "@plasm/console";
import { quayDocument } from "@plasm/sample-apis/quay-document";
import { useState } from "preact/hooks";
import { Taught } from "../work/taught.tsx";
import { Workbench } from "../work/workbench.tsx";
import { firstProgram } from "./first-program.ts";
import { importDocument, type ImportedDocument } from "./import-document.ts";

/** Imports a pasted document, and lets it be programmed against a mock of its API (SURF-59). */
export function DocumentPage() {
  const [text, setText] = useState("");
  const [imported, setImported] = useState<ImportedDocument | null>(null);
  const [problem, setProblem] = useState("");
  const [isBusy, setBusy] = useState(false);
  const take = async (given: string): Promise<void> => {
    setBusy(true);
    setProblem("");
    setImported(null);
    // A large document holds the page for a moment: what is said first is drawn first.
    await new Promise((resolve) => setTimeout(resolve, 30));
    try {
      setImported(await importDocument(given));
    } catch (thrown) {
      setProblem(thrown instanceof Error ? thrown.message : String(thrown));
    }
    setBusy(false);
  };
  return (
    <>
      <form
        class="card document"
        aria-label="Document"
        onSubmit={(event) => {
          event.preventDefault();
          void take(text);
        }}
      >
        <label for="document">An OpenAPI document: 3.0 to 3.2 or Swagger 2.0, JSON or YAML</label>
        <textarea
          id="document"
          rows={8}
          spellcheck={false}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <label for="file">Or a file of this computer; it stays in this page</label>
        <input
          id="file"
          type="file"
          accept=".json,.yaml,.yml,application/json,application/yaml"
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? [];
            if (file !== undefined) void file.text().then(setText);
          }}
        />
        <div class="row">
          <button type="submit" class="primary" disabled={isBusy || text.trim() === ""}>
            Import
          </button>
          <button
            type="button"
            disabled={isBusy}
            onClick={() => setText(JSON.stringify(quayDocument(), null, 2))}
          >
            Use the harbour's document
          </button>
          <span role="status" class="dim">
            {isBusy ? "Importing …" : ""}
          </span>
        </div>
      </form>
      {problem === "" ? null : (
        <div class="note bad" role="alert">
          <p>
            <strong>{plainText(problem)}</strong>
          </p>
        </div>
      )}
      {imported === null ? null : <Imported key={imported.domain} imported={imported} />}
    </>
  );
}

function Imported({ imported }: { imported: ImportedDocument }) {
  const { entryId, title, operations, reached, left, engine, domain, mappings } = imported;
  const entities = engine.entities.get(entryId) ?? [];
  const first = entities.find(({ isOpen }) => isOpen) ?? entities[0];
  const [chosen, setChosen] = useState(first?.name ?? "");
  const [given, setGiven] = useState({ text: "" });
  const [prompt, setPrompt] = useState("");
  const [taught, setTaught] = useState<readonly string[]>([]);
  const [problem, setProblem] = useState("");
  const teach = async (names: readonly string[]): Promise<void> => {
    const seeds = names.map((entity) => ({ api: entryId, entity }));
    try {
      const { text } = await engine.session.context({ intent: title, seeds, notation: "names" });
      setPrompt((before) => [before, text].filter(Boolean).join("\n\n"));
      setTaught(names);
      if (taught.length === 0) setGiven({ text: firstProgram(text, chosen) });
    } catch (thrown) {
      setProblem(thrown instanceof Error ? thrown.message : String(thrown));
    }
  };
  return (
    <>
      <Card title={`Imported: ${plainText(title)}`}>
        <p>
          {`${reached} of ${operations} operations are in the catalog `}
          <code>{entryId}</code>
          {`, with ${entities.length} ${entities.length === 1 ? "entity" : "entities"}. Programs here run against a mock: it answers with the document's examples, else with what its schemas describe, and keeps nothing.`}
        </p>
        {left.length === 0 ? null : (
          <details class="as-read">
            <summary>{`What was left out, and why: ${left.length}`}</summary>
            <pre tabIndex={0}>{plainText(left.join("\n"))}</pre>
          </details>
        )}
        <details class="as-read">
          <summary>The catalog, domain.yaml and mappings.yaml</summary>
          <pre tabIndex={0}>{plainText(`${domain}\n---\n${mappings}`)}</pre>
        </details>
        <form
          class="row"
          aria-label="What to teach"
          onSubmit={(event) => {
            event.preventDefault();
            void teach([...new Set([...taught, chosen])]);
          }}
        >
          <label for="entity">Entity</label>
          <select
            id="entity"
            value={chosen}
            onChange={({ currentTarget }) => setChosen(currentTarget.value)}
          >
            {entities.map(({ name }) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
          <button type="submit" class="primary" disabled={taught.includes(chosen)}>
            {taught.length === 0 ? "Ask for context" : "Teach it, too"}
          </button>
        </form>
      </Card>
      {problem === "" ? null : (
        <div class="note bad" role="alert">
          <p>{plainText(problem)}</p>
        </div>
      )}
      {prompt === "" ? null : (
        <>
          <Taught prompt={prompt} />
          <Workbench
            session={engine.session}
            prompt={prompt}
            api={entryId}
            entities={taught}
            given={given}
            onTeach={(names) => void teach(names)}
            onEvent={() => undefined}
          />
        </>
      )}
    </>
  );
}
