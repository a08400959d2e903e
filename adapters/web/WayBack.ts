// The page that a person asked for, to come back to once signed in.
import { CONSENT_ID } from "#adapters/contract/access/Consent.ts"

/** The pages that mails, agents, assistants and the start page name, and that of factors, each with the forms below it. */
const NAMED_PAGE = new RegExp(
  `^/account/(?:stop|connections|shop/sites/\\d{1,10}|settings/factors|settings|consent/${CONSENT_ID}|(?:approvals|orders|quotes|invoices)/[A-Za-z0-9_-]{1,80})(?=/|$)`
)

/** The page of top-ups, with the amount that an agent asks for. */
const TOP_UP_PAGE = /^\/account\/credit\/top-ups(?:\?amount_eur=\d{1,4}(?:\.\d{1,2})?)?$/

/** The page to come back to once signed in, for a page or a form; `null` leads to the overview. */
export const wayBack = (path: string, search = ""): string | null => {
  const whole = path + search
  return TOP_UP_PAGE.test(whole) ? whole : (NAMED_PAGE.exec(path)?.[0] ?? null)
}

/** Accepts only a page to come back to; a cookie is client input. */
export const nextOf = (path: string | undefined): string | null =>
  path !== undefined && wayBack(path) === path ? path : null
