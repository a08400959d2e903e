// The key that webhook signing keys are sealed with: the configured one, else one that is made once and kept beside the data
// it seals. A store that forgets everything gets a key that is forgotten with it.
import { randomBytes } from "node:crypto"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Effect, Option, Redacted, Result } from "effect"
import { Base64 } from "effect/encoding"
import type { Settings } from "./Settings.ts"

const KEY_BYTES = 32

const fresh = (): string => randomBytes(KEY_BYTES).toString("base64")

/** As strictly as the vault reads them. */
export const isEncryptionKey = (text: string): boolean =>
  Result.getOrUndefined(Base64.decode(text))?.length === KEY_BYTES

const kept = async (dataDir: string): Promise<string> => {
  const file = join(dataDir, "encryption.key")
  await mkdir(dataDir, { recursive: true })
  // Only the first start of a directory writes; every other, and a second one at the same moment, reads what is there.
  await writeFile(file, fresh(), { mode: 0o600, flag: "wx", flush: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error
  })
  const text = (await readFile(file, "utf8")).trim()
  if (isEncryptionKey(text)) return text
  // A new one in its place would open nothing that was sealed before.
  throw new Error(`${file} does not hold ${KEY_BYTES} bytes in base64. Put it back from a backup of the directory.`)
}

export const encryptionKey = ({
  encryptionKey,
  store,
  dataDir
}: Settings): Effect.Effect<Redacted.Redacted<string>> => {
  if (Option.isSome(encryptionKey)) return Effect.succeed(encryptionKey.value)
  const text = store === "embedded" ? Effect.promise(() => kept(dataDir)) : Effect.sync(fresh)
  return Effect.map(text, (key) => Redacted.make(key))
}
