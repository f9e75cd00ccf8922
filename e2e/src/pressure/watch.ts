import { spawn, type ChildProcess } from "node:child_process";

let watcher: ChildProcess | null = null;

const SCRIPT = `
pids=""
while read -r sign pid; do
  if [ "$sign" = "+" ]; then pids="$pids $pid "; else pids=$(printf %s "$pids" | sed "s/ $pid / /"); fi
done
for pid in $pids; do kill -CONT "$pid"; kill -KILL "$pid"; done 2>/dev/null`;

/** Ends a child when this process is no more, however it ended: the pipe that a shell reads closes with us. */
export function watchOver(child: ChildProcess): void {
  if (watcher === null) {
    watcher = spawn("sh", ["-c", SCRIPT], { stdio: ["pipe", "ignore", "ignore"], detached: true });
    watcher.unref();
    const { stdin } = watcher;
    stdin?.on("error", () => {});
    if (stdin !== null && "unref" in stdin) (stdin as unknown as { unref(): void }).unref();
  }
  const { stdin } = watcher;
  stdin?.write(`+ ${child.pid}\n`);
  child.once("exit", () => stdin?.write(`- ${child.pid}\n`));
}
