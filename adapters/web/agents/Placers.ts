// Who bought what, as headlines of rows: the agent or the member, and the domains that the links point to.
import { Effect } from "effect"
import { counted } from "#adapters/contract/shared/Counted.ts"
import { type Html, html, isolated, nothing } from "#adapters/html/Html.ts"
import type { ApiKey } from "#core/domain/access/ApiKey.ts"
import { credentialKind } from "#core/domain/access/CredentialKind.ts"
import type { Placed } from "#core/domain/access/PlacedBy.ts"
import type { Member } from "#core/domain/members/Member.ts"
import type { Quote } from "#core/domain/ordering/Quote.ts"
import { shownHost } from "#core/domain/ordering/TargetPolicy.ts"
import type { AccountId } from "#core/domain/shared/Ids.ts"
import { ManageMembers } from "#core/usecases/members/ManageMembers.ts"
import { ViewAccount } from "#core/usecases/members/ViewAccount.ts"
import { placerText } from "../Wording.ts"

/** All credentials of an account, also those that have ended, and its members. */
export interface People {
  readonly keys: ReadonlyArray<ApiKey>
  readonly members: ReadonlyArray<Pick<Member, "memberId" | "email">>
}

/** `keys`: all of the account. */
export const peopleWith = Effect.fnUntraced(function* (
  accountId: AccountId,
  keys: ReadonlyArray<{ readonly key: ApiKey }>
) {
  const people: People = {
    keys: keys.map(({ key }) => key),
    members: yield* (yield* ManageMembers).list(accountId)
  }
  return people
})

export const peopleOf = Effect.fnUntraced(function* (accountId: AccountId) {
  return yield* peopleWith(accountId, yield* (yield* ViewAccount).keys(accountId))
})

export const placerIn = ({ keys, members }: People, placed: Placed): string => placerText(placed, keys, members)

/** Who did something other than order: the member by their address; anyone else is the operator, or no member any more. */
export const actorText = (memberId: string, members: People["members"]): string => {
  const member = members.find((one) => one.memberId === memberId)
  if (member !== undefined) return isolated(member.email)
  return memberId.startsWith("mem_") ? "a former member" : "the operator"
}

/** The agent by its own name, or the member. */
export const shortPlacerIn = (people: People, placed: Placed): string => {
  const key = people.keys.find(({ keyId }) => keyId === placed.keyId)
  return key === undefined || credentialKind(placed.keyId) === "web" ? placerIn(people, placed) : key.label
}

/** The first domain, and how many more: "shop.example and 2 more". */
export const domainsText = (targetUrls: ReadonlyArray<string>): string => {
  const [first = "", ...more] = new Set(targetUrls.map(shownHost))
  return more.length === 0 ? isolated(first) : `${isolated(first)} and ${more.length} more`
}

/** Where the links of a quote point to. */
export const targetsOf = ({ lines }: Pick<Quote, "lines">): ReadonlyArray<string> =>
  lines.map(({ item }) => item.targetUrl)

const SITES_SHOWN = 2

/** "on one.example, two.example and 4 more". */
const sitesText = (lines: ReadonlyArray<{ readonly domain: string }>): string => {
  const all = [...new Set(lines.map(({ domain }) => domain))]
  const more = all.length - SITES_SHOWN
  return `on ${all.slice(0, SITES_SHOWN).join(", ")}${more > 0 ? ` and ${more} more` : ""}`
}

const ANCHORS_SHOWN = 2

/** "“garden tools”, “clay pots” and 3 more", by which two orders of the same agent are told apart. */
const anchorsText = (anchors: ReadonlyArray<string>): string => {
  const all = [...new Set(anchors)]
  const more = all.length - ANCHORS_SHOWN
  const shown = all.slice(0, ANCHORS_SHOWN).map((text) => `“${isolated(text)}”`)
  return `${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`
}

const PATHS_SHOWN = 2
const PATH_LENGTH = 40

/** Beyond the host. */
const pathOf = (targetUrl: string): string => {
  const { pathname, search } = new URL(targetUrl)
  const path = `${pathname}${search}`
  return path.length > PATH_LENGTH ? `${path.slice(0, PATH_LENGTH - 1)}…` : path
}

/** "to /pots, /spades and 3 more"; empty where all lead to the first page of their site. */
const pathsText = (targetUrls: ReadonlyArray<string>): string => {
  const all = [...new Set(targetUrls.map(pathOf))]
  if (all.every((path) => path === "/")) return ""
  const more = all.length - PATHS_SHOWN
  return `to ${all.slice(0, PATHS_SHOWN).join(", ")}${more > 0 ? ` and ${more} more` : ""}`
}

interface Detail {
  readonly targetUrl: string
  readonly anchorText: string
  readonly domain: string
}

export const itemsOf = ({ lines }: Pick<Quote, "lines">): ReadonlyArray<Detail> =>
  lines.map(({ item, domain }) => ({ ...item, domain }))

/** "“garden tools” to /pots on one.example", which tells apart what "2 links to shop.example" does not. */
export const detailsText = (links: ReadonlyArray<Detail>): string =>
  [
    anchorsText(links.map(({ anchorText }) => anchorText)),
    pathsText(links.map(({ targetUrl }) => targetUrl)),
    sitesText(links)
  ]
    .filter((part) => part !== "")
    .join(" ")

/** "2 links to shop.example". */
export const linksText = (targetUrls: ReadonlyArray<string>): string =>
  `${counted(targetUrls.length, "link")} to ${domainsText(targetUrls)}`

/** The buyer's own, among small lines. */
export const referenceText = ({ reference }: { readonly reference: string | null }): string | null =>
  reference === null ? null : `your reference: ${isolated(reference)}`

/** Small lines below a headline. */
export const smallLines = (lines: ReadonlyArray<string | Html | null>): Html =>
  html`${lines.map((line) => (line === null || line === "" ? nothing : html`<br><small>${line}</small>`))}`
