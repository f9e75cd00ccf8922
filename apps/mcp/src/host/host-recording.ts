import { openRecording, type Recording, RecordingError, type RecordingMode } from "@plasm/runtime";
import { HostStartError } from "./host-start-error.ts";

/** What a host records or replays (RUN-161). */
export interface RecordingChoice {
  readonly mode: RecordingMode;
  readonly directory: string;
  /** hybrid: send effects that are not recorded */
  readonly allowEffects: boolean;
}

const TOLD: Readonly<Record<RecordingMode, (directory: string) => string>> = {
  record: (directory) => `recording all calls in ${directory}`,
  replay: (directory) => `replaying ${directory}: no call is sent`,
  hybrid: (directory) => `calls that are recorded in ${directory} are replayed, others sent`,
};

/** What there is to say of a recording. */
export const recordingRemark = ({ mode, directory }: RecordingChoice): string =>
  TOLD[mode](directory);

/** Opens the recording that was chosen. Throws HostStartError. */
export async function hostRecording(
  choice: RecordingChoice | undefined,
  warn: (what: string, cause: unknown) => void,
): Promise<Recording | null> {
  if (choice === undefined) return null;
  const onFault = (cause: unknown): void => warn("the recording cannot be written", cause);
  try {
    return await openRecording({ ...choice, onFault });
  } catch (thrown) {
    if (!(thrown instanceof RecordingError)) throw thrown;
    throw new HostStartError(thrown.message, { cause: thrown });
  }
}
