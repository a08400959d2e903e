// Loaded into a service process (`--expose-gc --import`). Answers each message of the parent process with the number of requests that have
// begun and the size of the old generation in bytes; for the message "collect", after a minor garbage collection.
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
