// Bytes as they arrive, cut into lines of which none is longer than a limit. What a line says is not read here.

const LINE_FEED = 10

/** The bytes of a line without its line feed; `undefined` for one that is too long, as soon as it is. */
export type Line = Uint8Array | undefined

/** Takes the bytes piece by piece, and answers the lines that each of them ends. */
export const makeLineSplitter = (limitBytes: number): ((piece: Buffer) => ReadonlyArray<Line>) => {
  let held: Array<Buffer> = []
  let length = 0
  return (piece) => {
    const lines: Array<Line> = []
    for (let at = 0; at < piece.length; ) {
      const feed = piece.indexOf(LINE_FEED, at)
      const end = feed === -1 ? piece.length : feed
      const tooLongAlready = length > limitBytes
      length += end - at
      if (length <= limitBytes) held.push(piece.subarray(at, end))
      else {
        held = []
        if (!tooLongAlready) lines.push(undefined)
      }
      if (feed !== -1) {
        if (length <= limitBytes) lines.push(Buffer.concat(held))
        held = []
        length = 0
      }
      at = end + 1
    }
    return lines
  }
}
