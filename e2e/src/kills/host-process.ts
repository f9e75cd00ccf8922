import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { deferred } from "../harness/deferred.ts";
import { COMPILE_CACHE, CONDITIONS } from "../harness/plasm-command.ts";
import type { HostAnswer, HostCall, HostMessage, HostQuestion, StopPoint } from "./protocol.ts";

const MAIN = fileURLToPath(new URL("./host-main.ts", import.meta.url));

export interface HostOptions {
  readonly dataDir: string;
  /** backend of its catalog */
  readonly quay: string;
  /** the directory of a catalog in place of quay */
  readonly catalog?: string;
  /** by how much the store's clock is ahead of the system's, in ms */
  readonly clockAhead: number;
  /** of the store that it shares with others; null for the data directory */
  readonly databaseUrl: string | null;
}

/** A host in a process of its own, which can be killed. */
export class HostProcess {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (answer: HostAnswer) => void>();
  readonly #said = { ready: deferred(), stopped: deferred() };
  #asked = 0;

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.on("message", (message: HostMessage) => this.#hear(message));
    child.once("exit", (code) => this.#said.ready.reject(new Error(`a host ended with ${code}`)));
    this.#said.ready.promise.catch(() => undefined);
  }

  /** Resolves when it takes calls. */
  static async start(options: HostOptions): Promise<HostProcess> {
    const { dataDir, quay, clockAhead, databaseUrl, catalog = "" } = options;
    const child = fork(MAIN, [dataDir, quay, String(clockAhead), databaseUrl ?? "", catalog], {
      execArgv: [...CONDITIONS],
      env: { PATH: process.env["PATH"] ?? "", NODE_COMPILE_CACHE: COMPILE_CACHE },
    });
    const host = new HostProcess(child);
    await host.#said.ready.promise;
    return host;
  }

  ask(asked: HostCall): Promise<HostAnswer> {
    this.#asked += 1;
    const question: HostQuestion = { id: this.#asked, asked };
    this.#child.send(question);
    return new Promise((resolve) => this.#waiting.set(question.id, resolve));
  }

  /** Has it stand still at a point, or at none; `stopped` resolves when it does. */
  async stopAt(point: StopPoint | null): Promise<void> {
    await this.ask({ call: "stop at", point });
  }

  get stopped(): Promise<void> {
    return this.#said.stopped.promise;
  }

  /** Ends it by SIGKILL, and waits until it is gone. */
  async kill(): Promise<void> {
    const { pid, exitCode, signalCode } = this.#child;
    if (pid === undefined || exitCode !== null || signalCode !== null) return;
    const gone = once(this.#child, "exit");
    process.kill(pid, "SIGKILL");
    await gone;
  }

  /** Stops it in its tracks, by SIGSTOP. */
  pause(): void {
    this.#child.kill("SIGSTOP");
  }

  /** Lets it go on as if nothing had been. */
  wake(): void {
    this.#child.kill("SIGCONT");
  }

  /** Lets it end by itself: only so what it compiled is kept for those that start later. */
  async end(): Promise<void> {
    const gone = once(this.#child, "exit");
    this.#child.disconnect();
    await gone;
  }

  #hear(message: HostMessage): void {
    switch (message.kind) {
      case "ready":
      case "stopped":
        return this.#said[message.kind].resolve();
      case "answer":
        this.#waiting.get(message.id)?.(message.answer);
        this.#waiting.delete(message.id);
    }
  }
}
