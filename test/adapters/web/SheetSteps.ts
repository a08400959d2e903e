// A customer with a sheet of links: uploads it, looks at it, ticks rows and buys them.
import { Effect } from "effect"
import { hiddenIn } from "./CartSteps.ts"
import { visit } from "./Visitors.ts"

export const SHEETS = "/account/shop/sheets"

/** Lines of CSV. */
export const csv = (...rows: ReadonlyArray<ReadonlyArray<string | number>>): string =>
  rows.map((row) => row.join(",")).join("\n")

export const HEAD = ["site", "target_url", "anchor_text"]

/** A row for each of the sites, each with another anchor text. */
export const rowsFor = (sites: ReadonlyArray<string | number>): string =>
  csv(HEAD, ...sites.map((site, index) => [site, "https://shop.example/spring", `anchor ${index}`]))

/** Sent as a browser sends it that has no file to send. */
export const uploadText = Effect.fnUntraced(function* (token: string, rows: string) {
  const { text } = yield* visit({ path: SHEETS, token })
  const form = { sheet: hiddenIn(text, "sheet"), rows }
  return { form, answer: yield* visit({ method: "POST", path: SHEETS, token, form }) }
})

/** The address of a new sheet with these rows. */
export const newSheet = Effect.fnUntraced(function* (token: string, rows: string) {
  const { answer } = yield* uploadText(token, rows)
  if (answer.location === null) throw new Error(answer.text)
  return answer.location
})

/** The form of the button that buys, as the page shows it now. */
export const buyForm = Effect.fnUntraced(function* (token: string, path: string) {
  const { text } = yield* visit({ path, token })
  const form = {
    revision: hiddenIn(text, "revision"),
    first_order: hiddenIn(text, "first_order"),
    last_order: hiddenIn(text, "last_order"),
    rows: hiddenIn(text, "rows"),
    total: hiddenIn(text, "total")
  }
  return { text, form }
})

export const buy = (token: string, path: string, form: Readonly<Record<string, string>>) =>
  visit({ method: "POST", path: `${path}/buy`, token, form })
