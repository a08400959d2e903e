// Settings: one card a topic. What an owner or a person sets there is in `settings/`, a file for each topic.
import { html } from "#adapters/html/Html.ts"
import { protectionPrompt } from "../FactorTexts.ts"
import { newCodePage } from "../NewCode.ts"
import { page } from "../Page.ts"
import { accountPages, accountTopic } from "./AccountSettings.ts"
import { addressPages } from "./AddressPages.ts"
import { closingPages, closingTopic } from "./ClosingPages.ts"
import { memberPages, membersTopic } from "./MemberSettings.ts"
import { ownTopic } from "./OwnSettings.ts"
import { SETTINGS_PATH } from "./SettingCards.ts"
import { sessionPages, signInTopic } from "./SignInSettings.ts"

const settingsPage = page("viewer", SETTINGS_PATH, { section: "Settings", help: "members" }, function* (visit) {
  return html`${yield* protectionPrompt(visit.who)}${yield* accountTopic(visit)}
${yield* ownTopic(visit)}
${yield* membersTopic(visit)}
${yield* signInTopic(visit)}
${closingTopic(visit)}`
})

export const settingsPages = [
  settingsPage,
  ...accountPages,
  ...addressPages,
  ...memberPages(settingsPage),
  ...newCodePage.pages,
  ...sessionPages,
  ...closingPages
]
