// The billing identity of an account: what its members and the operator write, and the operator's confirmation of its VAT id. Documents
// that are issued keep what they say.
import { Clock, Context, Effect, Equal, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { VatIdDiffers } from "#core/domain/invoicing/InvoiceRefusal.ts"
import { type BillingDetails, type BillingIdentity, withDetails } from "#core/domain/invoicing/Party.ts"
import type { Actor } from "#core/domain/members/Actor.ts"
import type { AuditRecord } from "#core/domain/members/AuditRecord.ts"
import type { AccountNotFound } from "#core/domain/members/MemberRefusal.ts"
import { CONTEXT_ENTROPY_BYTES, makeDecisionContext, makeId } from "#core/domain/shared/DecisionContext.ts"
import type { AccountId } from "#core/domain/shared/Ids.ts"
import { BillingIdentities } from "#core/ports/invoicing/BillingIdentities.ts"
import { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"

/** Others change the same identity in between; two in a row are rare. */
const TRIES = 10

interface Confirmation {
  readonly accountId: AccountId
  /** The id that was looked at, so that no other is confirmed that a member wrote meanwhile. */
  readonly vatId: string
  /** `false` takes a confirmation back. */
  readonly confirmed: boolean
}

export class EditBilling extends Context.Service<
  EditBilling,
  {
    /** `null` where invoices are made out to a consumer by the account's name. */
    readonly of: BillingIdentities["Service"]["of"]
    /** Replaces all of it; another VAT id or country is not confirmed. `actor` is an operator or the id of a member. */
    readonly save: (
      accountId: AccountId,
      details: BillingDetails,
      actor: Actor
    ) => Effect.Effect<BillingIdentity, AccountNotFound | StoreUnavailable>
    readonly confirm: (
      confirmation: Confirmation,
      actor: Actor
    ) => Effect.Effect<BillingIdentity, AccountNotFound | StoreUnavailable | VatIdDiffers>
  }
>()("backlinks/usecases/invoicing/EditBilling") {
  static readonly layer = Layer.effect(
    EditBilling,
    Effect.gen(function* () {
      const identities = yield* BillingIdentities
      const random = yield* SecureRandom.SecureRandom

      const auditOf = Effect.fnUntraced(function* (
        accountId: AccountId,
        entry: Pick<AuditRecord, "actor" | "action">,
        now: BillingIdentity
      ) {
        const atMs = yield* Clock.currentTimeMillis
        const { idPrefix } = makeDecisionContext(atMs, yield* random.randomBytes(CONTEXT_ENTROPY_BYTES))
        const { name, country, vatId, vatIdConfirmed } = now
        const details = { name, country, vatId, confirmed: vatIdConfirmed }
        return { auditId: makeId("aud_", "live", idPrefix, 0), ...entry, subject: accountId, accountId, details, atMs }
      })

      /** Changes the identity as it is at that moment; what changes nothing writes nothing. */
      const change = <E>(
        accountId: AccountId,
        entry: Pick<AuditRecord, "actor" | "action">,
        next: (previous: BillingIdentity | null) => Effect.Effect<BillingIdentity, E>
      ): Effect.Effect<BillingIdentity, AccountNotFound | E | StoreUnavailable> =>
        Effect.gen(function* () {
          for (let left = TRIES; left > 0; left--) {
            const previous = yield* identities.of(accountId)
            const identity = yield* next(previous)
            if (previous !== null && Equal.equals(previous, identity)) return identity
            const audit = yield* auditOf(accountId, entry, identity)
            if (yield* identities.replace({ accountId, previous, identity, audit })) return identity
          }
          return yield* new StoreUnavailable({ retryAfterSeconds: 1 })
        })

      return EditBilling.of({
        of: identities.of,
        save: Effect.fn("EditBilling.save")((accountId, details, actor) =>
          change(accountId, { actor, action: "account.billing" }, (previous) =>
            Effect.succeed(withDetails(previous, details))
          )
        ),
        confirm: Effect.fn("EditBilling.confirm")(({ accountId, vatId, confirmed }, actor) =>
          change(
            accountId,
            { actor, action: confirmed ? "account.confirm_vat" : "account.withdraw_vat" },
            (previous) =>
              previous === null || previous.vatId !== vatId
                ? Effect.fail(new VatIdDiffers({ accountId, vatId: previous?.vatId ?? null }))
                : Effect.succeed({ ...previous, vatIdConfirmed: confirmed })
          )
        )
      })
    })
  )
}
