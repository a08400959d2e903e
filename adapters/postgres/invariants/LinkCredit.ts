// What a link has credited, as SQL: as `linkCreditedCents` says.

const isRefunded = (link: string): string => `${link}.history @> '[{"refunded": true}]'`

/** Cents that a refunded link, by its alias, has credited. */
export const creditOfRefunded = (link: string): string =>
  `CASE WHEN ${isRefunded(link)} THEN coalesce((jsonb_path_query_first(${link}.history, '$[*].creditedCents'))::bigint, 0) END`

/** Cents that a cancelled link, by its alias, has credited. */
export const creditOfCancelled = (link: string): string =>
  `CASE WHEN ${link}.status = 'cancelled' THEN coalesce(${creditOfRefunded(link)}, ${link}.net_cents) ELSE 0 END`
