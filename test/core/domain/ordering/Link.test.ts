// All moves of a link.
import { describe, expect, it } from "vitest"
import {
  canCancel,
  canMove,
  isOnline,
  isOnSite,
  isUnderway,
  type LinkStatus,
  STAGES,
  type Stage,
  stageOf,
  stagesPassed
} from "#core/domain/ordering/Link.ts"

/** The stages in order. Each may move to all that follow it. */
const stages = ["to_assign", "assigned", "drafted", "in_review", "approved", "published", "verified"] as const
const statuses: ReadonlyArray<LinkStatus> = [...stages, "cancelled"]

const lawful: Readonly<Record<LinkStatus, ReadonlyArray<Stage>>> = {
  to_assign: ["assigned", "drafted", "in_review", "approved", "published", "verified"],
  assigned: ["drafted", "in_review", "approved", "published", "verified"],
  drafted: ["in_review", "approved", "published", "verified"],
  in_review: ["approved", "published", "verified"],
  approved: ["published", "verified"],
  published: ["verified"],
  verified: [],
  cancelled: []
}

describe("a link", () => {
  it("has these stages in this order", () => {
    expect(STAGES).toEqual(stages)
    expect(STAGES.map(stageOf)).toEqual([0, 1, 2, 3, 4, 5, 6])
  })

  it.each(statuses.flatMap((from) => stages.map((to) => [from, to, lawful[from].includes(to)] as const)))(
    "from %s to %s: %s",
    (from, to, expected) => {
      expect(canMove(from, to)).toBe(expected)
    }
  )

  it.each<readonly [LinkStatus, boolean, boolean, boolean]>([
    ["to_assign", true, false, false],
    ["assigned", true, false, false],
    ["drafted", true, true, false],
    ["in_review", true, true, false],
    ["approved", true, true, false],
    ["published", false, true, true],
    ["verified", false, true, true],
    ["cancelled", false, false, false]
  ])("%s: can be cancelled %s, under way %s, online %s", (status, cancellable, underway, online) => {
    expect([canCancel(status), isUnderway(status), isOnline(status)]).toEqual([cancellable, underway, online])
  })

  it.each(stages.flatMap((from) => lawful[from].map((to) => [from, to] as const)))(
    "a move from %s to %s includes published if the link was not online yet",
    (from, to) => {
      const jumps = to === "verified" && from !== "published"
      expect(stagesPassed(from, to)).toEqual(jumps ? ["published", "verified"] : [to])
    }
  )
})

describe("a published URL is on the site", () => {
  const on = (domain: string, url: string) => isOnSite({ domain }, url)

  it.each([
    "https://site.example/a",
    "https://blog.site.example/",
    "https://SITE.example./x",
    "http://site.example:8080"
  ])("%s", (url) => expect(on("site.example", url)).toBe(true))

  it.each([
    "https://other.example/site.example",
    "https://badsite.example/",
    "https://example/",
    "https://site.example.evil.example/",
    "no URL"
  ])("not %s", (url) => expect(on("site.example", url)).toBe(false))

  it("also of a domain that is not ASCII", () => {
    expect(on("bücher.example", "https://xn--bcher-kva.example/")).toBe(true)
  })
})
