// Starts the webhook receiver's process and reads from it what it received.
import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { Schema } from "effect"

const Summary = Schema.Struct({
  ids: Schema.Array(Schema.String),
  times: Schema.Int,
  unsigned: Schema.Int,
  otherBytes: Schema.Int
})

const Held = Schema.Struct({
  id: Schema.String,
  hash: Schema.String,
  signedAt: Schema.Int,
  hungUp: Schema.Boolean,
  again: Schema.NullOr(Schema.Struct({ hash: Schema.String, signedAt: Schema.Int }))
})
export type Held = typeof Held.Type

const decodeSummary = Schema.decodeUnknownSync(Summary)
const decodeHeld = Schema.decodeUnknownSync(Schema.NullOr(Held))

export interface Receiver {
  readonly urlOf: (name: string) => string
  readonly setSecret: (name: string, secret: string) => Promise<void>
  readonly summary: () => Promise<typeof Summary.Type>
  /** The next delivery gets no response. */
  readonly holdNext: () => Promise<void>
  readonly waitForHeld: (matches: (held: Held) => boolean, withinMs: number) => Promise<Held | null>
  readonly stop: () => void
}

const POLL_MS = 20

export const startReceiver = async (): Promise<Receiver> => {
  const child = spawn(process.execPath, [fileURLToPath(new URL("./WebhookReceiverProcess.ts", import.meta.url))], {
    stdio: ["pipe", "pipe", "inherit"]
  })
  const { value: baseUrl } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next()
  const ask = async (path: string): Promise<unknown> => (await fetch(`${baseUrl}${path}`)).json()
  return {
    urlOf: (name) => `${baseUrl}/${name}`,
    setSecret: async (name, secret) => {
      await fetch(`${baseUrl}/${name}`, { method: "PUT", body: secret })
    },
    summary: async () => decodeSummary(await ask("/summary")),
    holdNext: async () => {
      await ask("/hold")
    },
    waitForHeld: async (matches, withinMs) => {
      for (const untilMs = performance.now() + withinMs; performance.now() < untilMs; await sleep(POLL_MS)) {
        const held = decodeHeld(await ask("/held"))
        if (held !== null && matches(held)) return held
      }
      return null
    },
    stop: () => void child.stdin.end()
  }
}
