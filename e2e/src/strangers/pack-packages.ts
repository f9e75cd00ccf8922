import { glob, readdir, readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ran } from "./ran.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
}

/** The directories of packages that are published, by name: all that do not say that they are private. */
async function published(): Promise<readonly (readonly [name: string, directory: string])[]> {
  const found: (readonly [string, string])[] = [];
  for await (const path of glob("{packages/*,apps/*,plugins/*,catalogs}/package.json", {
    cwd: root,
  })) {
    const manifest = JSON.parse(await readFile(join(root, path), "utf8")) as Manifest;
    if (manifest.private !== true) found.push([manifest.name, join(root, dirname(path))]);
  }
  return found;
}

/** Packs every published package as it would be published; gives the tarballs by package. */
export async function packPackages(target: string): Promise<ReadonlyMap<string, string>> {
  const pack = async ([name, directory]: readonly [string, string]) => {
    const packed = join(target, basename(name));
    await ran("pnpm", ["pack", "--pack-destination", packed], directory);
    const [tarball, ...more] = await readdir(packed);
    if (tarball === undefined || more.length > 0) throw new Error(`${packed} is not one tarball`);
    return [name, join(packed, tarball)] as const;
  };
  return new Map(await Promise.all((await published()).map(pack)));
}
