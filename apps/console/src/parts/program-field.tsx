import { useEffect, useRef, useState } from "preact/hooks";
import type { CodeEditor, Marks, OfferedName } from "./code-editor.ts";

interface ProgramFieldProps {
  readonly text: string;
  /** a text that takes the place of what was written, whenever there is another one */
  readonly given: { readonly text: string };
  readonly example: string;
  readonly marks: Marks;
  readonly offers: (before: string) => readonly OfferedName[];
  readonly onChange: (text: string) => void;
  readonly onRun: () => void;
}

/** The editor's own question, so that a key is named as it is taken. */
const RUN_KEY = /Mac/.test(navigator.platform) ? "⌘-Enter" : "Ctrl-Enter";
const HELP = `Names are offered while you type, or by Ctrl-Space. ${RUN_KEY} runs. Tab leaves the editor.`;

/**
 * Where a program is written: a native text field until the editor has come, and for good where it does not. Both have
 * the text, so that none is lost in between.
 */
export function ProgramField(props: ProgramFieldProps) {
  const { text, given, example, marks, onChange } = props;
  const [isPlain, setPlain] = useState(true);
  const [isMissing, setMissing] = useState(false);
  const host = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const editor = useRef<CodeEditor | null>(null);
  // What the editor calls back is that of the last drawing.
  const taken = useRef(given);
  const now = useRef(props);
  now.current = props;
  useEffect(() => {
    let isGone = false;
    const open = async () => {
      const { openCodeEditor } = await import("./code-editor.ts");
      if (isGone || host.current === null) return;
      const typed = document.activeElement === field.current ? field.current : null;
      editor.current = openCodeEditor(host.current, {
        text: field.current?.value ?? now.current.text,
        label: "Program",
        help: HELP,
        onChange: (next) => now.current.onChange(next),
        onRun: () => now.current.onRun(),
        offers: (before) => now.current.offers(before),
      });
      setPlain(false);
      if (typed !== null) editor.current.focus(typed.selectionStart);
    };
    open().catch(() => {
      host.current?.replaceChildren();
      if (!isGone) setMissing(true);
    });
    return () => {
      isGone = true;
      editor.current?.close();
      editor.current = null;
    };
  }, []);
  // The editor knows what was typed in it before this page does: only what comes from elsewhere is put there.
  useEffect(() => {
    if (given !== taken.current) editor.current?.setText(given.text);
    taken.current = given;
  }, [given]);
  useEffect(() => editor.current?.setExample(example), [example, isPlain]);
  useEffect(() => editor.current?.mark(marks), [marks, isPlain]);
  return (
    <div class="program-field">
      {isPlain ? (
        <>
          <label for="program">Program</label>
          <textarea
            id="program"
            ref={field}
            rows={7}
            spellcheck={false}
            value={text}
            placeholder={example}
            onInput={({ currentTarget }) => onChange(currentTarget.value)}
          />
        </>
      ) : (
        <span class="label" aria-hidden="true">
          Program
        </span>
      )}
      <div ref={host} />
      <p class="dim small">
        {isMissing
          ? "The editor could not be loaded; this plain field does the same without offering names."
          : isPlain
            ? "The editor is being loaded. You can write in this plain field until it is there."
            : HELP}
      </p>
    </div>
  );
}
