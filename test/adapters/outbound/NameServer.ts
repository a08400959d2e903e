// A name server on loopback that answers address queries (RFC 1035) from a table: as much of DNS as the tests need.
import { createSocket } from "node:dgram"
import { Effect } from "effect"

export interface Zone {
  readonly a?: ReadonlyArray<string>
  readonly aaaa?: ReadonlyArray<string>
  /** Instead of records; `silence` is no response. */
  readonly failure?: "no such name" | "server failure" | "silence"
}

const TYPES = { 1: "a", 28: "aaaa" } as const
const CODES = { "no such name": 3, "server failure": 2 } as const

const HEADER_BYTES = 12

/** The name in the question, in lower case, and the offset after the question. */
const questionOf = (message: Buffer): { readonly name: string; readonly type: number; readonly end: number } => {
  const labels: Array<string> = []
  let at = HEADER_BYTES
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString("latin1", at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join(".").toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 }
}

const bytesOf = (address: string): Buffer => {
  if (!address.includes(":")) return Buffer.from(address.split(".").map(Number))
  const [head = "", tail = ""] = address.split("::")
  const groups = (text: string) => text.split(":").filter((group) => group !== "")
  const zeros = Array.from({ length: 8 - groups(head).length - groups(tail).length }, () => "0")
  const all = address.includes("::") ? [...groups(head), ...zeros, ...groups(tail)] : groups(address)
  return Buffer.concat(all.map((group) => Buffer.from(group.padStart(4, "0"), "hex")))
}

/** A record with a pointer to the question's name; class IN, TTL one minute. */
const record = (type: number, address: string): Buffer => {
  const data = bytesOf(address)
  const head = Buffer.from([0xc0, HEADER_BYTES, 0, type, 0, 1, 0, 0, 0, 60, 0, data.length])
  return Buffer.concat([head, data])
}

const answerTo = (message: Buffer, zones: Readonly<Record<string, Zone>>): Buffer | undefined => {
  const { name, type, end } = questionOf(message)
  const zone = zones[name] ?? { failure: "no such name" as const }
  if (zone.failure === "silence") return undefined
  const kind = type === 1 || type === 28 ? TYPES[type] : undefined
  const records = (kind === undefined ? [] : (zone[kind] ?? [])).map((address) => record(type, address))
  const header = Buffer.alloc(HEADER_BYTES)
  message.copy(header, 0, 0, 2)
  header.writeUInt16BE(0x8180 | (zone.failure === undefined ? 0 : CODES[zone.failure]), 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(records.length, 6)
  return Buffer.concat([header, message.subarray(HEADER_BYTES, end), ...records])
}

/** Returns its address and port, and the names in the queries so far. Zones may change while it runs. */
export const nameServer = (zones: Readonly<Record<string, Zone>>) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly server: string; readonly asked: ReadonlyArray<string>; readonly close: () => void }>(
      (resume) => {
        const socket = createSocket("udp4")
        const asked: Array<string> = []
        socket.on("message", (message, { port, address }) => {
          asked.push(questionOf(message).name)
          const answer = answerTo(message, zones)
          if (answer !== undefined) socket.send(answer, port, address)
        })
        socket.bind(0, "127.0.0.1", () => {
          const server = `127.0.0.1:${socket.address().port}`
          resume(Effect.succeed({ server, asked, close: () => socket.close() }))
        })
      }
    ),
    ({ close }) => Effect.sync(close)
  )
