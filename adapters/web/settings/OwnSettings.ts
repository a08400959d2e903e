// The settings of the signed-in person: who they are here, and what is mailed to them. A further setting of a person is one more line.
import { Clock, Effect } from "effect"
import { html, nothing } from "#adapters/html/Html.ts"
import { clockText, zoneText } from "#adapters/html/Times.ts"
import { CHOSEN_MAILS } from "#core/domain/mails/ChosenMail.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import { MailOwners } from "#core/usecases/mails/MailOwners.ts"
import { ZONE_PATH } from "../frame/AreaLayout.ts"
import { readerOf } from "../frame/Reader.ts"
import type { Visit } from "../Page.ts"
import { EMAIL_PATH } from "./AddressPages.ts"
import { linkTo, SETTINGS_PATH, setting, topic } from "./SettingCards.ts"

const ROLES: Readonly<Record<SignedIn["member"]["role"], string>> = {
  owner: "You are an owner: you may do everything.",
  viewer: "You are a viewer: you see everything and change nothing.",
  reviewer: "You are a reviewer: you try the service in its sandbox."
}

/** How many of the mails that can be turned off are on. */
const mailsText = Effect.fnUntraced(function* (who: SignedIn) {
  if (who.member.role !== "owner") return "None: they go to the owners."
  const { length } = yield* (yield* MailOwners).wanted(who)
  const all = CHOSEN_MAILS.length
  const safety = "those that keep the account safe"
  if (length === 0) return `Only ${safety}.`
  return length === all ? "All of them." : `${length} of the ${all} that you can choose, and ${safety}.`
})

export const ownTopic = Effect.fnUntraced(function* ({ who }: Visit<SignedIn>) {
  const { member } = who
  const reader = readerOf(member, yield* Clock.currentTimeMillis)
  const choose = member.role === "owner" ? "Choose" : "View"
  return topic("you", "You", ROLES[member.role], [
    setting(
      "E-mail address",
      html`<bdi>${member.email}</bdi>`,
      member.role === "reviewer" ? nothing : linkTo(EMAIL_PATH, "Change", "Change your e-mail address")
    ),
    setting("Mails to you", yield* mailsText(who), linkTo(`${SETTINGS_PATH}/mails`, choose, `${choose} your mails`)),
    setting(
      "Time zone",
      `${zoneText(reader)}, where it is ${clockText(reader)} now`,
      linkTo(ZONE_PATH, "Change", "Change the time zone")
    )
  ])
})
