/** What ends a process from outside. */
export type StopSignal = "SIGINT" | "SIGTERM" | "SIGHUP";
