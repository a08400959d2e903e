// NUL, which PostgreSQL keeps in no text: wherever a page or a form is sent one, it is no fault of the service. The names of the fields
// are those that the pages themselves show.
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { webRoutes } from "#adapters/web/WebPages.ts"
import * as onPostgres from "#test/adapters/postgres/ServiceOnPostgres.ts"
import { openAccount, openReview, visit } from "./Visitors.ts"

const fieldNames = [
  ...[
    "address",
    "allowed_domains",
    "always",
    "amount",
    "anchor_text",
    "anchor_type",
    "approve_above",
    "article_id",
    "brief"
  ],
  ...[
    "cart",
    "code",
    "country",
    "created_from",
    "cursor",
    "daily_cap",
    "email",
    "event",
    "events",
    "format",
    "id",
    "label"
  ],
  ...[
    "max_day",
    "max_order",
    "member",
    "mode",
    "name",
    "network",
    "next",
    "niche",
    "password",
    "project_id",
    "promo_code"
  ],
  ...[
    "query",
    "quote",
    "reason",
    "reference",
    "role",
    "shelf",
    "site_id",
    "state",
    "target_domain",
    "target_url",
    "text"
  ],
  ...["tier2_links", "token", "top_up", "total", "url", "vat_id", "assertion", "challenge", "before"]
]

const everyField = Object.fromEntries(fieldNames.map((name) => [name, "a\0"]))

const everyParameter = fieldNames.map((name) => `${name}=a%00`).join("&")

layer(onPostgres.layer())("a NUL", (it) => {
  it.effect("in a path, a query or a field of any page is answered, by whomever it is sent", () =>
    Effect.gen(function* () {
      const { owner } = yield* openAccount
      const reviewer = yield* openReview
      const failed: Array<string> = []
      for (const { method, path } of [...webRoutes, { method: "GET", path: "/pay/:token" } as const]) {
        for (const token of [owner, reviewer.token, undefined]) {
          const at = `${path.replaceAll(/:\w+/g, "a%00")}?${everyParameter}`
          const sent = { method, path: at, ...(token === undefined ? {} : { token }) }
          const { status, text } = yield* visit(method === "GET" ? sent : { ...sent, form: everyField })
          if (status >= 500) failed.push(`${method} ${path}: ${status} ${text.slice(0, 200)}`)
        }
      }
      expect(failed).toEqual([])
    })
  )
})
