// A kept-alive HTTP connection for one call at a time. It parses only what the measured servers send, because it shares the machine
// with them: a complete client costs several times as much.
import { connect, type Socket } from "node:net"

export interface Call {
  readonly method: "GET" | "POST"
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export interface HttpResponse {
  readonly status: number
  readonly body: string
}

/** A call without a response in this time ends the run. */
const RESPONSE_TIMEOUT_MS = 30_000

const HEAD_END = "\r\n\r\n"
const LAST_CHUNK = "0\r\n\r\n"

const serialise = ({ method, path, headers, body = "" }: Call, host: string): string => {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const length = body === "" ? "" : `content-length: ${Buffer.byteLength(body)}\r\n`
  return `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\n${lines.join("")}${length}\r\n${body}`
}

/** The response in `text`, where every character is a byte; `null` while it is incomplete. */
const read = (text: string): HttpResponse | null => {
  const headEnd = text.indexOf(HEAD_END)
  if (headEnd < 0) return null
  const head = text.slice(0, headEnd)
  const body = text.slice(headEnd + HEAD_END.length)
  const [, length] = /\r\ncontent-length: *(\d+)/i.exec(head) ?? []
  // Nothing follows a response before the next call, so the last chunk is at the very end.
  const isComplete = length === undefined ? body.endsWith(LAST_CHUNK) : body.length >= Number(length)
  return isComplete ? { status: Number(head.slice(9, 12)), body } : null
}

export class HttpConnection {
  readonly #socket: Socket
  readonly #host: string
  #text = ""
  #pending: { readonly resolve: (response: HttpResponse) => void; readonly reject: (error: Error) => void } | null =
    null

  constructor(baseUrl: string) {
    const { hostname, port, host } = new URL(baseUrl)
    this.#host = host
    this.#socket = connect({ host: hostname, port: Number(port), noDelay: true })
    this.#socket.setEncoding("latin1")
    this.#socket.on("data", (text: string) => this.#receive(text))
    this.#socket.setTimeout(RESPONSE_TIMEOUT_MS, () => this.#socket.destroy(new Error("The server does not respond.")))
    this.#socket.on("error", (error) => this.#pending?.reject(error))
    this.#socket.once("close", () => this.#pending?.reject(new Error("The server closed the connection.")))
  }

  /** Rejects when the connection is lost. */
  send(call: Call): Promise<HttpResponse> {
    return new Promise((resolve, reject) => {
      this.#pending = { resolve, reject }
      this.#socket.write(serialise(call, this.#host))
    })
  }

  close(): void {
    this.#pending = null
    this.#socket.destroy()
  }

  #receive(text: string): void {
    this.#text += text
    const response = read(this.#text)
    if (response === null) return
    this.#text = ""
    this.#pending?.resolve(response)
  }
}
