// Measures the garbage that a call leaves in the old generation. Minor collections treat it as alive: they copy it, and it stays until
// the next major collection.
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

// The service sets the same flag when it starts.
setFlagsFromString("--no-allocation-site-pretenuring")
setFlagsFromString("--expose-gc")

/** V8's own function of that name. */
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
  // Objects that survive two collections are moved to the old generation.
  collect({ type: "minor", execution: "sync" })
  collect({ type: "minor", execution: "sync" })
}

/**
 * Average bytes per call, after as many calls to warm up, during which code is compiled. The least of up to eight measurements: what a
 * call retains is in each of them, and what other tests of the process left to do is not.
 */
export const retainedBytesPerCall = (once: () => void, times = 4_000): number => {
  const measure = (): number => {
    collect({ type: "major", execution: "sync" })
    const before = oldBytes()
    work(once, times)
    return (oldBytes() - before) / times
  }
  work(once, times)
  let least = Number.POSITIVE_INFINITY
  for (let measured = 0; measured < 8 && least > 0; measured++) least = Math.min(least, measure())
  return least
}
