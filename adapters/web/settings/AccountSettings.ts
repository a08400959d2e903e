// The settings of the account itself: what is on its invoices, and what was done with it.
import type { Html } from "#adapters/html/Html.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import type { Visit } from "../Page.ts"
import { linkTo, SETTINGS_PATH, setting, topic } from "./SettingCards.ts"

export const accountTopic = ({ who: { account } }: Visit<SignedIn>): Html =>
  topic("account", "Account", "What all members of the account share.", [
    setting("Name", account.name),
    setting(
      "Invoices",
      "The name, address and VAT id that your invoices are made out to.",
      linkTo(`${SETTINGS_PATH}/billing`, "What is on your invoices")
    ),
    setting(
      "Activity",
      "Who did what, and when: your agents, the members and the operator.",
      linkTo(`${SETTINGS_PATH}/activity`, "What was done")
    )
  ])
