// The key that encrypts webhook signing keys: the configured one, else for the embedded store a generated one in its data directory,
// else for the memory store a new one per process.
import { randomBytes } from "node:crypto"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Effect, Option, Redacted } from "effect"
import { ENCRYPTION_KEY_BYTES, isEncryptionKey } from "./ConfigSchemas.ts"
import type { Settings } from "./Settings.ts"

const generate = (): string => randomBytes(ENCRYPTION_KEY_BYTES).toString("base64")

const unlessThere = (error: NodeJS.ErrnoException): void => {
  if (error.code !== "EEXIST") throw error
}

/** An embedded store has made the directory, and those above it. */
const readOrCreate = async (dataDir: string): Promise<string> => {
  const file = join(dataDir, "encryption.key")
  await mkdir(dataDir).catch(unlessThere)
  // Only the first start with this directory writes; later starts, and a concurrent one, read the existing file.
  await writeFile(file, generate(), { mode: 0o600, flag: "wx", flush: true }).catch(unlessThere)
  const text = (await readFile(file, "utf8")).trim()
  if (isEncryptionKey(text)) return text
  // A new key in its place would decrypt nothing that was encrypted before.
  throw new Error(
    `${file} does not hold ${ENCRYPTION_KEY_BYTES} bytes in base64. Restore it from a backup of the directory.`
  )
}

export const encryptionKey = ({
  encryptionKey,
  store,
  dataDir
}: Settings): Effect.Effect<Redacted.Redacted<string>> => {
  if (Option.isSome(encryptionKey)) return Effect.succeed(encryptionKey.value)
  const text = store === "embedded" ? Effect.promise(() => readOrCreate(dataDir)) : Effect.sync(generate)
  return Effect.map(text, (key) => Redacted.make(key))
}
