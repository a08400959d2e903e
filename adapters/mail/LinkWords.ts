// How mails name links: what they lead to, and where they stand.
import { counted } from "#adapters/contract/shared/Counted.ts"
import { shownTarget } from "#core/domain/ordering/TargetPolicy.ts"

export const linksTo = (links: ReadonlyArray<{ readonly targetUrl: string }>): string => {
  const targets = [...new Set(links.map(({ targetUrl }) => shownTarget(targetUrl)))]
  const [first = ""] = targets
  return `${counted(links.length, "link")} to ${first}${targets.length > 1 ? ` and ${counted(targets.length - 1, "other page")}` : ""}`
}

/** Which words link on which site, of the first few. */
export const anchors = (
  links: ReadonlyArray<{ readonly anchorText: string; readonly domain: string }>,
  most = 3
): string => {
  const shown = links.slice(0, most).map(({ anchorText, domain }) => `“${anchorText}” on ${domain}`)
  return links.length > shown.length
    ? `${shown.join(", ")} and ${counted(links.length - shown.length, "more link")}`
    : shown.join(", ")
}

export const sites = (links: ReadonlyArray<{ readonly domain: string }>): string => {
  const shown = links.slice(0, 3).map(({ domain }) => domain)
  return links.length > shown.length ? `${shown.join(", ")} and ${links.length - shown.length} more` : shown.join(", ")
}
