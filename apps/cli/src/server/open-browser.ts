import { spawn } from "node:child_process";

/** Opens the address in the browser of whoever sits here; without one the address that was printed serves. */
export function openBrowser(url: string): void {
  const [command, ...args] =
    process.platform === "darwin"
      ? ["open", url]
      : process.platform === "win32"
        ? ["rundll32", "url.dll,FileProtocolHandler", url]
        : ["xdg-open", url];
  const child = spawn(command ?? "", args, { stdio: "ignore", detached: true });
  child.on("error", () => undefined).unref();
}
