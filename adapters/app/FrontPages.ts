// The pages for everyone, by the settings, and what search engines read of them.
import { Layer, Option } from "effect"
import { hasOAuth } from "#adapters/config/OAuthSettings.ts"
import { sellerTerms } from "#adapters/config/SellerSettings.ts"
import type { Settings } from "#adapters/config/Settings.ts"
import { demoKeys } from "#adapters/demo/Demo.ts"
import type { Imprint } from "#adapters/html/Imprint.ts"
import * as Crawlers from "#adapters/web/front/Crawlers.ts"
import { type FrontOptions, isIndexed } from "#adapters/web/front/FrontPage.ts"
import * as SitesPage from "#adapters/web/front/SitesPage.ts"
import * as StartPage from "#adapters/web/front/StartPage.ts"
import { legalPagesOf } from "#adapters/web/LegalPages.ts"
import { listVatText } from "#adapters/web/money/PriceVat.ts"
import { orderVat } from "#core/domain/invoicing/OrderVat.ts"

/** Who runs the service, by its settings. */
export const imprintOf = (settings: Settings): Imprint => {
  const { seller, vat } = sellerTerms(settings.seller)
  const company = seller && { ...seller, taxId: seller.vatId, hasVatId: vat === "standard" }
  const contact = Option.getOrNull(settings.supportContact)
  return { company, contact, pages: legalPagesOf(settings.directories) }
}

export const frontPages = (
  settings: Settings,
  publicUrl: string,
  networkOf: SitesPage.SitesPageOptions["networkOf"]
) => {
  const terms = sellerTerms(settings.seller)
  const options: FrontOptions = {
    serviceName: settings.serviceName,
    publicUrl,
    members: settings.members.on,
    publicCatalogue: settings.publicCatalogue,
    indexed: isIndexed(settings),
    imprint: imprintOf(settings),
    vat: terms.seller === null ? null : listVatText(orderVat(terms, null))
  }
  const start = {
    ...options,
    connects: hasOAuth(settings, publicUrl),
    signUp: settings.members.signUp === "open",
    turnaroundDays: settings.terms.turnaroundDays,
    demoKeys: settings.demo ? demoKeys : []
  }
  return {
    routes: [...StartPage.startRoutes, ...SitesPage.sitesRoutes, ...Crawlers.crawlerRoutes(options)],
    layer: Layer.mergeAll(StartPage.layer(start), SitesPage.layer({ ...options, networkOf }), Crawlers.layer(options))
  }
}
