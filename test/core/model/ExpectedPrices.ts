// Expected prices, computed from the rules in plain numbers. Shares no code with the core.
import type { OrderItem } from "#core/domain/pricing/Cart.ts"
import { articles, packPrices, promos, shelfPrices, sites } from "./ModelShop.ts"

const add = (amounts: ReadonlyArray<number>): number => amounts.reduce((all, one) => all + one, 0)

export const linePrice = ({ siteId, articleId, tier2Links }: OrderItem): number => {
  const shelf = sites.find(({ id }) => id === siteId)?.shelf ?? "Plancton"
  const own = articles.find(({ id }) => id === articleId)?.price
  return (own ?? shelfPrices[shelf]) + packPrices[tier2Links]
}

/** Rounded half up, in whole numbers. */
export const percentage = (cents: number, basisPoints: number): number =>
  Math.floor((cents * basisPoints * 2 + 10_000) / 20_000)

export const reduction = (code: string, gross: number): number => {
  const rule = promos.find((one) => one.code === code)?.reduction
  if (rule === undefined) return 0
  return Math.min(gross, rule.kind === "fixed" ? rule.cents : percentage(gross, rule.basisPoints))
}

/** Each line less its share of the discount, allocated by largest remainder, ties in item order. */
export const netLines = (lines: ReadonlyArray<number>, discount: number): ReadonlyArray<number> => {
  const gross = add(lines)
  if (gross === 0) return lines
  const shares = lines.map((line) => Math.floor((line * discount) / gross))
  const queue = lines
    .map((line, index) => ({ index, remainder: (line * discount) % gross }))
    .sort((a, b) => b.remainder - a.remainder || a.index - b.index)
  for (const { index } of queue.slice(0, discount - add(shares))) shares[index] = (shares[index] ?? 0) + 1
  return lines.map((line, index) => line - (shares[index] ?? 0))
}

export interface Priced {
  readonly gross: number
  readonly source: "promo" | "welcome" | "none"
  readonly code: string | null
  readonly discount: number
  readonly total: number
  readonly nets: ReadonlyArray<number>
}

/** The better of code and welcome offer (0 basis points if not available); on a tie the code. */
export const priceOf = (items: ReadonlyArray<OrderItem>, code: string | null, welcome: number): Priced => {
  const lines = items.map(linePrice)
  const gross = add(lines)
  const byCode = code === null ? -1 : reduction(code, gross)
  const byWelcome = percentage(gross, welcome)
  const source = code !== null && byCode >= byWelcome ? "promo" : byWelcome > 0 ? "welcome" : "none"
  const discount = Math.max(byCode, byWelcome)
  return {
    gross,
    source,
    code: source === "promo" ? code : null,
    discount,
    total: gross - discount,
    nets: netLines(lines, discount)
  }
}

/** The split with the most credit whose card part is zero or at least the minimum; `null` if there is none. */
export const split = (total: number, available: number, minimum: number) => {
  for (let credit = Math.min(total, available); credit >= 0; credit--) {
    const card = total - credit
    if (card === 0 || card >= minimum) return { credit, card }
  }
  return null
}
