// The servers under load, each in a process of its own: the service, and a bare one that only reads the body and answers, which
// is the floor that no service on this machine can go below.
import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"

export interface Served {
  readonly baseUrl: string
  readonly stop: () => Promise<void>
}

const serve = (file: string, env: Readonly<Record<string, string>>): Promise<Served> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [fileURLToPath(new URL(file, import.meta.url))], {
      env: { ...process.env, ...env, PORT: "0" },
      stdio: ["ignore", "pipe", "inherit"]
    })
    const ended = new Promise<void>((done) => child.once("exit", () => done()))
    child.once("exit", (code) => reject(new Error(`${file} ended with ${code} before it listened`)))
    createInterface({ input: child.stdout }).on("line", (line) => {
      const [, baseUrl] = /^listening on (http\S+)/.exec(line) ?? []
      if (baseUrl === undefined) return
      const stop = () => {
        child.kill("SIGTERM")
        return ended
      }
      resolve({ baseUrl, stop })
    })
  })

/** With demo data, without limits on how much may be asked of it. */
export const serveShop = (env: Readonly<Record<string, string>>): Promise<Served> =>
  serve("../../adapters/main.ts", {
    DAILY_ORDER_CAP: "0",
    RATE_LIMIT_READS: "0",
    RATE_LIMIT_ORDERS: "0",
    LOG_LEVEL: "error",
    ...env
  })

export const serveBare = (): Promise<Served> => serve("./Bare.ts", {})

export const serveEmptyTool = (): Promise<Served> => serve("./EmptyTool.ts", {})
