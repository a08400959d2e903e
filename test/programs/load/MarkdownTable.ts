// A run's figures as the table of the README: the command and the commit in its head, then one figure a row.
import { execFileSync } from "node:child_process"
import type { Summary } from "./Load.ts"

/** The commit that is checked out; a `+` follows where files differ from it. */
export const headCommit = (): string =>
  execFileSync("git", ["describe", "--always", "--abbrev=7", "--exclude=*", "--dirty=+"], { encoding: "utf8" }).trim()

const whole = (value: number): string => value.toLocaleString("en")

/** A figure of each contender, as `service 313, handwritten 3,400`. */
const each = <A>(figures: Readonly<Record<string, A>> | undefined, of: (figure: A) => number | null): string =>
  Object.entries(figures ?? {})
    .flatMap(([contender, figure]) => {
      const value = of(figure)
      return value === null ? [] : [`${contender} ${whole(value)}`]
    })
    .join(", ")

export const markdownTable = (
  { per_second, p50_ms, p99_ms, ratios, cpu_us, wal_bytes, disk_bytes }: Summary,
  { command, commit }: { readonly command: string; readonly commit: string }
): string =>
  [
    [`\`${command}\``, commit],
    ["---", "---"],
    ["per second", whole(per_second)],
    ["p50, p99", `${whole(p50_ms)}, ${whole(p99_ms)} ms`],
    ...Object.entries(ratios).flatMap(([peer, ratio]) => (ratio === null ? [] : [[`× ${peer}`, ratio.toFixed(2)]])),
    ["processor time of a call, µs", each(cpu_us, ({ all }) => all)],
    ["bytes of PostgreSQL's log", each(wal_bytes, (bytes) => bytes)],
    ["bytes of the database", each(disk_bytes, (bytes) => bytes)]
  ]
    .filter(([, value]) => value !== "")
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n")
