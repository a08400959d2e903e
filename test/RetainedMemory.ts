// What is left behind in memory by work that keeps nothing: what collecting young objects alone takes for alive. It is garbage, but
// costs being copied, and stays until the whole heap is collected.
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

// As the service does when it starts.
setFlagsFromString("--no-allocation-site-pretenuring")
setFlagsFromString("--expose-gc")

/** Of V8's own making, under the name that it has there. */
const collect: (options: { readonly type: "minor" | "major"; readonly execution: "sync" }) => void =
  runInNewContext("gc")

const BETWEEN_COLLECTIONS = 200

const oldBytes = (): number =>
  getHeapSpaceStatistics()
    .filter(({ space_name }) => space_name === "old_space" || space_name === "large_object_space")
    .reduce((sum, { space_used_size }) => sum + space_used_size, 0)

const work = (once: () => void, times: number): void => {
  for (let done = 0; done < times; done++) {
    once()
    if (done % BETWEEN_COLLECTIONS === 0) collect({ type: "minor", execution: "sync" })
  }
  // Grown old is what was there at two collections.
  collect({ type: "minor", execution: "sync" })
  collect({ type: "minor", execution: "sync" })
}

/** Bytes, on average of so many times, after as many that are not counted: code is made and kept during the first of them. */
export const retainedBytesPerCall = (once: () => void, times = 4_000): number => {
  work(once, times)
  collect({ type: "major", execution: "sync" })
  const before = oldBytes()
  work(once, times)
  return (oldBytes() - before) / times
}
