// Checks every invariant over complete books. The one statement of the invariants outside SQL, for the memory store's
// reconciliation and for tests.

import { Invariant, type Violation } from "#core/domain/operations/Invariant.ts"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import type { Books } from "./Books.ts"
import { catalogueInvariants } from "./invariants/CatalogueInvariants.ts"
import { eventInvariants } from "./invariants/EventInvariants.ts"
import type { InvariantCheck } from "./invariants/InvariantCheck.ts"
import { invoiceInvariants } from "./invariants/InvoiceInvariants.ts"
import { memberInvariants } from "./invariants/MemberInvariants.ts"
import { orderInvariants } from "./invariants/OrderInvariants.ts"
import { referenceInvariants } from "./invariants/ReferenceInvariants.ts"
import { walletInvariants } from "./invariants/WalletInvariants.ts"

const checks: Readonly<Record<Invariant, InvariantCheck>> = {
  ...walletInvariants,
  ...orderInvariants,
  ...invoiceInvariants,
  ...catalogueInvariants,
  ...eventInvariants,
  ...referenceInvariants,
  ...memberInvariants
}

type Found = Omit<Violation, "invariant">

const bySubject = (a: Found, b: Found): number =>
  a.subject === b.subject ? (a.message < b.message ? -1 : 1) : a.subject < b.subject ? -1 : 1

/** At most `limitPerInvariant` violations of each invariant: in the order of `Invariant`, then by subject. */
export const violationsOf = (
  books: Books,
  nowMs: Millis,
  limitPerInvariant = Number.POSITIVE_INFINITY
): ReadonlyArray<Violation> =>
  Invariant.literals.flatMap((invariant) =>
    [...checks[invariant](books, nowMs)]
      .sort(bySubject)
      .slice(0, limitPerInvariant)
      .map((found): Violation => ({ invariant, ...found }))
  )
