// Asks a service process under load for the longest pause of its event loop; `PauseMonitor.ts` answers in that process.
import { connect } from "node:net"

/** Settings of a process that measures its pauses and tells them over the socket at `path`. */
export const pauseMonitorEnv = (path: string) => ({
  PAUSES_SOCKET: path,
  NODE_OPTIONS: `--import=${new URL("./PauseMonitor.ts", import.meta.url).href}`
})

/** In milliseconds, since the last question. */
export const longestPauseMs = (path: string): Promise<number> =>
  new Promise((resolve, reject) => {
    let text = ""
    connect({ path })
      .setEncoding("latin1")
      .on("data", (part: string) => {
        text += part
      })
      .once("error", reject)
      .once("end", () => resolve(Number(text)))
  })
