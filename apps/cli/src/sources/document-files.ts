import { createHash } from "node:crypto";
import { readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
import { usageError } from "../cli-error.ts";

/** The text of a document until it is taken: a large one must not stand in memory beside all that is made of it. */
export class DocumentText {
  #text: string | null;
  constructor(text: string) {
    this.#text = text;
  }
  /** Characters of it; of a text that was taken, none. */
  get length(): number {
    return this.#text?.length ?? 0;
  }
  /** Returns the text and lets go of it. Throws if it was taken before. */
  take(): string {
    const text = this.#text;
    if (text === null) throw new Error("The text of a document is taken once.");
    this.#text = null;
    return text;
  }
}

/** A document of an API, before anything of it is understood. */
export interface SourceDocument {
  readonly text: DocumentText;
  /** `sha256:` and 64 hexadecimal digits, of the bytes as they came; of all files where there are several */
  readonly digest: string;
  /** where it was at last, for addresses in it that are relative; null where it was not fetched */
  readonly url: string | null;
  /** whether `url` is a GraphQL endpoint, which was asked for its schema */
  readonly isEndpoint?: true;
}

/** The most bytes of one file; what all of them may have is told by who joins them. */
const MOST_BYTES = 100_000_000;

const hash = (text: string): string => createHash("sha256").update(text).digest("hex");

/** Reads files below a directory, links followed, and no other. */
async function readerBelow(directory: string): Promise<(path: string) => string> {
  const { OpenApiError } = await import("@plasm/importers");
  const root = realpathSync(directory);
  return (path) => {
    try {
      const real = realpathSync(join(root, path));
      if (!real.startsWith(root.endsWith(sep) ? root : `${root}${sep}`))
        throw new OpenApiError(
          "it is a link that leads out of the directory of the first file, and nothing is read there. Put the file itself below that directory.",
        );
      const found = statSync(real);
      if (!found.isFile())
        throw new OpenApiError("it is not a file. Name the file in it, as in schemas/order.yaml.");
      if (found.size > MOST_BYTES)
        throw new OpenApiError(
          `it has ${found.size} bytes; at most ${MOST_BYTES} are read. Take out what is not needed.`,
        );
      return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(real));
    } catch (thrown) {
      if (thrown instanceof OpenApiError) throw thrown;
      if (thrown instanceof TypeError)
        throw new OpenApiError("it is not UTF-8 text.", { cause: thrown });
      const code = (thrown as NodeJS.ErrnoException).code ?? "unknown";
      const next = code === "ENOENT" ? "there is no such file" : "it cannot be read";
      throw new OpenApiError(
        `${next} (${code}). References are paths from the file that they stand in.`,
        { cause: thrown },
      );
    }
  };
}

/**
 * A document with the files that it refers to, which are below its directory: one text, and one digest of all. From an
 * address or standard input only the document itself is read, and what needs another file is left out. Throws CliError.
 */
export async function withItsFiles(
  from: string,
  read: SourceDocument,
  cwd: string | null,
): Promise<SourceDocument> {
  const written = read.text.take();
  const whole = (text: string): SourceDocument => ({ ...read, text: new DocumentText(text) });
  if (!written.includes("$ref")) return whole(written);
  const { isGraphql, joinDocumentFiles, OpenApiError } = await import("@plasm/importers");
  if (isGraphql(written)) return whole(written);
  const path = cwd === null ? null : resolve(cwd, from);
  try {
    const { text, files } = joinDocumentFiles(written, {
      first: path === null ? from : basename(path),
      read: path === null ? null : await readerBelow(dirname(path)),
    });
    if (files.size === 0) return whole(text);
    const digests = [...files.keys()].toSorted().map((name) => [name, hash(files.get(name) ?? "")]);
    return {
      ...whole(text),
      digest: `sha256:${hash(JSON.stringify([read.digest, ...digests]))}`,
    };
  } catch (thrown) {
    throw thrown instanceof OpenApiError ? usageError(`${from}: ${thrown.message}`) : thrown;
  }
}
