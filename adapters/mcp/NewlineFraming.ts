// Splits a stream of bytes into lines of a limited length.

const LINE_FEED = 10

/** The bytes of a line without its line feed; `undefined` for a line that exceeds the limit, as soon as it does. */
export type Line = Uint8Array | undefined

/** Takes the bytes chunk by chunk, and returns the lines that each chunk completes. */
export const makeLineSplitter = (limitBytes: number): ((chunk: Buffer) => ReadonlyArray<Line>) => {
  let pending: Array<Buffer> = []
  let length = 0
  return (chunk) => {
    const lines: Array<Line> = []
    for (let at = 0; at < chunk.length; ) {
      const feed = chunk.indexOf(LINE_FEED, at)
      const end = feed === -1 ? chunk.length : feed
      const tooLongAlready = length > limitBytes
      length += end - at
      if (length <= limitBytes) pending.push(chunk.subarray(at, end))
      else {
        pending = []
        if (!tooLongAlready) lines.push(undefined)
      }
      if (feed !== -1) {
        if (length <= limitBytes) lines.push(Buffer.concat(pending))
        pending = []
        length = 0
      }
      at = end + 1
    }
    return lines
  }
}
