// Service processes on one database, each in a slot: killed, stopped and started again there. Clients skip empty slots, as a load
// balancer would.
import { type ChildProcess, spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import type { SeededRandom } from "./SeededRandom.ts"

const MAIN = fileURLToPath(new URL("../../../adapters/main.ts", import.meta.url))

export type Environment = Readonly<Record<string, string>>

interface Running {
  readonly child: ChildProcess
  readonly baseUrl: string
  readonly ended: Promise<number | null>
}

const launch = (environment: Environment): Promise<Running> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [MAIN], {
      env: { ...process.env, PORT: "0", ...environment },
      stdio: ["ignore", "pipe", "pipe"]
    })
    const killChild = () => void child.kill("SIGKILL")
    process.once("exit", killChild)
    child.once("exit", () => process.off("exit", killChild))
    const lastLines: Array<string> = []
    createInterface({ input: child.stderr }).on("line", (line) => {
      lastLines.push(line)
      if (lastLines.length > 20) lastLines.shift()
    })
    const ended = new Promise<number | null>((done) => child.once("exit", (code) => done(code)))
    void ended.then(() => reject(new Error(`the service did not start: ${lastLines.join("\n")}`)))
    createInterface({ input: child.stdout }).on("line", (line) => {
      const [, baseUrl] = /^listening on (http\S+)/.exec(line) ?? []
      if (baseUrl !== undefined) resolve({ child, baseUrl, ended })
    })
  })

/** A place for one service process. */
export class InstanceSlot {
  readonly #environment: Environment
  #running: Running | undefined

  constructor(environment: Environment) {
    this.#environment = environment
  }

  /** `undefined` while no process is listening. */
  get baseUrl(): string | undefined {
    return this.#running?.baseUrl
  }

  /** A service that cannot reach its database exits; it is started again, as a supervisor does. */
  async start(): Promise<void> {
    for (let left = MAX_STARTS; ; left--) {
      try {
        this.#running = await launch(this.#environment)
        return
      } catch (error) {
        if (left === 0) throw error
      }
    }
  }

  /** SIGKILL. `false` if the slot is empty. */
  async kill(): Promise<boolean> {
    const running = this.#running
    this.#running = undefined
    if (running === undefined) return false
    running.child.kill("SIGKILL")
    await running.ended
    return true
  }

  /** SIGTERM. Returns the exit status; clients skip the slot from now on. */
  async stop(): Promise<number | null> {
    const running = this.#running
    this.#running = undefined
    running?.child.kill("SIGTERM")
    return (await running?.ended) ?? null
  }
}

const MAX_STARTS = 20

export interface Instances {
  readonly slots: ReadonlyArray<InstanceSlot>
  /** The address of a random running instance; `undefined` if none runs. */
  readonly anyBaseUrl: (random: SeededRandom) => string | undefined
  /** Adds a slot with a running process. */
  readonly add: () => Promise<void>
  readonly end: () => Promise<void>
}

export const startInstances = async (size: number, environment: Environment): Promise<Instances> => {
  const slots = Array.from({ length: size }, () => new InstanceSlot(environment))
  await Promise.all(slots.map((slot) => slot.start()))
  return {
    slots,
    anyBaseUrl: (random) => {
      const [first, ...others] = slots.flatMap(({ baseUrl }) => baseUrl ?? [])
      return first === undefined ? undefined : random.pick([first, ...others])
    },
    add: async () => {
      const slot = new InstanceSlot(environment)
      await slot.start()
      slots.push(slot)
    },
    end: async () => {
      await Promise.all(slots.map((slot) => slot.kill()))
    }
  }
}
