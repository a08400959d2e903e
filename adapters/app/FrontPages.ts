// The pages for everyone, by the settings, and what search engines read of them.
import { Layer } from "effect"
import { hasOAuth } from "#adapters/config/OAuthSettings.ts"
import type { Settings } from "#adapters/config/Settings.ts"
import { demoKeys } from "#adapters/demo/Demo.ts"
import * as Crawlers from "#adapters/web/front/Crawlers.ts"
import { type FrontOptions, isIndexed } from "#adapters/web/front/FrontPage.ts"
import * as SitesPage from "#adapters/web/front/SitesPage.ts"
import * as StartPage from "#adapters/web/front/StartPage.ts"
import { legalPagesOf } from "#adapters/web/LegalPages.ts"

export const frontPages = (
  settings: Settings,
  publicUrl: string,
  networkOf: SitesPage.SitesPageOptions["networkOf"]
) => {
  const options: FrontOptions = {
    serviceName: settings.serviceName,
    publicUrl,
    members: settings.members.on,
    publicCatalogue: settings.publicCatalogue,
    indexed: isIndexed(settings),
    contact: settings.supportContact,
    legal: legalPagesOf(settings.directories)
  }
  const start = {
    ...options,
    connects: hasOAuth(settings, publicUrl),
    signUp: settings.members.signUp === "open",
    demoKeys: settings.demo ? demoKeys : []
  }
  return {
    routes: [...StartPage.startRoutes, ...SitesPage.sitesRoutes, ...Crawlers.crawlerRoutes(options)],
    layer: Layer.mergeAll(StartPage.layer(start), SitesPage.layer({ ...options, networkOf }), Crawlers.layer(options))
  }
}
