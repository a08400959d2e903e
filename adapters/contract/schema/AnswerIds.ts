// Ids in answers, each with what it names. They are opaque: a client stores and repeats them, and builds none.
import { Schema } from "effect"
import * as Ids from "#core/domain/shared/Ids.ts"
import { integer } from "./Amount.ts"

const opaque = (what: string, prefix: string) => ({ description: `Names the ${what} (\`${prefix}…\`).` })

/** Annotate it anew where the id is another's than one expects; a nullable one says when it is `null`. */
export const answerId = {
  account: Ids.AccountId.annotate(opaque("account", "acc_")),
  article: integer(1).annotate({ description: "`article_id` of an article of the site." }),
  delivery: Ids.DeliveryId.annotate(opaque("delivery of an event to a webhook", "dlv_")),
  entry: Ids.EntryId.annotate(opaque("entry of the ledger", "led_")),
  event: Ids.EventId.annotate({
    description: "Names the event (`evt_…`), the same wherever it appears: ignore one that you have seen."
  }),
  invoice: Ids.InvoiceId.annotate({ description: "Names the document (`inv_…`, `crn_…` or `rct_…`)." }),
  key: Ids.KeyId.annotate({ description: "Names the API key (`key_…`) or the connection (`con_…`)." }),
  link: Ids.LinkId.annotate(opaque("link", "lnk_")),
  order: Ids.OrderId.annotate(opaque("order", "ord_")),
  project: Ids.ProjectId.annotate(opaque("AI-visibility project", "prj_")),
  quote: Ids.QuoteId.annotate(opaque("quote", "q_")),
  site: integer(1).annotate({ description: "`id` of the site." }),
  webhook: Ids.WebhookId.annotate(opaque("webhook", "wh_"))
}

export const SiteDomain = Schema.String.annotate({ description: "The site's domain, such as `garden.example`." })
