// The invariants of accounts, wallets, ledgers and holds.
import type { HashMap } from "effect"
import { type Account, emailKey } from "#core/domain/members/Account.ts"
import type { Invariant } from "#core/domain/operations/Invariant.ts"
import { linkCreditedCents } from "#core/domain/ordering/Link.ts"
import { QuoteId } from "#core/domain/shared/Ids.ts"
import type { Hold } from "#core/domain/wallet/Hold.ts"
import type { LedgerEntry, MovementKind } from "#core/domain/wallet/Ledger.ts"
import { reversedCentsDue } from "#core/domain/wallet/TopUpReversal.ts"
import { type Books, find } from "../Books.ts"
import { all, groupBy, type InvariantCheck, total } from "./InvariantCheck.ts"

const byAge = (a: Account, b: Account): number => a.createdAtMs - b.createdAtMs || (a.accountId < b.accountId ? -1 : 1)

/** The oldest account of an address has it. */
const emailIsUnique: InvariantCheck = function* ({ accounts }) {
  for (const [email, having] of Map.groupBy(all(accounts), (account) => emailKey(account.email))) {
    const [holder, ...others] = having.sort(byAge)
    for (const { accountId } of others) {
      yield { subject: accountId, message: `${email} is the address of ${holder?.accountId ?? "-"}, which is older` }
    }
  }
}

const isSound = (heldCents: number, balanceCents: number): boolean => 0 <= heldCents && heldCents <= balanceCents

const walletIsSound: InvariantCheck = function* ({ accounts }) {
  for (const { accountId, wallet } of all(accounts)) {
    const { heldCents, balanceCents } = wallet
    if (!isSound(heldCents, balanceCents)) {
      yield { subject: accountId, message: `${heldCents} of ${balanceCents} cents are held` }
    }
  }
}

const ledgerAddsUp: InvariantCheck = function* ({ accounts, ledger }) {
  const entriesOf = groupBy(all(ledger), ({ accountId }) => accountId)
  for (const { accountId, wallet } of all(accounts)) {
    const balance = total(entriesOf(accountId), ({ balanceDeltaCents }) => balanceDeltaCents)
    const held = total(entriesOf(accountId), ({ heldDeltaCents }) => heldDeltaCents)
    if (balance === wallet.balanceCents && held === wallet.heldCents) continue
    const has = `the wallet has ${wallet.balanceCents} cents, ${wallet.heldCents} of them held`
    yield { subject: accountId, message: `${has}; the ledger adds up to ${balance}, ${held} of them held` }
  }
}

const byEntryId = (a: LedgerEntry, b: LedgerEntry): number => (a.entryId < b.entryId ? -1 : 1)

const ledgerRunsOn: InvariantCheck = function* ({ ledger }) {
  for (const entries of Map.groupBy(all(ledger), ({ accountId }) => accountId).values()) {
    let before = { balanceAfterCents: 0, heldAfterCents: 0 }
    for (const entry of entries.sort(byEntryId)) {
      const balance = before.balanceAfterCents + entry.balanceDeltaCents
      const held = before.heldAfterCents + entry.heldDeltaCents
      before = entry
      if (entry.balanceAfterCents === balance && entry.heldAfterCents === held && isSound(held, balance)) continue
      const leaves = `it leaves ${entry.balanceAfterCents} cents, ${entry.heldAfterCents} of them held`
      yield {
        subject: entry.entryId,
        message: `${leaves}; with the entry before it that should be ${balance} and ${held}`
      }
    }
  }
}

const isOpen = ({ state }: Hold): boolean => state === "open"

const holdsAddUp: InvariantCheck = function* ({ accounts, holds }) {
  const openOf = groupBy(all(holds).filter(isOpen), ({ accountId }) => accountId)
  for (const { accountId, wallet } of all(accounts)) {
    const cents = total(openOf(accountId), (hold) => hold.cents)
    if (cents === wallet.heldCents) continue
    yield { subject: accountId, message: `the wallet holds ${wallet.heldCents} cents, its open holds ${cents}` }
  }
}

/** A capture of free credit ends no hold. */
const movesHold = ({ heldDeltaCents }: LedgerEntry): boolean => heldDeltaCents !== 0

const ENDS: ReadonlyArray<{ readonly kind: MovementKind; readonly state: Hold["state"] | null }> = [
  { kind: "hold", state: null },
  { kind: "capture", state: "captured" },
  { kind: "release", state: "released" }
]

/** Compares per quote, because ledger entries name their quote but not their hold. */
const holdEndsOnce: InvariantCheck = function* ({ holds, ledger }) {
  const entries = all(ledger).filter((entry) => movesHold(entry) && ENDS.some((end) => end.kind === entry.kind))
  const holdsOf = groupBy(all(holds), ({ quoteId }) => quoteId)
  const entriesOf = groupBy(entries, ({ quoteId }) => quoteId)
  for (const quoteId of new Set([...all(holds), ...entries].map((one) => one.quoteId ?? QuoteId.make("")))) {
    for (const { kind, state } of ENDS) {
      const expectedHolds = holdsOf(quoteId).filter((hold) => state === null || hold.state === state)
      const booked = entriesOf(quoteId).filter((entry) => entry.kind === kind)
      const amounts = expectedHolds.map(({ accountId, cents }) => `${cents} of ${accountId}`).sort()
      const moved = booked.map(({ accountId, amountCents }) => `${amountCents} of ${accountId}`).sort()
      if (amounts.join() === moved.join()) continue
      const holdsAre = `its holds (${state ?? "any"}) are of ${amounts.join(", ") || "nothing"} cents`
      yield {
        subject: quoteId,
        message: `${holdsAre}; the ledger's entries (${kind}) of ${moved.join(", ") || "nothing"}`
      }
    }
  }
}

const STATE_OF = {
  awaiting_approval: "open",
  awaiting_payment: "open",
  paid: "captured",
  abandoned: "released"
} as const

/** Free credit paid a paid quote that has no hold, which `capture_pays_quote` proves. */
const holdFitsQuote: InvariantCheck = function* ({ quotes, holds }) {
  const others = groupBy(
    all(holds).filter(({ state }) => state !== "released"),
    ({ quoteId }) => quoteId
  )
  for (const { quoteId, accountId, holdId, mode, creditCents, status } of all(quotes)) {
    const hold = holdId === null ? undefined : find(holds, holdId)
    const needsHold = mode === "live" && creditCents > 0 && (status !== "paid" || holdId !== null)
    const fits =
      hold?.quoteId === quoteId &&
      hold.accountId === accountId &&
      hold.cents === creditCents &&
      hold.state === STATE_OF[status]
    if (needsHold ? !fits : holdId !== null) {
      const has = hold === undefined ? "is not there" : `has ${hold.cents} cents and is ${hold.state}`
      yield { subject: quoteId, message: `it is ${status} with ${creditCents} cents of credit; its hold ${has}` }
    }
    for (const other of others(quoteId)) {
      if (other.holdId === holdId) continue
      yield { subject: quoteId, message: `hold ${other.holdId} is ${other.state} beside the one that it names` }
    }
  }
}

const capturePaysQuote: InvariantCheck = function* ({ quotes, ledger }) {
  const capturesOf = groupBy(
    all(ledger).filter(({ kind }) => kind === "capture"),
    ({ quoteId }) => quoteId
  )
  for (const { quoteId, accountId, mode, creditCents, status } of all(quotes)) {
    const paysByCredit = mode === "live" && status === "paid" && creditCents > 0
    const expected = paysByCredit ? `${creditCents} of ${accountId}` : ""
    const captured = capturesOf(quoteId).map((entry) => `${entry.amountCents} of ${entry.accountId}`)
    if (captured.join(", ") === expected) continue
    const owes = `it is ${status} with ${creditCents} cents of credit`
    yield { subject: quoteId, message: `${owes}; the ledger captured ${captured.join(", ") || "nothing"}` }
  }
}

/** What top-ups brought and adjustments did not take back. */
const paidAhead = ({ balanceDeltaCents }: LedgerEntry): number => balanceDeltaCents

const PAID_AHEAD: ReadonlySet<MovementKind> = new Set(["top_up", "adjustment", "adjustment_reversed"])

const moneyIsConserved: InvariantCheck = function* ({ accounts, ledger, payments, quotes, links }) {
  const topUps = groupBy(
    all(ledger).filter(({ kind }) => PAID_AHEAD.has(kind)),
    ({ accountId }) => accountId
  )
  const paidBy = groupBy(all(payments), ({ quoteId }) => {
    const quote = find(quotes, quoteId)
    return quote?.mode === "live" ? quote.accountId : null
  })
  const linksOf = groupBy(
    all(links).filter(({ mode }) => mode === "live"),
    ({ accountId }) => accountId
  )
  for (const { accountId, wallet } of all(accounts)) {
    const toppedUp = total(topUps(accountId), paidAhead)
    const paid = total(paidBy(accountId), ({ amountCents }) => amountCents)
    const bought = total(linksOf(accountId), (link) => link.netCents - linkCreditedCents(link))
    if (toppedUp + paid === wallet.balanceCents + bought) continue
    const cameIn = `${toppedUp} cents were paid in ahead and ${paid} for quotes`
    yield { subject: accountId, message: `${cameIn}; ${wallet.balanceCents} are in the wallet and ${bought} in links` }
  }
}

const moneyNamesItsCause: InvariantCheck = function* ({ ledger, holds, quotes, orders, links }) {
  const isThere = <K, A>(table: HashMap.HashMap<K, A>, id: NoInfer<K> | null): boolean =>
    id === null || find(table, id) !== undefined
  for (const { entryId, quoteId, orderId, linkId } of all(ledger)) {
    if (isThere(quotes, quoteId) && isThere(orders, orderId) && isThere(links, linkId)) continue
    const names = [quoteId, orderId, linkId].map((id) => id ?? "-").join(", ")
    yield { subject: entryId, message: `it names quote, order and link ${names}; one of them is not there` }
  }
  for (const { holdId, quoteId } of all(holds)) {
    if (!isThere(quotes, quoteId)) yield { subject: holdId, message: `its quote ${quoteId} is not there` }
  }
}

/**
 * Adjustments for a top-up that is given back name their reversal with its state and size, the payment after which it was booked, or the
 * entry whose credit they took; others are the operator's, or of an order's payment.
 */
const takenForTopUps = ({ ledger, topUps, topUpReversals }: Books): ReadonlyArray<LedgerEntry> => {
  const reversals = new Set<string>(all(topUpReversals).map(({ reversalId }) => reversalId))
  const causes = new Set<string>([
    ...all(topUps).flatMap(({ paymentId }) => paymentId ?? []),
    ...all(ledger).map(({ entryId }) => entryId)
  ])
  return all(ledger).filter(({ kind, reference = "" }) => {
    if (kind !== "adjustment") return kind === "adjustment_reversed"
    return causes.has(reference) || reversals.has(reference.replace(/ \S+ \S+$/, ""))
  })
}

const owedIsWhatIsMissing: InvariantCheck = function* (books) {
  const reversalsOf = groupBy(all(books.topUpReversals), ({ topUpId }) => topUpId)
  for (const topUp of all(books.topUps)) {
    const { topUpId, reversedCents = 0 } = topUp
    const due = reversedCentsDue(topUp, reversalsOf(topUpId))
    if (due === reversedCents) continue
    yield { subject: topUpId, message: `${reversedCents} cents of it are given back; its reversals name ${due}` }
  }
  const topUpsOf = groupBy(all(books.topUps), ({ accountId }) => accountId)
  const takenOf = groupBy(takenForTopUps(books), ({ accountId }) => accountId)
  for (const { accountId, owedCents = 0 } of all(books.accounts)) {
    const reversed = total(topUpsOf(accountId), ({ reversedCents = 0 }) => reversedCents)
    const taken = -total(takenOf(accountId), ({ balanceDeltaCents }) => balanceDeltaCents)
    if (owedCents === reversed - taken) continue
    yield { subject: accountId, message: `it owes ${owedCents} cents; ${taken} of ${reversed} were taken` }
  }
}

export const walletInvariants = {
  email_is_unique: emailIsUnique,
  wallet_is_sound: walletIsSound,
  ledger_adds_up: ledgerAddsUp,
  ledger_runs_on: ledgerRunsOn,
  holds_add_up: holdsAddUp,
  hold_ends_once: holdEndsOnce,
  hold_fits_quote: holdFitsQuote,
  capture_pays_quote: capturePaysQuote,
  money_is_conserved: moneyIsConserved,
  money_names_its_cause: moneyNamesItsCause,
  owed_is_what_is_missing: owedIsWhatIsMissing
} satisfies Partial<Record<Invariant, InvariantCheck>>
