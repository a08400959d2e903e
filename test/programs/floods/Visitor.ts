// A browser or a program somewhere on the network: its requests come from one loopback address, and it keeps its cookies.
import { Agent, request } from "node:http"

export interface Reply {
  readonly status: number
  readonly location: string
  readonly text: string
}

interface Sent {
  readonly method?: "GET" | "POST"
  readonly path: string
  readonly form?: Readonly<Record<string, string>>
  readonly json?: unknown
}

const contentOf = ({ form, json }: Sent): readonly [type: string, body: string] | null => {
  if (json !== undefined) return ["application/json", JSON.stringify(json)]
  return form === undefined ? null : ["application/x-www-form-urlencoded", new URLSearchParams(form).toString()]
}

const TIMEOUT_MS = 15_000

export class Visitor {
  readonly cookies = new Map<string, string>()
  readonly #port: number
  readonly #agent: Agent

  /** `address`: one of this machine's own, such as 127.0.3.7. */
  constructor(port: number, address: string) {
    this.#port = port
    this.#agent = new Agent({ keepAlive: true, localAddress: address, maxSockets: 64 })
  }

  send(sent: Sent): Promise<Reply> {
    const content = contentOf(sent)
    const { method = content === null ? "GET" : "POST", path } = sent
    const headers = {
      host: `localhost:${this.#port}`,
      accept: "text/html",
      "sec-fetch-site": "same-origin",
      cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; "),
      ...(content === null ? {} : { "content-type": content[0], "content-length": Buffer.byteLength(content[1]) })
    }
    return new Promise((resolve, reject) => {
      const options = { host: "127.0.0.1", port: this.#port, agent: this.#agent, method, path, headers }
      const sending = request(options, (response) => {
        for (const header of response.headers["set-cookie"] ?? []) this.#keep(header)
        const chunks: Array<Buffer> = []
        response.on("data", (chunk: Buffer) => chunks.push(chunk))
        response.on("error", reject)
        response.on("end", () => {
          const { statusCode: status = 0, headers: answered } = response
          resolve({ status, location: answered.location ?? "", text: Buffer.concat(chunks).toString("utf8") })
        })
      })
      sending.setTimeout(TIMEOUT_MS, () => sending.destroy(new Error("no answer in time")))
      sending.on("error", reject)
      sending.end(content?.[1])
    })
  }

  close(): void {
    this.#agent.destroy()
  }

  /** Paths are left out: no two cookies of the service have one name. */
  #keep(header: string): void {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(header) ?? []
    if (/expires=Thu, 01 Jan 1970|max-age=0(;|$)/i.test(header)) this.cookies.delete(name)
    else this.cookies.set(name, value)
  }
}
