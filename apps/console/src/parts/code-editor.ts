import { autocompletion, type CompletionContext, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { type Diagnostic, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { Compartment, EditorState } from "@codemirror/state";
import { EditorView, highlightSpecialChars, keymap, placeholder } from "@codemirror/view";
import { plainText, UNSEEN } from "../api.ts";

/** A name that is offered while one types. */
export interface OfferedName {
  readonly label: string;
  readonly type: string;
  readonly info: string;
}

/** What is wrong between two places of the text. */
interface Mark {
  readonly start: number;
  readonly end: number;
  readonly message: string;
  /** the whole text as it would be right; null where nobody knows */
  readonly fix: string | null;
}

/** Marks, and the text that they are of: on another one they would stand anywhere. */
export interface Marks {
  readonly of: string;
  readonly marks: readonly Mark[];
}

interface Options {
  readonly text: string;
  readonly label: string;
  readonly help: string;
  readonly onChange: (text: string) => void;
  readonly onRun: () => void;
  /** the names for what stands before the cursor */
  readonly offers: (before: string) => readonly OfferedName[];
}

/** An editor in the page. */
export interface CodeEditor {
  setText(text: string): void;
  /** Shows what could be written, while nothing is. */
  setExample(example: string): void;
  mark(marks: Marks): void;
  focus(at: number): void;
  close(): void;
}

const THEME = EditorView.theme({
  "&": {
    backgroundColor: "var(--panel)",
    color: "var(--text)",
    border: "1px solid light-dark(#8a92a0, #5d6675)",
    borderRadius: "6px",
    fontSize: "13px",
    minHeight: "168px",
    maxHeight: "480px",
  },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "2px" },
  ".cm-scroller": {
    fontFamily: "var(--mono)",
    lineHeight: "1.5",
    minHeight: "166px",
    overflow: "auto",
  },
  ".cm-content": { padding: "8px 0", caretColor: "var(--text)" },
  ".cm-line": { padding: "0 12px" },
  ".cm-placeholder": { color: "var(--dim)" },
  ".cm-specialChar": { color: "var(--bad)" },
  ".cm-tooltip": {
    backgroundColor: "var(--panel)",
    color: "var(--text)",
    border: "1px solid var(--line)",
    borderRadius: "6px",
    boxShadow: "0 4px 16px rgb(0 0 0 / 0.2)",
    maxWidth: "min(30rem, 90vw)",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--mono)", maxHeight: "15em" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "3px 10px" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": {
    background: "var(--accent-fill)",
    color: "#fff",
  },
  ".cm-completionDetail": { color: "inherit", fontStyle: "normal", opacity: "1" },
  ".cm-tooltip.cm-completionInfo": { padding: "6px 10px", maxWidth: "20rem" },
  ".cm-diagnostic": { padding: "6px 10px", borderLeft: "4px solid var(--bad)" },
  ".cm-diagnosticAction": {
    backgroundColor: "var(--accent-fill)",
    color: "#fff",
    borderRadius: "4px",
    padding: "3px 8px",
    marginLeft: "8px",
  },
  ".cm-lintRange-error": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--bad)",
    textUnderlineOffset: "3px",
  },
  ".cm-panel.cm-panel-lint": { background: "var(--panel)", color: "var(--text)" },
});

function completed(context: CompletionContext, offers: Options["offers"]) {
  const word = context.matchBefore(/[\w-]*/);
  const before = context.state.sliceDoc(0, context.pos);
  if (word === null || (word.from === word.to && !context.explicit && !before.endsWith(".")))
    return null;
  return { from: word.from, options: [...offers(before)], validFor: /^[\w-]*$/ };
}

/** A mark as the editor draws it. Its fix is of the text that was looked at: what was typed since is not written over. */
const asDiagnostic = ({ start, end, message, fix }: Mark, of: string): Diagnostic => ({
  from: Math.min(start, of.length),
  to: Math.min(Math.max(start, end), of.length),
  severity: "error",
  message,
  ...(fix === null
    ? {}
    : {
        actions: [
          {
            name: "Fix it",
            apply: (view) => {
              if (view.state.doc.toString() === of) replaceAll(view, fix);
            },
          },
        ],
      }),
});

/** A step like any other, which can be undone. */
function replaceAll(view: EditorView, text: string): void {
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
}

/** What nobody would see stands there by its number, as everywhere in the console. */
function unseenSign(code: number): HTMLElement {
  const shown = document.createElement("span");
  shown.className = "cm-specialChar";
  shown.textContent = plainText(String.fromCodePoint(code));
  return shown;
}

/**
 * Opens an editor in an element. It stands in a shadow tree: only there its styles are style sheets that are made by
 * script, which the page's policy allows, where it would write style elements otherwise. Tab leaves it.
 */
export function openCodeEditor(host: HTMLElement, options: Options): CodeEditor {
  const outer = document.createElement("div");
  host.append(outer);
  const root = outer.attachShadow({ mode: "open" });
  const example = new Compartment();
  const view = new EditorView({
    root,
    parent: root as unknown as HTMLElement,
    state: EditorState.create({
      doc: options.text,
      extensions: [
        history(),
        highlightSpecialChars({ specialChars: UNSEEN, render: unseenSign }),
        example.of([]),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({
          "aria-label": options.label,
          "aria-description": options.help,
          spellcheck: "false",
        }),
        autocompletion({
          override: [(context) => completed(context, options.offers)],
          icons: false,
        }),
        keymap.of([
          {
            key: "Mod-Enter",
            run: () => {
              options.onRun();
              return true;
            },
          },
          ...completionKeymap,
          ...historyKeymap,
          ...lintKeymap,
          ...defaultKeymap,
        ]),
        EditorView.updateListener.of(({ docChanged, state }) => {
          if (docChanged) options.onChange(state.doc.toString());
        }),
        THEME,
      ],
    }),
  });
  return {
    setText: (text) => {
      if (text !== view.state.doc.toString()) replaceAll(view, text);
    },
    setExample: (text) => {
      view.dispatch({ effects: example.reconfigure(text === "" ? [] : placeholder(text)) });
    },
    mark: ({ of, marks }) => {
      const fitting = of === view.state.doc.toString() ? marks : [];
      const diagnostics = fitting.map((one) => asDiagnostic(one, of));
      view.dispatch(setDiagnostics(view.state, diagnostics));
    },
    focus: (at) => {
      view.dispatch({ selection: { anchor: Math.min(at, view.state.doc.length) } });
      view.focus();
    },
    close: () => {
      view.destroy();
      outer.remove();
    },
  };
}
