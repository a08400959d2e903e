// The page on which a member chooses the time zone in which they read times.
import { Clock, Schema } from "effect"
import { type Html, html } from "#adapters/html/Html.ts"
import { clockText, type Reader, zoneName, zoneText } from "#adapters/html/Times.ts"
import { TIME_ZONES, timeZoneNamed, UTC } from "#adapters/html/TimeZones.ts"
import { ManageMembers } from "#core/usecases/members/ManageMembers.ts"
import { text } from "../form/Fields.ts"
import { form, showForm, submit } from "../form/Form.ts"
import { ZONE_PATH } from "../frame/AreaLayout.ts"
import { readerOf } from "../frame/Reader.ts"
import { page, seeOther } from "../Page.ts"

const zoneField = Schema.String.check(
  Schema.makeFilter((value: string) => timeZoneNamed(value) !== undefined, {
    message: "We know no time zone of this name. Write a zone or its city, such as Europe/Paris or Paris."
  })
)

const chooseZone = form({
  path: ZONE_PATH,
  fields: {
    zone: text(zoneField, "Time zone", {
      hint: "Start typing a city, such as Paris or Tokyo. Summer time is taken into account.",
      required: true,
      maxLength: 64,
      offers: TIME_ZONES
    })
  },
  kind: "pay",
  button: "Use this time zone"
})

const presentNote = (reader: Reader): Html =>
  html`<p>Now: <strong>${zoneText(reader)}</strong>, where it is <strong>${clockText(reader)}</strong>. Pages show all times in it, and mails all deadlines. Files that you download have times in UTC.</p>`

const zonePage = page("member", ZONE_PATH, { section: "Settings", title: "Time zone" }, function* (visit) {
  const reader = readerOf(visit.who.member, yield* Clock.currentTimeMillis)
  return html`${presentNote(reader)}
${yield* showForm(chooseZone, visit, { values: { zone: reader.zone } })}`
})

export const timeZonePages = [
  zonePage,
  submit("member", chooseZone, zonePage, function* ({ zone: name }, { who: { account, member } }) {
    const chosen = timeZoneNamed(name) ?? UTC
    yield* (yield* ManageMembers).chooseTimeZone({ ...account, memberId: member.memberId }, chosen)
    const now = clockText({ zone: chosen, nowMs: yield* Clock.currentTimeMillis })
    return seeOther(ZONE_PATH, `Times are shown in ${zoneName(chosen)} from now on: it is ${now} there.`)
  })
]
