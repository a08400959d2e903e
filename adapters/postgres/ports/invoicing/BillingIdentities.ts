// Billing identities of accounts in PostgreSQL.
import { Effect, Schema } from "effect"
import type { BillingIdentity } from "#core/domain/invoicing/Party.ts"
import { AccountNotFound } from "#core/domain/members/MemberRefusal.ts"
import { BillingIdentities } from "#core/ports/invoicing/BillingIdentities.ts"
import { overDatabase } from "../../database/Database.ts"
import { first, query, select } from "../../database/Queries.ts"
import { audit } from "../../rows/AccountRows.ts"
import { billingIdentities, billingIdentityRows } from "../../rows/InvoiceRows.ts"

/** An identity that is there is replaced only if it is $2; one is made only if $2 is null, or was there before. */
const replace = `
WITH saved AS (
  INSERT INTO billing_identities
  SELECT b.* FROM jsonb_populate_record(NULL::billing_identities, $1::jsonb) b JOIN accounts USING (account_id)
  ON CONFLICT (account_id) DO UPDATE SET
    name = EXCLUDED.name, address = EXCLUDED.address, country = EXCLUDED.country, vat_id = EXCLUDED.vat_id,
    vat_id_confirmed = EXCLUDED.vat_id_confirmed, reference = EXCLUDED.reference
  WHERE to_jsonb(billing_identities) = to_jsonb(jsonb_populate_record(NULL::billing_identities, $2::jsonb))
  RETURNING account_id
), audited AS (
  INSERT INTO audit SELECT a.* FROM jsonb_populate_record(NULL::audit, $3::jsonb) a, saved
)
SELECT EXISTS (SELECT FROM saved) AS "isSaved", EXISTS (SELECT FROM accounts WHERE account_id = $4) AS "isKnown"`

const Outcome = Schema.Struct({ isSaved: Schema.Boolean, isKnown: Schema.Boolean })

export const layer = overDatabase(BillingIdentities, ({ read, write }) => {
  const replaceRow = first(query(write, Outcome, replace))

  return BillingIdentities.of({
    of: first(select(read, billingIdentities, "billing_identities b WHERE b.account_id = $1")),
    replace: Effect.fnUntraced(function* ({ accountId, previous, identity, audit: record }) {
      const rowOf = (one: BillingIdentity) => JSON.stringify(billingIdentityRows.row({ accountId, ...one }))
      const outcome = yield* replaceRow(
        rowOf(identity),
        previous && rowOf(previous),
        JSON.stringify(audit.row({ ...record })),
        accountId
      )
      if (outcome?.isKnown !== true) return yield* new AccountNotFound({ accountId })
      return outcome.isSaved
    })
  })
})
