const bare = (text: string): string => text.replaceAll(/[^A-Za-z0-9]/g, "").toLowerCase();

/**
 * What an author called an operation: frameworks put its path and method behind (`Add_voice_v1_voices_add_post` of
 * `POST /v1/voices/add`), which say nothing more. `operationId` as it is where they do not stand there, or alone.
 */
export function authorsName(operationId: string, method: string, path: string): string {
  const end = bare(path) + method.toLowerCase();
  let left = bare(operationId).length - end.length;
  if (left < 2 || !bare(operationId).endsWith(end)) return operationId;
  let length = 0;
  while (left > 0) {
    if (bare(operationId.charAt(length)) !== "") left -= 1;
    length += 1;
  }
  return operationId.slice(0, length);
}
