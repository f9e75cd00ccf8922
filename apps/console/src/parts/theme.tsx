import { useState } from "preact/hooks";

const KEY = "plasm-theme";
const THEMES = ["system", "light", "dark"] as const;
type Theme = (typeof THEMES)[number];

const isTheme = (text: string | null): text is Theme => THEMES.some((one) => one === text);

function kept(): Theme {
  const text = localStorage.getItem(KEY);
  return isTheme(text) ? text : "system";
}

function apply(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
}

apply(kept());

/** Light, dark, or as the system has it. */
export function ThemeSwitch() {
  const [theme, setTheme] = useState(kept);
  return (
    <label class="theme">
      <span class="unseen">Colours</span>
      <select
        value={theme}
        onChange={({ currentTarget: { value } }) => {
          const next = isTheme(value) ? value : "system";
          localStorage.setItem(KEY, next);
          apply(next);
          setTheme(next);
        }}
      >
        <option value="system">System colours</option>
        <option value="light">Light</option>
        <option value="dark">Dark</option>
      </select>
    </label>
  );
}
