// Loaded into a service process under load (`--import`): tells each client of `PAUSES_SOCKET` the longest pause of the event loop since
// the last question, in ms.
import { createServer } from "node:net"
import { monitorEventLoopDelay } from "node:perf_hooks"

const delay = monitorEventLoopDelay({ resolution: 1 })
delay.enable()

createServer((socket) => {
  socket.end(String(delay.max / 1e6))
  delay.reset()
})
  .listen(process.env["PAUSES_SOCKET"])
  .unref()
