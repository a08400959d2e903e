// The sites that an account has linked to a domain: links of one mode that are not cancelled.
import type { Effect } from "effect"
import type { Mode } from "#core/domain/shared/DecisionContext.ts"
import type { AccountId } from "#core/domain/shared/Ids.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import type { RunSql } from "../../database/Connections.ts"
import { queryValues } from "../../database/Queries.ts"
import { accountNo } from "../../rows/AccountRows.ts"
import { hostPath } from "../../rows/OrderRows.ts"
import { Integer } from "../../rows/Table.ts"

/** `host_path` has the labels reversed, so the paths of a domain and its subdomains are the range that begins with its own path. */
const linkedBy = (isOfMode: string): string => `
SELECT DISTINCT l.site_id::float8 AS value FROM links l
WHERE l.account_no = ${accountNo("$1")} AND l.host_path >= $2 AND l.host_path < $3 AND ${isOfMode} AND l.status <> 'cancelled'`

/** In the words of the indexes. */
const CONDITIONS: { readonly [Of in Mode]: string } = { live: "l.mode <> 'sandbox'", sandbox: "l.mode = 'sandbox'" }

/** The end of that range: a path ends in a dot, and "/" follows "." in ASCII. */
const endOfRange = (path: string): string => `${path.slice(0, -1)}/`

/** Ids of the sites, by account, mode and domain. */
export const linkedSites = (run: RunSql<StoreUnavailable>) => {
  const queries = {
    live: queryValues(run, Integer, linkedBy(CONDITIONS.live)),
    sandbox: queryValues(run, Integer, linkedBy(CONDITIONS.sandbox))
  }
  return (accountId: AccountId, mode: Mode, domain: string): Effect.Effect<ReadonlyArray<number>, StoreUnavailable> => {
    const path = hostPath(domain)
    return queries[mode](accountId, path, endOfRange(path))
  }
}
