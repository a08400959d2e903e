// Greedy clients of `neighbours`, in a separate process, so that their thread is not the one that measures: they keep searches in flight
// until they are told to end, and report then how many were answered, by status.
import { type Call, HttpConnection } from "./HttpConnection.ts"

/** A message that begins them; `"end"` ends them. */
export interface GreedySearches {
  readonly baseUrl: string
  readonly keys: ReadonlyArray<string>
  /** Searches in flight for each key, each over its own connection. */
  readonly searches: number
}

/** Answers `"end"`: searches by their status. */
export type AnsweredSearches = ReadonlyArray<readonly [status: number, count: number]>

/** Stands for the status of a search whose connection was lost. */
const LOST = 0

/** Each search has its own filter, so that no page is kept. */
const search = (key: string, nth: number): Call => ({
  method: "GET",
  path: `/api/v1/agent/catalog?min_traffic=${nth % 20_000}&sort=-traffic`,
  headers: { authorization: `Bearer ${key}` }
})

/** Returns how to stop. */
const searchAll = ({ baseUrl, keys, searches }: GreedySearches) => {
  const statuses = new Map<number, number>()
  let isOver = false
  let nth = 0
  const keepSearching = async (key: string): Promise<void> => {
    let connection = new HttpConnection(baseUrl)
    while (!isOver) {
      const status = await connection.send(search(key, nth++)).then(
        (response) => response.status,
        () => LOST
      )
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (status !== LOST) continue
      connection.close()
      connection = new HttpConnection(baseUrl)
    }
    connection.close()
  }
  const ended = Promise.all(keys.flatMap((key) => Array.from({ length: searches }, () => keepSearching(key))))
  return async (): Promise<AnsweredSearches> => {
    isOver = true
    await ended
    return [...statuses]
  }
}

let end: (() => Promise<AnsweredSearches>) | undefined

process.on("message", async (message: GreedySearches | "end") => {
  if (message !== "end") end = searchAll(message)
  else process.send?.(await end?.())
})
