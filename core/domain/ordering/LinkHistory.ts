// A link as it was at an earlier entry of its history.
import { isOnline, type Link } from "./Link.ts"

/** The link with the text that it had before these entries of its history. */
const textBefore = (link: Link, later: Link["history"]): Link => {
  const changes = later.flatMap(({ changed = [] }) => changed).toReversed()
  // Each field has the type of its values: those that were stored in it.
  return { ...link, ...(Object.fromEntries(changes.map(({ field, from }) => [field, from])) as Partial<Link>) }
}

/**
 * The link after so many entries of its history. What entries from before they kept reasons and addresses do not tell is taken from the
 * link: its reason is that of its last entry, its address that of its publication.
 */
export const linkAsOf = (link: Link, entries: number): Link => {
  const history = link.history.slice(0, entries)
  const last = history.at(-1)
  if (last === undefined || history.length === link.history.length) return link
  const isPublished = isOnline(last.status) || history.some(({ status }) => isOnline(status))
  const url = history.findLast((entry) => entry.url !== undefined)?.url
  return {
    ...textBefore(link, link.history.slice(entries)),
    history,
    status: last.status,
    statusReason: last.reason ?? null,
    publishedUrl: isPublished ? (url ?? link.publishedUrl) : null,
    publishedAtMs: isPublished
      ? (history.find(({ status }) => status === "published")?.atMs ?? link.publishedAtMs)
      : null
  }
}

/** The link as it was bought. */
export const linkAsBought = (link: Link): Link => {
  const boughtAtMs = link.history[0]?.atMs
  const later = link.history.findIndex(({ atMs, status }) => atMs !== boughtAtMs || !BOUGHT.has(status))
  return later === -1 ? link : linkAsOf(link, later)
}

/** What a link passes through as it is bought. */
const BOUGHT: ReadonlySet<Link["status"]> = new Set(["to_assign", "assigned"])
