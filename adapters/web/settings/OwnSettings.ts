// The settings of the signed-in person: who they are here, and what is mailed to them. A further setting of a person is one more line.
import { type Html, html, nothing } from "#adapters/html/Html.ts"
import { zoneName } from "#adapters/html/Times.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import { ZONE_PATH } from "../frame/AreaLayout.ts"
import { zoneOf } from "../frame/Reader.ts"
import type { Visit } from "../Page.ts"
import { EMAIL_PATH } from "./AddressPages.ts"
import { linkTo, SETTINGS_PATH, setting, topic } from "./SettingCards.ts"

const ROLES: Readonly<Record<SignedIn["member"]["role"], string>> = {
  owner: "You are an owner: you may do everything.",
  viewer: "You are a viewer: you see everything and change nothing.",
  reviewer: "You are a reviewer: you try the service in its sandbox."
}

export const ownTopic = ({ who: { member } }: Visit<SignedIn>): Html =>
  topic("you", "You", ROLES[member.role], [
    setting(
      "E-mail address",
      html`<bdi>${member.email}</bdi>`,
      member.role === "reviewer" ? nothing : linkTo(EMAIL_PATH, "Change", "Change your e-mail address")
    ),
    setting("Mails", "Which mails are sent to you.", linkTo(`${SETTINGS_PATH}/mails`, "Choose your mails")),
    setting("Time zone", zoneName(zoneOf(member)), linkTo(ZONE_PATH, "Change", "Change the time zone"))
  ])
