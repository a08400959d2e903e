// The expected state, by the rules of the contract in plain numbers. It keeps facts only (orders, payments, abandonments,
// cancellations) and computes balances, holds, reservations and daily usage from them.

import type { AbandonedBy } from "#core/domain/ordering/Quote.ts"
import type { OrderItem } from "#core/domain/pricing/Cart.ts"
import type { Mode } from "#core/domain/shared/DecisionContext.ts"
import type { LinkId, OrderId, QuoteId } from "#core/domain/shared/Ids.ts"
import type { Priced } from "./ExpectedPrices.ts"
import { articles, type KeyFact, promos, START, WELCOME } from "./ModelShop.ts"
import type { ModelText } from "./ModelText.ts"
import type { ModelTopUp } from "./ModelTopUp.ts"

export interface ModelLink extends ModelText {
  status: string
  /** Whether it was ever online: its event was raised then. */
  announced: boolean
  readonly net: number
  readonly article: number | null
  /** What its cancellation credited, and whether it was one as refunded. */
  credited: number
  refunded: boolean
}

export interface ModelReversal {
  readonly quote: ModelQuote
  readonly kind: "refund" | "dispute"
  cents: number
  state: "open" | "final" | "won"
  takenBack: number
}

export interface ModelQuote extends Priced {
  readonly id: QuoteId
  readonly account: string
  readonly key: string
  readonly mode: Mode
  readonly items: ReadonlyArray<OrderItem>
  readonly credit: number
  readonly card: number
  readonly madeAt: number
  endsAt: number
  status: "awaiting_approval" | "awaiting_payment" | "paid" | "abandoned"
  /** The word with which it was declined. */
  declined: string | null
  by: AbandonedBy | null
  /** Late and surplus payments. */
  credited: number
  orderId: OrderId | null
  links: ReadonlyArray<ModelLink>
  linkIds: ReadonlyArray<LinkId>
  session: number | null
  /** The session whose payment link is stored. */
  link: number | null
  endedSession: number | null
  /** Money is under way: the quote does not expire. */
  pending: boolean
}

export interface Bound {
  readonly body: string
  readonly quote: ModelQuote
  answer: string | null
}

const add = (amounts: Iterable<number>): number => {
  let all = 0
  for (const one of amounts) all += one
  return all
}

export const dayOf = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10)

/** Whether it reserves what it names until it ends. */
export const isOpen = ({ status }: Pick<ModelQuote, "status">): boolean =>
  status === "awaiting_approval" || status === "awaiting_payment"

export const hasExpired = (quote: ModelQuote, now: number): boolean =>
  isOpen(quote) && !quote.pending && quote.endsAt <= now

/** Whether an expired quote can have everything again: credit, articles, code, welcome offer. */
export const canReserveAgain = (model: Model, quote: ModelQuote): boolean => {
  if (quote.mode === "sandbox") return true
  const { account, items, code, gross, source, credit, status } = quote
  return (
    (status === "awaiting_payment" || model.available(account) >= credit) &&
    items.every(({ articleId }) => articleId === undefined || model.articleHolder(articleId, quote) === undefined) &&
    (code === null || model.codeFaults(code, account, gross, quote).length === 0) &&
    (source !== "welcome" || model.welcomeHolder(account, quote) === undefined)
  )
}

const FREEING = ["top_up", "late_payment", "recredit", "adjustment_reversed", "release"]

const online = ["published", "verified"]

export class Model {
  now = START
  manual = false
  readonly paidIn = new Map<string, number>()
  /** The expected ledger of each account: kind and amount. */
  readonly ledger = new Map<string, ReadonlyArray<string>>()
  readonly quotes: Array<ModelQuote> = []
  readonly payments = new Set<string>()
  /** Payments that do not fit their quote, with their amounts. */
  readonly setAside = new Map<string, number>()
  readonly reversals = new Map<string, ModelReversal>()
  readonly topUps: Array<ModelTopUp> = []
  /** What each account owes of top-ups that were given back. */
  readonly owed = new Map<string, number>()
  /** Accounts whose agents are stopped. */
  readonly stopped = new Set<string>()
  readonly revoked = new Set<string>()
  readonly bound = new Map<string, Bound>()

  /** What comes in, and what a hold sets free, pays what is owed: while something is, nothing else is free. */
  addEntry(account: string, kind: string, cents: number): void {
    if (cents === 0) return
    this.ledger.set(account, [...(this.ledger.get(account) ?? []), `${kind} ${cents}`])
    const owed = this.owed.get(account) ?? 0
    const taken = FREEING.includes(kind) ? Math.min(owed, cents) : 0
    if (taken === 0) return
    this.owed.set(account, owed - taken)
    this.paidIn.set(account, (this.paidIn.get(account) ?? 0) - taken)
    this.addEntry(account, "adjustment", taken)
  }

  /** Sandbox quotes affect no shared state. */
  live(account?: string): ReadonlyArray<ModelQuote> {
    return this.quotes.filter((quote) => quote.mode === "live" && (account === undefined || quote.account === account))
  }

  balance(account: string): number {
    const recredited = (quote: ModelQuote) => add(quote.links.map(({ credited }) => credited))
    const captured = (quote: ModelQuote) => (quote.status === "paid" ? quote.credit : 0)
    return (
      (this.paidIn.get(account) ?? 0) +
      add(this.live(account).map((one) => one.credited + recredited(one) - captured(one)))
    )
  }

  reversalsOf(quote: ModelQuote): ReadonlyArray<ModelReversal> {
    return [...this.reversals.values()].filter((one) => one.quote === quote)
  }

  /** What came back as credit and was not taken back. */
  cameBack(quote: ModelQuote): number {
    return (
      quote.credited +
      add(quote.links.map(({ credited }) => credited)) -
      add(this.reversalsOf(quote).map((one) => one.takenBack))
    )
  }

  /** What came in for the quote and has not gone back: as credit, or by reversals in one of these states. */
  leftOf(quote: ModelQuote, ...states: ReadonlyArray<ModelReversal["state"]>): number {
    const payments = [...this.payments].filter((payment) => payment.startsWith(`${quote.id}/`))
    const apart = [...this.setAside].filter(([payment]) => payment.startsWith(`${quote.id}/`)).map(([, cents]) => cents)
    const cameIn = (quote.status === "paid" ? quote.credit : 0) + payments.length * quote.card + add(apart)
    const gone = this.reversalsOf(quote).filter(({ state }) => states.includes(state))
    return cameIn - this.cameBack(quote) - add(gone.map(({ cents }) => cents))
  }

  /** An expired quote keeps its hold until it is swept. */
  held(account: string): number {
    return add(this.live(account).map((quote) => (isOpen(quote) ? quote.credit : 0)))
  }

  available(account: string): number {
    return this.balance(account) - this.held(account)
  }

  /** Whether what the quote reserved or bought is unavailable to others. An expired reservation does not count. */
  private keeps(quote: ModelQuote): boolean {
    return quote.status === "paid" || (isOpen(quote) && !hasExpired(quote, this.now))
  }

  articleHolder(article: number, except?: ModelQuote): ModelQuote | undefined {
    return this.live().find((quote) => {
      if (quote === except || !this.keeps(quote)) return false
      if (quote.status !== "paid") return quote.items.some(({ articleId }) => articleId === article)
      return quote.links.some((link) => link.article === article && link.status !== "cancelled")
    })
  }

  /** Quotes that have spent or reserved a use of the code. */
  usersOf(code: string, except?: ModelQuote): ReadonlyArray<ModelQuote> {
    return this.live().filter((quote) => quote !== except && quote.code === code && this.keeps(quote))
  }

  /** How many articles, and how many uses of a code, the account's open quotes reserve. */
  reservedBy(account: string, code: string | null): { readonly articles: number; readonly uses: number } {
    const open = this.live(account).filter((quote) => isOpen(quote) && this.keeps(quote))
    const articles = open.flatMap(({ items }) => items.filter(({ articleId }) => articleId !== undefined))
    return {
      articles: articles.length,
      uses: open.filter((quote) => quote.code !== null && quote.code === code).length
    }
  }

  welcomeHolder(account: string, except?: ModelQuote): ModelQuote | undefined {
    return this.live(account).find((quote) => quote !== except && quote.source === "welcome" && this.keeps(quote))
  }

  /** Basis points of the welcome offer for a new order. In sandbox only an order that spent it counts. */
  welcomeFor({ account, mode }: KeyFact): number {
    const holder = this.live(account).find(
      (one) => one.source === "welcome" && (one.status === "paid" || (mode === "live" && this.keeps(one)))
    )
    return holder === undefined ? WELCOME : 0
  }

  /** All reasons why an account cannot use a code now. */
  codeFaults(code: string, account: string, gross: number, except?: ModelQuote): ReadonlyArray<string> {
    const rule = promos.find((one) => one.code === code)
    if (rule === undefined) return ["unknown"]
    const users = this.usersOf(code, except)
    // An open quote keeps its reservation until it is swept, and met the terms when it was made.
    const isReserved = except?.status === "awaiting_payment"
    return [
      ...(!isReserved && this.now < rule.from ? ["not_started"] : []),
      ...(!isReserved && this.now >= rule.to ? ["expired"] : []),
      ...(users.length >= rule.max ? ["exhausted"] : []),
      ...(rule.once && users.some((user) => user.account === account) ? ["already_used"] : []),
      ...(!isReserved && gross < rule.minimum ? ["minimum_not_met"] : [])
    ]
  }

  /** The number of quotes that a key made on a day, and the total of the open and paid ones. */
  day(key: string, day: string): { readonly quotes: number; readonly spent: number } {
    const made = this.quotes.filter((quote) => quote.key === key && dayOf(quote.madeAt) === day)
    return { quotes: made.length, spent: add(made.map(({ status, total }) => (status === "abandoned" ? 0 : total))) }
  }

  orderStatus({ links }: ModelQuote): string {
    const alive = links.map(({ status }) => status).filter((status) => status !== "cancelled")
    if (alive.length === 0) return "cancelled"
    if (alive.every((status) => online.includes(status))) return "completed"
    return alive.some((status) => status !== "to_assign" && status !== "assigned") ? "in_progress" : "paid"
  }

  articleStates(): ReadonlyArray<readonly [number, string]> {
    return articles.map(({ id }) => {
      const holder = this.articleHolder(id)
      return [
        id,
        holder === undefined ? "free" : `${holder.status === "paid" ? "sold" : "reserved"} ${holder.id}`
      ] as const
    })
  }
}
