// Loaded into a service process (`--expose-gc --import`): counts the requests that have begun, and runs a minor garbage collection for each
// message of its parent, who then gets that count and the size of the old generation in bytes.
import { subscribe } from "node:diagnostics_channel"
import { getHeapSpaceStatistics } from "node:v8"

export interface HeapReport {
  readonly requests: number
  readonly oldBytes: number
}

let requests = 0
subscribe("http.server.request.start", () => {
  requests++
})

const oldBytes = (): number =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === "old_space")?.space_used_size ?? 0

process.on("message", (order) => {
  if (order === "collect") globalThis.gc?.({ type: "minor" })
  process.send?.({ requests, oldBytes: oldBytes() } satisfies HeapReport)
})
