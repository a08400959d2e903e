// The invariants of the books, by name and in words, and the violation of one.
import { Schema } from "effect"

/** In the order in which violations are reported. */
export const Invariant = Schema.Literals([
  "email_is_unique",
  "named_is_there",
  "wallet_is_sound",
  "ledger_adds_up",
  "ledger_runs_on",
  "holds_add_up",
  "hold_ends_once",
  "hold_fits_quote",
  "capture_pays_quote",
  "money_is_conserved",
  "money_names_its_cause",
  "quote_adds_up",
  "payment_is_kept",
  "set_aside_is_kept",
  "quote_ends",
  "quote_has_its_order",
  "order_has_its_links",
  "recredited_once",
  "money_goes_back_once",
  "key_is_bound_once",
  "day_is_counted",
  "order_is_invoiced",
  "invoice_numbers_run_on",
  "invoice_adds_up",
  "invoices_are_the_sales",
  "article_is_sold_once",
  "promo_is_counted",
  "welcome_is_given_once",
  "order_is_announced",
  "quote_is_announced",
  "event_is_queued",
  "delivery_is_true",
  "delivery_is_awaited",
  "account_has_members",
  "invitations_are_few",
  "address_signs_in_once",
  "session_is_a_members",
  "top_up_is_booked_once",
  "owed_is_what_is_missing",
  "welcome_is_once_per_domain"
])
export type Invariant = typeof Invariant.Type

/** Each invariant as a sentence for the operator. */
export const invariantText: Readonly<Record<Invariant, string>> = {
  email_is_unique: "No two accounts have the same e-mail address.",
  named_is_there: "What a record names is there.",
  wallet_is_sound: "Nothing below zero is held, and nothing beyond the balance.",
  ledger_adds_up: "An account's ledger adds up to its wallet.",
  ledger_runs_on: "Each entry of a ledger stands where the one before it left the wallet.",
  holds_add_up: "An account's open holds add up to what its wallet holds.",
  hold_ends_once: "A hold begins once in the ledger and ends at most once, as its state says, with its own amount.",
  hold_fits_quote:
    "A live quote's credit is held while it is open, captured when it is paid, released when it is given up.",
  capture_pays_quote:
    "A paid live quote's credit is captured once, from its hold or from free credit; no other quote captures any.",
  money_is_conserved:
    "What came in, by top-up or payment, and was not taken back is in the wallet, in links that are not cancelled, or in the refunded part of those that are.",
  money_names_its_cause: "The quote, order and link that a ledger entry names, and the quote of a hold, are there.",
  quote_adds_up: "A quote's lines less its discount are its total, which credit and card pay, to the cent.",
  payment_is_kept: "What was paid for a quote made its order or became credit.",
  set_aside_is_kept: "Money set aside is a payment of its quote or top-up once it is credited, and not before.",
  quote_ends: "An open quote ends within a day of its expiry, unless its payment is under way.",
  quote_has_its_order: "A paid quote has one order of the same buyer and total, any other has none.",
  order_has_its_links:
    "An order has a link for each line of its quote, at the line's price, and the status they give it.",
  recredited_once:
    "A cancelled live link gave its net price back once, or, if it was refunded, the part that credit had paid; no other gave anything.",
  money_goes_back_once:
    "What went back for a quote, as credit, refund or lost dispute, is at most what came in for it; as credit for refunded links, at most what credit paid.",
  key_is_bound_once: "An idempotency key is bound to the quote that was made with it.",
  day_is_counted: "A key's day counts the quotes made in it, and the money of those that were not given up.",
  order_is_invoiced:
    "A live order has its invoice, once the orders of its time are invoiced; an invoice has its order, and a credit note its cancelled link and its invoice.",
  invoice_numbers_run_on:
    "Invoices of a year, and credit notes of a year, are numbered from 1 without gap or double, in the order of their issue.",
  invoice_adds_up: "A document's lines add up to its net amount and VAT, and these to its total.",
  invoices_are_the_sales:
    "An account's invoices less its credit notes are what credit and cards paid for the orders, less what cancelled links gave back.",
  article_is_sold_once: "An article is sold to one living link, or reserved by one open quote, or free.",
  promo_is_counted:
    "A promotion code is used up by the paid quotes and reserved by the open quotes that took it, and by no others.",
  welcome_is_given_once: "The welcome offer is spent by one paid quote, or reserved by one open quote, or available.",
  order_is_announced:
    "An order is announced once for each link that goes online and when it is cancelled, and at most once when it comes to be.",
  quote_is_announced:
    "What webhooks are told of a quote is said once, and is so: it waited for approval, is paid, or has expired.",
  event_is_queued:
    "An event, and an order that came to be, is queued for every subscription that received its kind at that time.",
  delivery_is_true: "A delivery carries its event's own bytes to a subscription of the key that placed the order.",
  delivery_is_awaited: "A delivery that is still to be sent waits for its time, and no other does.",
  account_has_members:
    "An account came with an owner, has at most ten members, and as long as one of them signs in, an owner.",
  invitations_are_few:
    "An account has at most ten members and open invitations together, and no open invitation once it is closed.",
  address_signs_in_once: "An address signs in to one account, as one member of it.",
  session_is_a_members: "A session is that of a member who is or was there, under a token of its own.",
  top_up_is_booked_once:
    "A top-up that was paid is one entry of its account's ledger, with its amount; no other has a payment.",
  owed_is_what_is_missing:
    "A top-up gives back what its refunds and disputes name; what was not taken of that for an account is what the account owes.",
  welcome_is_once_per_domain: "Of accounts that opened themselves, one has spent the welcome offer for a target domain."
}

/** A record that contradicts others. */
export interface Violation {
  readonly invariant: Invariant
  /** The id of the record that violates it. */
  readonly subject: string
  /** The contradiction, with its figures. */
  readonly message: string
}
