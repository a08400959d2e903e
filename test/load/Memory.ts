// How much memory processes hold, as the operating system counts it: also what no heap statistics show.
import { readFile } from "node:fs/promises"

const KIB = 1_024
const MB = 1_000_000

/** The resident set in bytes that a process's `status` tells of; `null` for one that holds no memory any more. */
export const residentBytes = (status: string): number | null => {
  const [, kib] = /^VmRSS:\s*(\d+) kB$/m.exec(status) ?? []
  return kib === undefined ? null : Number(kib) * KIB
}

/** What these processes hold together in whole MB; `null` where the system does not tell, or not of all of them. */
export const residentMb = async (pids: ReadonlyArray<number>): Promise<number | null> => {
  let bytes = 0
  for (const pid of pids) {
    const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "")
    const held = residentBytes(status)
    if (held === null) return null
    bytes += held
  }
  return Math.round(bytes / MB)
}
