// The file of a backup: lines of JSON, compressed with gzip. The first names the format and the schema, the last has the totals of every
// table and the SHA-256 of all lines before it, so that a file which was cut off or altered is never taken for a backup.
import { createHash, type Hash } from "node:crypto"
import { createReadStream } from "node:fs"
import { pipeline } from "node:stream"
import { createGunzip, createGzip } from "node:zlib"
import * as NodeStream from "@effect/platform-node/NodeStream"
import { Effect, Result, Schema, Stream } from "effect"
import {
  addPart,
  type BackupPart,
  BackupUnreadable,
  sameTotals,
  type TableTotals
} from "#core/domain/operations/Backup.ts"

const FORMAT = "backlinks-backup/1"

const Header = Schema.Struct({
  format: Schema.Literal(FORMAT),
  steps: Schema.Array(Schema.Struct({ step: Schema.String, sha256: Schema.String }))
})

const End = Schema.Struct({
  end: Schema.Struct({
    tables: Schema.Record(Schema.String, Schema.Struct({ rows: Schema.Int, digest: Schema.String })),
    sha256: Schema.String
  })
})

const decodeHeader = Schema.decodeUnknownResult(Schema.fromJsonString(Header))
const decodeEnd = Schema.decodeUnknownResult(Schema.fromJsonString(End))

/** The rows are passed on as text: they can be large, and only the database reads them. */
const ROWS_LINE = /^\{"table":"(\w+)","count":(\d{1,9}),"digest":"(\d+)","rows":(\[.*\])\}$/s

const textOf = (part: BackupPart): string =>
  part._tag === "Schema"
    ? JSON.stringify({ format: FORMAT, steps: part.steps })
    : `{"table":"${part.table}","count":${part.count},"digest":"${part.digest}","rows":${part.json}}`

const endText = (totals: TableTotals, sha256: string): string => {
  const tables = [...totals].map(([table, { rows, digest }]) => [table, { rows, digest: String(digest) }])
  return JSON.stringify({ end: { tables: Object.fromEntries(tables), sha256 } })
}

/** The bytes of the file, compressed as they are read. */
export const encodeBackup = <E, R>(parts: Stream.Stream<BackupPart, E, R>) =>
  Stream.suspend(() => {
    const hash = createHash("sha256")
    let totals: TableTotals = new Map()
    const lines = Stream.map(parts, (part) => {
      totals = addPart(totals, part)
      const line = Buffer.from(`${textOf(part)}\n`)
      hash.update(line)
      return line
    })
    const end = Stream.suspend(() => Stream.make(Buffer.from(`${endText(totals, hash.digest("hex"))}\n`)))
    return Stream.concat(lines, end).pipe(
      NodeStream.pipeThroughDuplex<Uint8Array>({ evaluate: () => createGzip(), chunkSize: 4 })
    )
  })

/** More than any part has. */
const MAX_LINE_BYTES = 256 * 1_024 * 1_024

/** The lines of a compressed file, without their line breaks. What follows the last line break is the last line. */
async function* linesOf(file: string): AsyncGenerator<Buffer> {
  const unzipped = pipeline(createReadStream(file), createGunzip(), () => {})
  let begun: Array<Buffer> = []
  let size = 0
  for await (const chunk of unzipped) {
    // A stream without an encoding gives buffers.
    let rest = chunk as Buffer
    for (let at = rest.indexOf(10); at >= 0; at = rest.indexOf(10)) {
      yield Buffer.concat([...begun, rest.subarray(0, at)])
      begun = []
      size = 0
      rest = rest.subarray(at + 1)
    }
    size += rest.length
    if (size > MAX_LINE_BYTES) throw new BackupUnreadable({ reason: "It has a line that no backup has" })
    if (rest.length > 0) begun.push(rest)
  }
  if (begun.length > 0) yield Buffer.concat(begun)
}

const failed = (reason: string): never => {
  throw new BackupUnreadable({ reason })
}

const INCOMPLETE = "It is incomplete: its end is missing"
const ALTERED = "It was altered: its checksum is another"

const readHeader = (line: Buffer): BackupPart => {
  const { steps } = Result.getOrElse(decodeHeader(line.toString()), () => failed("It is no backup of this service"))
  return { _tag: "Schema", steps }
}

const checkEnd = (line: string, totals: TableTotals, hash: Hash): void => {
  const { end } = Result.getOrElse(decodeEnd(line), () => failed(ALTERED))
  const named = Object.entries(end.tables).map(
    ([table, { rows, digest }]) => [table, { rows, digest: BigInt(digest) }] as const
  )
  if (end.sha256 !== hash.digest("hex") || !sameTotals(totals, new Map(named))) failed(ALTERED)
}

async function* partsOf(file: string): AsyncGenerator<BackupPart> {
  const hash = createHash("sha256")
  let totals: TableTotals = new Map()
  let hasBegun = false
  let hasEnded = false
  for await (const line of linesOf(file)) {
    if (hasEnded) failed(ALTERED)
    const [, table, count, digest, json] = hasBegun ? (ROWS_LINE.exec(line.toString()) ?? []) : []
    if (table !== undefined && count !== undefined && digest !== undefined && json !== undefined) {
      const part: BackupPart = { _tag: "Rows", table, count: Number(count), digest: BigInt(digest), json }
      totals = addPart(totals, part)
      hash.update(line).update("\n")
      yield part
    } else if (hasBegun) {
      checkEnd(line.toString(), totals, hash)
      hasEnded = true
    } else {
      const header = readHeader(line)
      hash.update(line).update("\n")
      hasBegun = true
      yield header
    }
  }
  if (!hasEnded) failed(INCOMPLETE)
}

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : ""

const unreadable = (error: unknown): BackupUnreadable => {
  if (error instanceof BackupUnreadable) return error
  const code = codeOf(error)
  if (code === "ENOENT") return new BackupUnreadable({ reason: "It does not exist" })
  if (code === "Z_BUF_ERROR") return new BackupUnreadable({ reason: INCOMPLETE })
  if (code === "Z_DATA_ERROR")
    return new BackupUnreadable({ reason: "It was altered, or is no backup of this service" })
  return new BackupUnreadable({ reason: `It cannot be read (${code || String(error)})` })
}

/**
 * The parts of a file. The stream fails at its end if the file was incomplete or altered, so that what its consumer has done until
 * then has to be undone.
 */
export const readBackup = (file: string): Stream.Stream<BackupPart, BackupUnreadable> =>
  Stream.suspend(() => Stream.fromAsyncIterable(partsOf(file), unreadable))

/** Reads all of a file: its schema, and the totals of its tables. */
export const checkBackup = Effect.fnUntraced(function* (file: string) {
  let totals: TableTotals = new Map()
  let schema: Extract<BackupPart, { readonly _tag: "Schema" }> = { _tag: "Schema", steps: [] }
  yield* Stream.runForEach(readBackup(file), (part) =>
    Effect.sync(() => {
      if (part._tag === "Schema") schema = part
      totals = addPart(totals, part)
    })
  )
  return { steps: schema.steps, totals }
})
