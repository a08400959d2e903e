// Billing identities of accounts in PostgreSQL.
import { Effect, Layer } from "effect"
import { AccountNotFound } from "#core/domain/Refusal.ts"
import { BillingIdentities } from "#core/ports/BillingIdentities.ts"
import { Database } from "./database/Database.ts"
import { queryRows } from "./database/Queries.ts"
import { conflictAsUnavailable } from "./database/SqlErrors.ts"
import { audit } from "./rows/AccountRows.ts"
import { billingIdentities, billingIdentityRows } from "./rows/InvoiceRows.ts"

const ofAccount = `SELECT ${billingIdentities.list("b")} AS row FROM billing_identities b WHERE b.account_id = $1`

const save = `
WITH saved AS (
  INSERT INTO billing_identities
  SELECT b.* FROM jsonb_populate_record(NULL::billing_identities, $1::jsonb) b JOIN accounts USING (account_id)
  ON CONFLICT (account_id) DO UPDATE SET
    name = EXCLUDED.name, address = EXCLUDED.address, country = EXCLUDED.country, vat_id = EXCLUDED.vat_id,
    vat_id_confirmed = EXCLUDED.vat_id_confirmed, reference = EXCLUDED.reference
  RETURNING account_id
), audited AS (
  INSERT INTO audit SELECT a.* FROM jsonb_populate_recordset(NULL::audit, $2::jsonb) a, saved
)
SELECT account_id FROM saved`

export const layer: Layer.Layer<BillingIdentities, never, Database> = Layer.effect(
  BillingIdentities,
  Effect.map(Database, (database) => {
    const identityOf = queryRows(database.read, billingIdentities, ofAccount)

    return BillingIdentities.of({
      of: (accountId) => Effect.map(identityOf(accountId), ([found]) => found ?? null),
      save: Effect.fnUntraced(function* (accountId, identity, record) {
        const row = JSON.stringify(billingIdentityRows.row({ accountId, ...identity }))
        const records = JSON.stringify(record === null ? [] : [audit.row({ ...record })])
        const saved = yield* conflictAsUnavailable(database.write(save, [row, records]))
        if (saved.length === 0) return yield* new AccountNotFound({ accountId })
      })
    })
  })
)
