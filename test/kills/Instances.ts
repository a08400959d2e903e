// Service processes on one database, each in its place: killed, told to stop, and started again there. A place that has nobody in
// it is passed over by clients, as a load balancer would.
import { type ChildProcess, spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import type { Dice } from "./Dice.ts"

const MAIN = fileURLToPath(new URL("../../adapters/main.ts", import.meta.url))

export type Environment = Readonly<Record<string, string>>

interface Running {
  readonly child: ChildProcess
  readonly baseUrl: string
  readonly ended: Promise<number | null>
}

const launch = (environment: Environment): Promise<Running> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [MAIN], {
      env: { ...process.env, ...environment, PORT: "0" },
      stdio: ["ignore", "pipe", "pipe"]
    })
    const withMe = () => void child.kill("SIGKILL")
    process.once("exit", withMe)
    child.once("exit", () => process.off("exit", withMe))
    const said: Array<string> = []
    createInterface({ input: child.stderr }).on("line", (line) => {
      said.push(line)
      if (said.length > 20) said.shift()
    })
    const ended = new Promise<number | null>((done) => child.once("exit", (code) => done(code)))
    void ended.then(() => reject(new Error(`the service did not start: ${said.join("\n")}`)))
    createInterface({ input: child.stdout }).on("line", (line) => {
      const [, baseUrl] = /^listening on (http\S+)/.exec(line) ?? []
      if (baseUrl !== undefined) resolve({ child, baseUrl, ended })
    })
  })

/** Where one service process runs, or is to run again. */
export class Place {
  readonly #environment: Environment
  #running: Running | undefined

  constructor(environment: Environment) {
    this.#environment = environment
  }

  /** Of who is there; nobody while one is on its way up. */
  get baseUrl(): string | undefined {
    return this.#running?.baseUrl
  }

  /** A service that finds no database ends with an error; then it is started again, as an operator's supervisor does. */
  async start(): Promise<void> {
    for (let left = STARTS; ; left--) {
      try {
        this.#running = await launch(this.#environment)
        return
      } catch (error) {
        if (left === 0) throw error
      }
    }
  }

  /** Whoever is there is gone at once. `false` where nobody was. */
  async kill(): Promise<boolean> {
    const running = this.#running
    this.#running = undefined
    if (running === undefined) return false
    running.child.kill("SIGKILL")
    await running.ended
    return true
  }

  /** Tells it to stop and answers its exit status. Nobody is sent there any more. */
  async stop(): Promise<number | null> {
    const running = this.#running
    this.#running = undefined
    running?.child.kill("SIGTERM")
    return (await running?.ended) ?? null
  }
}

const STARTS = 20

export interface Instances {
  readonly places: ReadonlyArray<Place>
  /** Somewhere that a service runs; `undefined` while none does. */
  readonly somewhere: (dice: Dice) => string | undefined
  /** One more place, with a service in it. */
  readonly add: () => Promise<void>
  readonly end: () => Promise<void>
}

export const startInstances = async (size: number, environment: Environment): Promise<Instances> => {
  const places = Array.from({ length: size }, () => new Place(environment))
  await Promise.all(places.map((place) => place.start()))
  return {
    places,
    somewhere: (dice) => {
      const [first, ...others] = places.flatMap(({ baseUrl }) => baseUrl ?? [])
      return first === undefined ? undefined : dice.pick([first, ...others])
    },
    add: async () => {
      const place = new Place(environment)
      await place.start()
      places.push(place)
    },
    end: async () => {
      await Promise.all(places.map((place) => place.kill()))
    }
  }
}
