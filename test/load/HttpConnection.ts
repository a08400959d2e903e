// One kept-open HTTP connection that carries one call at a time. It knows no more of HTTP than our answers need, because it shares
// the machine with what it measures: a client that knows all of it costs several times as much as this.
import { connect, type Socket } from "node:net"

export interface Call {
  readonly method: "GET" | "POST"
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export interface Answer {
  readonly status: number
  readonly body: string
}

/** Longer than any answer of ours may take: a call that is never answered ends the run instead of keeping it waiting. */
const PATIENCE_MS = 30_000

const HEAD_END = "\r\n\r\n"
const LAST_CHUNK = "0\r\n\r\n"

const spell = ({ method, path, headers, body = "" }: Call, host: string): string => {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const length = body === "" ? "" : `content-length: ${Buffer.byteLength(body)}\r\n`
  return `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\n${lines.join("")}${length}\r\n${body}`
}

/** The whole answer in `text`, where every character is a byte; `null` as long as a part of it is missing. */
const read = (text: string): Answer | null => {
  const headEnd = text.indexOf(HEAD_END)
  if (headEnd < 0) return null
  const head = text.slice(0, headEnd)
  const body = text.slice(headEnd + HEAD_END.length)
  const [, length] = /\r\ncontent-length: *(\d+)/i.exec(head) ?? []
  // Nothing follows an answer before the next call, so what closes the last chunk can only be at the very end.
  const whole = length === undefined ? body.endsWith(LAST_CHUNK) : body.length >= Number(length)
  return whole ? { status: Number(head.slice(9, 12)), body } : null
}

export class Line {
  readonly #socket: Socket
  readonly #host: string
  #text = ""
  #settle: { readonly resolve: (answer: Answer) => void; readonly reject: (error: Error) => void } | null = null

  constructor(baseUrl: string) {
    const { hostname, port, host } = new URL(baseUrl)
    this.#host = host
    this.#socket = connect({ host: hostname, port: Number(port), noDelay: true })
    this.#socket.setEncoding("latin1")
    this.#socket.on("data", (text: string) => this.#hear(text))
    this.#socket.setTimeout(PATIENCE_MS, () => this.#socket.destroy(new Error("The server does not answer.")))
    this.#socket.once("error", (error) => this.#settle?.reject(error))
    this.#socket.once("close", () => this.#settle?.reject(new Error("The server hung up.")))
  }

  /** Rejects when the connection is lost; the line is of no use then. */
  send(call: Call): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject }
      this.#socket.write(spell(call, this.#host))
    })
  }

  close(): void {
    this.#settle = null
    this.#socket.destroy()
  }

  #hear(text: string): void {
    this.#text += text
    const answer = read(this.#text)
    if (answer === null) return
    this.#text = ""
    this.#settle?.resolve(answer)
  }
}
