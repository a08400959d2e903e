// Speaks HTTP by hand, for what no client would send. Reads one answer or several, and can wait for the server to hang up.
import { connect } from "node:net"
import { Effect } from "effect"

export interface RawAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: string
}

const parse = (text: string): RawAnswer | undefined => {
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

/** All whole answers, one after another; each must be ASCII and say how long it is. */
const parseAll = (text: string): ReadonlyArray<RawAnswer> => {
  const answer = parse(text)
  if (answer === undefined) return []
  const length = Number(answer.headers.get("content-length") ?? 0)
  const rest = answer.body.slice(length)
  return [{ ...answer, body: answer.body.slice(0, length) }, ...parseAll(rest)]
}

type Pieces = ReadonlyArray<string | Uint8Array>

/** What is understood of all that was received: once the server has closed the connection, or with `isEager` as soon as it is. */
const understood = <A>(
  port: number,
  pieces: Pieces,
  understand: (received: string) => A | undefined,
  { isEager }: { readonly isEager: boolean }
): Effect.Effect<A, Error> =>
  Effect.callback<A, Error>((resume) => {
    const socket = connect({ port, host: "127.0.0.1" })
    let received = ""
    socket.on("data", (bytes) => {
      received += bytes.toString("utf8")
      const answer = isEager ? understand(received) : undefined
      if (answer === undefined) return
      resume(Effect.succeed(answer))
      socket.destroy()
    })
    socket.on("error", () => {})
    socket.on("close", () => {
      const answer = understand(received)
      resume(answer === undefined ? Effect.fail(new Error(`Not answered: ${received}`)) : Effect.succeed(answer))
    })
    for (const piece of pieces) socket.write(piece)
    return Effect.sync(() => socket.destroy())
  }).pipe(
    Effect.timeout("60 seconds"),
    Effect.mapError((error) => (error instanceof Error ? error : new Error("No answer in time")))
  )

/** Writes the pieces and resolves with the first complete answer; the connection is then dropped. A silent server is a failure. */
export const exchange = (port: number, ...pieces: Pieces): Effect.Effect<RawAnswer, Error> =>
  understood(port, pieces, parse, { isEager: true })

/** Writes the pieces and waits for the server to answer and to close the connection by itself. */
export const untilClosed = (port: number, ...pieces: Pieces): Effect.Effect<RawAnswer, Error> =>
  understood(port, pieces, parse, { isEager: false })

/** Writes the pieces and resolves with so many answers, in the order in which they came; the connection is then dropped. */
export const answersTo = (
  port: number,
  count: number,
  ...pieces: Pieces
): Effect.Effect<ReadonlyArray<RawAnswer>, Error> => {
  const all = (received: string) => {
    const answers = parseAll(received)
    return answers.length < count ? undefined : answers
  }
  return understood(port, pieces, all, { isEager: true })
}

/** A request head. `target` and values are sent as they are. */
export const head = (method: string, target: string, headers: Readonly<Record<string, string>> = {}): string =>
  [`${method} ${target} HTTP/1.1`, "Host: test", ...Object.entries(headers).map(([k, v]) => `${k}: ${v}`), "", ""].join(
    "\r\n"
  )
