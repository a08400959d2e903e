// Which adapter provides each port of the core, by the settings.
import { hash } from "node:crypto"
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { type Deferred, Effect, Layer, Option, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { encryptionKey } from "#adapters/config/EncryptionKey.ts"
import { peopleUrl } from "#adapters/config/MemberSettings.ts"
import { type SellerSettings, sellerTerms } from "#adapters/config/SellerSettings.ts"
import type { Settings } from "#adapters/config/Settings.ts"
import { isStripe, stripeOptions } from "#adapters/config/StripeSettings.ts"
import { showInvoice } from "#adapters/contract/invoicing/Invoices.ts"
import { addWarning, renderQuoteResponse } from "#adapters/contract/ordering/QuoteResponse.ts"
import { renderEvent, renderQuoteEvent, renderTest } from "#adapters/contract/webhooks/Events.ts"
import * as Passkeys from "#adapters/factors/Passkeys.ts"
import * as Passwords from "#adapters/factors/Passwords.ts"
import * as TotpCodes from "#adapters/factors/TotpCodes.ts"
import { placeText, taxText } from "#adapters/html/Imprint.ts"
import * as DirectoryOutlet from "#adapters/invoices/DirectoryOutlet.ts"
import * as InvoiceRenderer from "#adapters/invoices/InvoiceRenderer.ts"
import { layerNone as layerNoOutlet } from "#adapters/invoices/NoOutlet.ts"
import * as WebhookOutlet from "#adapters/invoices/WebhookOutlet.ts"
import * as Mail from "#adapters/mail/Mailer.ts"
import type { MailSender } from "#adapters/mail/MailFrame.ts"
import * as MemoryStore from "#adapters/memory/MemoryStore.ts"
import * as ClientDocuments from "#adapters/outbound/ClientDocuments.ts"
import * as HostResolver from "#adapters/outbound/HostResolver.ts"
import * as TargetProbe from "#adapters/outbound/TargetProbe.ts"
import * as Vault from "#adapters/outbound/Vault.ts"
import * as WebhookSender from "#adapters/outbound/WebhookSender.ts"
import * as SimulatedProcessor from "#adapters/payments/SimulatedProcessor.ts"
import type { MigrationFault } from "#adapters/postgres/database/Migrations.ts"
import { type EmbeddedServerError, embeddedServer } from "#adapters/postgres/embedded/EmbeddedServer.ts"
import type { StorePorts } from "#adapters/postgres/PostgresStore.ts"
import * as PostgresStore from "#adapters/postgres/PostgresStore.ts"
import { pagePath } from "#adapters/web/payment/PaymentPage.ts"
import type { ShopSettings } from "#core/domain/ShopSettings.ts"
import type { QuoteId } from "#core/domain/shared/Ids.ts"
import type { Mailer } from "#core/ports/mails/Mailer.ts"
import { MemberArea } from "#core/ports/members/MemberArea.ts"
import { ServiceContext } from "#core/ports/shared/ServiceContext.ts"
import { imprintOf } from "./FrontPages.ts"

/** The configured store. A database that cannot be opened fails the layer, and with it the start. */
export const store = (
  { store, dataDir, databaseUrl, databasePool: connections }: Settings,
  lost?: Deferred.Deferred<never, EmbeddedServerError>
): Layer.Layer<StorePorts, EmbeddedServerError | MigrationFault> => {
  const address = Option.getOrElse(databaseUrl, () => ({ url: Redacted.make("") }))
  switch (store) {
    case "memory":
      return MemoryStore.layer
    case "embedded":
      return Layer.unwrap(Effect.map(embeddedServer(dataDir, lost), (url) => PostgresStore.layer({ url, connections })))
    case "postgres":
      return PostgresStore.layer({ ...address, connections })
  }
}

const vault = (settings: Settings) =>
  Layer.unwrap(
    Effect.map(encryptionKey(settings), (key) =>
      Vault.layer(
        Option.match(settings.encryptionKeyPrevious, {
          onNone: () => ({ key }),
          onSome: (previous) => ({ key, previous })
        })
      )
    )
  )

/** Calls to webhook receivers, and to the documents of clients. In development, names from the hosts file resolve too. */
const outbound = ({ webhookInsecureTargets: insecure }: Settings, publicUrl: string) =>
  Layer.mergeAll(
    TargetProbe.layer({ insecure, publicUrl }),
    WebhookSender.layer({ insecure, publicUrl }),
    ClientDocuments.layer({ insecure })
  ).pipe(Layer.provide(insecure ? HostResolver.layerSystem : HostResolver.layerDns()))

/** Stripe's package is loaded only where it is used, because that takes a tenth of the start. */
const stripe = (settings: Settings) =>
  Layer.unwrap(
    Effect.map(
      Effect.promise(() => import("#adapters/payments/StripeProcessor.ts")),
      ({ layer }) => layer(stripeOptions(settings.stripe))
    )
  )

const processor = (settings: Settings) => (isStripe(settings) ? stripe(settings) : SimulatedProcessor.layer)

/** `ConfigChecks` have seen that nothing is missing. */
const invoiceOutlet = ({ outlet: { kind, directory, url, secret } }: Settings) => {
  const orEmpty = Option.getOrElse(() => "")
  switch (kind) {
    case "none":
      return layerNoOutlet
    case "directory":
      return DirectoryOutlet.layer(orEmpty(directory)).pipe(Layer.provide(NodeFileSystem.layer))
    case "webhook": {
      const options = { url: orEmpty(url), secret: Option.getOrElse(secret, () => Redacted.make("")) }
      return WebhookOutlet.layer({ ...options, describe: showInvoice }).pipe(
        Layer.provide([NodeCrypto.layerMac, NodeCrypto.layerDigest])
      )
    }
  }
}

const serviceContext = (
  settings: ShopSettings,
  seller: SellerSettings,
  publicUrl: string
): Layer.Layer<ServiceContext> => {
  const approvals = `${peopleUrl(publicUrl)}/account/approvals/`
  const approvalPage = (quoteId: QuoteId) => approvals + quoteId
  const response = renderQuoteResponse(approvalPage)
  return Layer.succeed(ServiceContext, {
    settings,
    seller: sellerTerms(seller),
    render: {
      response,
      withWarning: addWarning,
      event: renderEvent,
      quoteEvent: renderQuoteEvent(approvalPage),
      test: renderTest
    },
    paymentPage: (token) => `${publicUrl}${pagePath(token)}`,
    approvalPage,
    sha256: (text) => hash("sha256", text, "hex")
  })
}

/** The seller as the foot of every page says it. */
const senderOf = (settings: Settings): MailSender => {
  const { company, contact } = imprintOf(settings)
  if (company === null) return { seller: Option.getOrNull(settings.seller.name), address: null, taxId: null, contact }
  return { seller: company.name, address: placeText(company), taxId: taxText(company), contact }
}

const mailer = (settings: Settings): Layer.Layer<Mailer> => {
  const { members, serviceName } = settings
  const { smtpUrl, mailFrom } = members
  if (Option.isNone(smtpUrl)) return Mail.layerPrinted
  const sender = senderOf(settings)
  return Mail.layerSmtp({ url: smtpUrl.value, from: Option.getOrElse(mailFrom, () => ""), serviceName, sender })
}

const memberArea = ({ members: { on, signUp } }: Settings, publicUrl: string): Layer.Layer<MemberArea> => {
  const base = `${peopleUrl(publicUrl)}/account`
  return Layer.succeed(MemberArea, {
    signUp,
    signInPage: (token) => `${base}/sign-in?token=${token}`,
    invitationPage: (token) => `${base}/invitation?token=${token}`,
    emailChangePage: (token) => `${base}/email?token=${token}`,
    topUpPage: (token) => `${base}/top-up/${token}`,
    topUpForm: on ? (cents) => `${base}/credit/top-ups?amount_eur=${(cents / 100).toFixed(2)}` : null,
    settingsPage: `${base}/settings`,
    activityPage: `${base}/settings/activity`,
    stopPage: `${base}/stop`,
    closedPage: `${base}/closed`,
    overviewPage: base,
    approvalsPage: `${base}/approvals`,
    mailsPage: `${base}/settings/mails`,
    creditPage: `${base}/credit`,
    ordersPage: `${base}/orders`,
    orderPage: (orderId) => `${base}/orders/${orderId}`,
    linksPage: `${base}/links?list=online`,
    quotesPage: `${base}/quotes`,
    quotePage: (quoteId) => `${base}/quotes/${quoteId}`,
    invoicesPage: `${base}/invoices`,
    invoicePage: (invoiceId) => `${base}/invoices/${invoiceId}`
  })
}

/** Every port of the core, with the given store, and the source of random bytes for ids and secrets. */
export const portsWithStore = <Store, E>(settings: Settings, publicUrl: string, store: Layer.Layer<Store, E>) =>
  Layer.mergeAll(
    store,
    processor(settings),
    vault(settings),
    invoiceOutlet(settings).pipe(Layer.provideMerge(outbound(settings, publicUrl))),
    InvoiceRenderer.layer,
    serviceContext(settings.terms, settings.seller, publicUrl),
    mailer(settings),
    memberArea(settings, publicUrl),
    Passkeys.layer({ peopleUrl: peopleUrl(publicUrl), serviceName: settings.serviceName }),
    TotpCodes.layer(settings.serviceName),
    Passwords.layer,
    SecureRandom.layerWebCrypto
  )

export type Ports = StorePorts | Layer.Success<ReturnType<typeof portsWithStore<never, never>>>
