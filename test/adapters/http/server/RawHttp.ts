// Writes raw HTTP that no client library would send. Reads one or several responses, and can wait for the server to close.
import { connect } from "node:net"
import { Effect } from "effect"

export interface RawResponse {
  readonly status: number
  readonly headers: Headers
  readonly body: string
}

const parse = (text: string): RawResponse | undefined => {
  const end = text.indexOf("\r\n\r\n")
  if (end < 0) return undefined
  const [statusLine = "", ...lines] = text.slice(0, end).split("\r\n")
  const headers = new Headers(
    lines.map((line): [string, string] => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()])
  )
  const body = text.slice(end + 4)
  if (Buffer.byteLength(body) < Number(headers.get("content-length") ?? 0)) return undefined
  return { status: Number(statusLine.split(" ")[1]), headers, body }
}

/** All complete responses in order; each must be ASCII and have a Content-Length. */
const parseAll = (text: string): ReadonlyArray<RawResponse> => {
  const response = parse(text)
  if (response === undefined) return []
  const length = Number(response.headers.get("content-length") ?? 0)
  const rest = response.body.slice(length)
  return [{ ...response, body: response.body.slice(0, length) }, ...parseAll(rest)]
}

type Pieces = ReadonlyArray<string | Uint8Array>

/** Parses what was received: when the server has closed the connection, or with `isEager` as soon as `parse` succeeds. */
const receive = <A>(
  port: number,
  pieces: Pieces,
  read: (received: string) => A | undefined,
  { isEager }: { readonly isEager: boolean }
): Effect.Effect<A, Error> =>
  Effect.callback<A, Error>((resume) => {
    const socket = connect({ port, host: "127.0.0.1" })
    let received = ""
    socket.on("data", (bytes) => {
      received += bytes.toString("utf8")
      const response = isEager ? read(received) : undefined
      if (response === undefined) return
      resume(Effect.succeed(response))
      socket.destroy()
    })
    socket.on("error", () => {})
    socket.on("close", () => {
      const response = read(received)
      resume(response === undefined ? Effect.fail(new Error(`No response: ${received}`)) : Effect.succeed(response))
    })
    for (const piece of pieces) socket.write(piece)
    return Effect.sync(() => socket.destroy())
  }).pipe(
    Effect.timeout("60 seconds"),
    Effect.mapError((error) => (error instanceof Error ? error : new Error("No response in time")))
  )

/** Writes the pieces and resolves with the first complete response; then drops the connection. Fails without a response. */
export const exchange = (port: number, ...pieces: Pieces): Effect.Effect<RawResponse, Error> =>
  receive(port, pieces, parse, { isEager: true })

/** Writes the pieces and waits until the server has responded and closed the connection. */
export const untilClosed = (port: number, ...pieces: Pieces): Effect.Effect<RawResponse, Error> =>
  receive(port, pieces, parse, { isEager: false })

/** Writes the pieces and resolves with the first `count` responses in order; then drops the connection. */
export const responsesTo = (
  port: number,
  count: number,
  ...pieces: Pieces
): Effect.Effect<ReadonlyArray<RawResponse>, Error> => {
  const all = (received: string) => {
    const responses = parseAll(received)
    return responses.length < count ? undefined : responses
  }
  return receive(port, pieces, all, { isEager: true })
}

/** A request head. `target` and values are sent as they are. */
export const head = (method: string, target: string, headers: Readonly<Record<string, string>> = {}): string =>
  [`${method} ${target} HTTP/1.1`, "Host: test", ...Object.entries(headers).map(([k, v]) => `${k}: ${v}`), "", ""].join(
    "\r\n"
  )
